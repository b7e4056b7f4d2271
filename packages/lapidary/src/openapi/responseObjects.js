/** Everything that an endpoint may answer, by status: its reply, its declared errors, and what the toolkit answers in place of the handler. */
import { splitExample } from '../contract/exampleBody.js'
import { isNegotiated } from '../contract/media/content.js'
import { getBuiltInErrors } from '../contract/steps.js'
import { getReasonPhrase, isNullBodyStatus } from '../http/status.js'
import { createContentObject } from './contentObjects.js'
import { createHeaderObject } from './parameterObjects.js'
import { problemSchema } from './problemSchema.js'

// Several reasons for answers of one status, as one response.
const isSameObject = (one, other) => JSON.stringify(one) === JSON.stringify(other)
function mergeSchemas(one, other) {
  const choices = Array.isArray(one['anyOf']) && Object.keys(one).length === 1 ? one['anyOf'] : [one]
  return choices.some((choice) => isSameObject(choice, other)) ? one : { anyOf: [...choices, other] }
}
function mergeMediaTypes(one, other) {
  if (one === undefined) return other
  const [item, otherItem] = [one['x-itemSchema'], other['x-itemSchema']]
  const items = item && otherItem ? { 'x-itemSchema': mergeSchemas(item, otherItem) } : {}
  return { ...other, ...one, schema: mergeSchemas(one.schema, other.schema), ...items }
}
function mergeContent(responses) {
  const content = {}
  for (const response of responses) {
    for (const [type, media] of Object.entries(response.content ?? {})) content[type] = mergeMediaTypes(content[type], media)
  }
  return Object.keys(content).length > 0 ? content : undefined
}
/** Every header once, whatever the case of its name; one that some answers lack is not required. */
function mergeResponseHeaders(responses) {
  const all = responses.map(
    ({ headers = {} }) => new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), { name, header }])),
  )
  const names = new Set(all.flatMap((headers) => [...headers.keys()]))
  const headers = [...names].flatMap((lower) => {
    const found = all.flatMap((one) => one.get(lower) ?? [])
    const [first] = found
    const isRequired = found.length === all.length && found.every(({ header }) => header.required === true)
    return first === undefined ? [] : [[first.name, { ...first.header, required: isRequired ? true : undefined }]]
  })
  return headers.length > 0 ? Object.fromEntries(headers) : undefined
}
/** One response that stands for all of these; `reason` describes it where nothing else does. */
export function mergeResponses(responses, reason) {
  const descriptions = new Set(responses.map(({ description }) => description).filter((description) => description !== ''))
  return {
    description: [...descriptions].join('\n\n') || reason,
    headers: mergeResponseHeaders(responses),
    content: mergeContent(responses),
  }
}
/** Headers whose values are known. */
const createConstantHeaders = (values, isRequired) =>
  Object.fromEntries(
    Object.entries(values).map(([name, example]) => [
      name,
      { required: isRequired ? true : undefined, schema: { type: 'string' }, example },
    ]),
  )
const createProblemContent = (schemas) => ({
  'application/problem+json': { schema: schemas.of(problemSchema) },
})
function describeReply({ description }, content) {
  const sentences = [description, ...(content?.media ?? []).map(({ framing }) => framing)]
  return sentences.filter((sentence) => sentence !== undefined).join('\n\n')
}
/** An answer that a reply declares; `content` is what of its content is sent. */
async function createDeclaredResponse({ route, responseHeaders: always }, reply, content, example, schemas) {
  const place = `${route}, response ${reply.status}`
  const { body, headers } = splitExample(reply, example, place)
  const typed = Object.entries(reply.headers).map(([name, parameter]) => [
    name,
    createHeaderObject(parameter, headers[name] === undefined ? undefined : parameter.write(headers[name]), schemas),
  ])
  return {
    description: describeReply(reply, content),
    headers: { ...Object.fromEntries(typed), ...createConstantHeaders(always, true) },
    content: content === undefined ? undefined : await createContentObject(content, body, place, schemas),
  }
}
async function createSuccessResponse(endpoint, schemas) {
  const { response, examples } = endpoint
  const made = await createDeclaredResponse(endpoint, response, response.content, examples.response, schemas)
  const varied = response.content !== undefined && isNegotiated(response.content) ? createConstantHeaders({ Vary: 'Accept' }, true) : {}
  return { ...made, headers: { ...made.headers, ...varied } }
}
async function createErrorResponse(endpoint, reply, schemas) {
  const [medium] = reply.content?.media ?? []
  // An error is not negotiated: the first type is the only one.
  const content = medium && { schema: reply.content?.schema, media: [{ ...medium, types: [medium.types[0]] }] }
  const made = await createDeclaredResponse(endpoint, reply, content, undefined, schemas)
  return content !== undefined || isNullBodyStatus(reply.status) ? made : { ...made, content: createProblemContent(schemas) }
}
function createBuiltInError({ description, headers }, endpoint, schemas) {
  const own = headers(endpoint)
  return {
    description,
    // Of several headers of its own, a refusal carries one.
    headers: { ...createConstantHeaders(own, Object.keys(own).length === 1), ...createConstantHeaders(endpoint.responseHeaders, true) },
    content: createProblemContent(schemas),
  }
}
/** Every answer of an endpoint, by its status. @throws TypeError for an example that does not fit. */
export async function createResponseObjects(endpoint, schemas) {
  const answers = [[endpoint.response.status, await createSuccessResponse(endpoint, schemas)]]
  for (const reply of endpoint.errors) answers.push([reply.status, await createErrorResponse(endpoint, reply, schemas)])
  for (const step of getBuiltInErrors(endpoint)) answers.push([step.status, createBuiltInError(step, endpoint, schemas)])
  const together = (status) =>
    mergeResponses(
      answers.filter(([other]) => other === status).map(([, response]) => response),
      getReasonPhrase(status),
    )
  return Object.fromEntries([...new Set(answers.map(([status]) => status))].map((status) => [status, together(status)]))
}
