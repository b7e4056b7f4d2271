/** Several reasons for answers of one status, as one response. */
import type { ContentObject, HeaderObject, MediaTypeObject, ResponseObject, SchemaObject } from './document.ts'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function either(one: SchemaObject, other: SchemaObject): SchemaObject {
  const choices = Array.isArray(one['anyOf']) && Object.keys(one).length === 1 ? (one['anyOf'] as SchemaObject[]) : [one]
  return choices.some((choice) => isSame(choice, other)) ? one : { anyOf: [...choices, other] }
}

function bothTypes(one: MediaTypeObject | undefined, other: MediaTypeObject): MediaTypeObject {
  if (one === undefined) return other
  const [item, otherItem] = [one['x-itemSchema'], other['x-itemSchema']]
  const items = item && otherItem ? { 'x-itemSchema': either(item, otherItem) } : {}
  return { ...other, ...one, schema: either(one.schema, other.schema), ...items }
}

function contentOf(responses: readonly ResponseObject[]): ContentObject | undefined {
  const content: ContentObject = {}
  for (const response of responses) {
    for (const [type, media] of Object.entries(response.content ?? {})) content[type] = bothTypes(content[type], media)
  }
  return Object.keys(content).length > 0 ? content : undefined
}

/** Every header once, whatever the case of its name; one that some answers lack is not required. */
function headersOf(responses: readonly ResponseObject[]): Record<string, HeaderObject> | undefined {
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
export function merged(responses: readonly ResponseObject[], reason: string): ResponseObject {
  const descriptions = new Set(responses.map(({ description }) => description).filter((description) => description !== ''))
  return {
    description: [...descriptions].join('\n\n') || reason,
    headers: headersOf(responses),
    content: contentOf(responses),
  }
}
