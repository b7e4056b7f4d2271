/** Several reasons for answers of one status, as one response. */
import type { ContentObject, HeaderObject, MediaTypeObject, ResponseObject, SchemaObject } from './document.ts'

const isSameObject = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function mergeSchemas(one: SchemaObject, other: SchemaObject): SchemaObject {
  const choices = Array.isArray(one['anyOf']) && Object.keys(one).length === 1 ? (one['anyOf'] as SchemaObject[]) : [one]
  return choices.some((choice) => isSameObject(choice, other)) ? one : { anyOf: [...choices, other] }
}

function mergeMediaTypes(one: MediaTypeObject | undefined, other: MediaTypeObject): MediaTypeObject {
  if (one === undefined) return other
  const [item, otherItem] = [one['x-itemSchema'], other['x-itemSchema']]
  const items = item && otherItem ? { 'x-itemSchema': mergeSchemas(item, otherItem) } : {}
  return { ...other, ...one, schema: mergeSchemas(one.schema, other.schema), ...items }
}

function mergeContent(responses: readonly ResponseObject[]): ContentObject | undefined {
  const content: ContentObject = {}
  for (const response of responses) {
    for (const [type, media] of Object.entries(response.content ?? {})) content[type] = mergeMediaTypes(content[type], media)
  }
  return Object.keys(content).length > 0 ? content : undefined
}

/** Every header once, whatever the case of its name; one that some answers lack is not required. */
function mergeResponseHeaders(responses: readonly ResponseObject[]): Record<string, HeaderObject> | undefined {
  const all = responses.map(
    ({ headers = {} }) => new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), { name, header }])),
  )
  const names = new Set(all.flatMap((headers) => [...headers.keys()]))
  const headers = [...names].flatMap((lower): [string, HeaderObject][] => {
    const found = all.flatMap((one) => one.get(lower) ?? [])
    const [first] = found
    const isRequired = found.length === all.length && found.every(({ header }) => header.required === true)
    return first === undefined ? [] : [[first.name, { ...first.header, required: isRequired ? true : undefined }]]
  })
  return headers.length > 0 ? Object.fromEntries(headers) : undefined
}

/** One response that stands for all of these; `reason` describes it where nothing else does. */
export function mergeResponses(responses: readonly ResponseObject[], reason: string): ResponseObject {
  const descriptions = new Set(responses.map(({ description }) => description).filter((description) => description !== ''))
  return {
    description: [...descriptions].join('\n\n') || reason,
    headers: mergeResponseHeaders(responses),
    content: mergeContent(responses),
  }
}
