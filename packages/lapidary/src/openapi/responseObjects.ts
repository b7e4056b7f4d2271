/** The Responses Object of an endpoint: its replies, its declared errors, and the errors of the toolkit. */

import { type BuiltInError, getBuiltInErrors, getVaryingHeaders } from '../contract/builtInErrors.ts'
import { hasConventions } from '../contract/conventions.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { listResponseExamples, type ResponseExample } from '../contract/exampleValues.ts'
import { type Content, getMediaHeaders } from '../contract/media/mediaType.ts'
import { type AnyParameter, getValue } from '../contract/parameters/parameter.ts'
import { type AnyReply, getStatusKey, type StatusRange } from '../contract/reply.ts'
import { listInputHeaders, listVaryNames } from '../contract/vary.ts'
import { getReasonPhrase, isNullBodyStatus } from '../http/status.ts'
import { isSameJson, type JsonSchema } from '../json-schema/jsonSchema.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { createContentObject } from './contentObjects.ts'
import type { ContentObject, HeaderObject, MediaTypeObject, ResponseObject, SchemaObject } from './documentTypes.ts'
import { createHeaderObject } from './parameterObjects.ts'
import type { SchemaObjects } from './schemaObjects.ts'

/** RFC 9457, with the members that the toolkit adds. */
export const problemSchema: JsonSchema = Object.freeze({
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The type of the problem; `about:blank`: the status says it.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'One sentence about the problem.' },
    errors: {
      type: 'array',
      description: 'The errors of the request, at most 20.',
      items: {
        type: 'object',
        properties: {
          in: { type: 'string', enum: ['path', 'query', 'header', 'cookie', 'body'] },
          name: { type: 'string', description: 'The name of the capture, query parameter, header or cookie.' },
          pointer: { type: 'string', format: 'json-pointer', description: 'The place in the body (RFC 6901).' },
          detail: { type: 'string', description: 'What was expected there.' },
        },
        required: ['in', 'detail'],
      },
    },
    more: { type: 'integer', description: 'The number of errors that `errors` does not list. Validation stops at 1,000 errors.' },
    requestId: { type: 'string', description: 'Identifies the request. Quote it when you report an unexpected error.' },
  },
  required: ['type', 'title', 'status'],
})

/** The problem of a quota that is used up (draft-ietf-httpapi-ratelimit-headers). */
export const quotaProblemSchema: JsonSchema = Object.freeze({
  ...problemSchema,
  description: 'Problem details of a quota that is used up.',
  properties: {
    ...problemSchema.properties,
    'violated-policies': { type: 'array', items: { type: 'string' }, description: documentationTexts.violatedPoliciesText() },
  },
})

// Several responses of one status as one

function mergeSchemas(one: SchemaObject, other: SchemaObject): SchemaObject {
  const choices = Array.isArray(one['anyOf']) && Object.keys(one).length === 1 ? (one['anyOf'] as SchemaObject[]) : [one]
  return choices.some((choice) => isSameJson(choice, other)) ? one : { anyOf: [...choices, other] }
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

/** Each header once; names have no case. A header that some responses lack is not required. */
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

/** @param reason the description where no response has one. */
function mergeResponses(responses: readonly ResponseObject[], reason: string): ResponseObject {
  const descriptions = new Set(responses.map(({ description }) => description).filter((description) => description !== ''))
  return {
    description: [...descriptions].join('\n\n') || reason,
    headers: mergeResponseHeaders(responses),
    content: mergeContent(responses),
  }
}

// The responses of an endpoint

type HeaderObjects = Readonly<Record<string, HeaderObject>>

/** The `Vary` of every error of an endpoint. */
function createErrorVary(endpoint: AnyEndpoint): HeaderObjects {
  const names = hasConventions(endpoint) ? listInputHeaders(endpoint) : []
  return names.length === 0 ? {} : createConstantHeaders({ Vary: names.join(', ') }, true)
}

/** Headers with constant values. */
const createConstantHeaders = (values: Readonly<Record<string, string>>, isRequired: boolean): HeaderObjects =>
  Object.fromEntries(
    Object.entries(values).map(([name, example]) => [
      name,
      { required: isRequired ? true : undefined, schema: { type: 'string' }, example },
    ]),
  )

/** Schemas of headers of the toolkit: they are no components. */
const ownSchemas: SchemaObjects = { of: (schema) => schema as SchemaObject, components: () => ({}) }

const createTypedHeaders = (parameters: Readonly<Record<string, AnyParameter>>): HeaderObjects =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, createHeaderObject(name, parameter, undefined, ownSchemas)]),
  )

/** The headers of every response of an endpoint. */
const createEndpointHeaders = (endpoint: AnyEndpoint): HeaderObjects =>
  hasConventions(endpoint)
    ? { ...createConstantHeaders(endpoint.responseHeaders, true), ...createTypedHeaders(getVaryingHeaders(endpoint)) }
    : {}

const createProblemContent = (schemas: SchemaObjects, schema: JsonSchema = problemSchema): ContentObject => ({
  'application/problem+json': { schema: schemas.of(schema) },
})

function describeReply(endpoint: AnyEndpoint, { description }: AnyReply, content: Content<unknown, unknown> | undefined): string {
  const framings = hasConventions(endpoint) ? (content?.media ?? []).map(({ framing }) => framing) : []
  const sentences = [description, ...framings]
  return sentences.filter((sentence) => sentence !== undefined).join('\n\n')
}

/** @param content the part of the reply's content that is sent. */
async function createDeclaredResponse(
  endpoint: AnyEndpoint,
  reply: AnyReply,
  content: Content<unknown, unknown> | undefined,
  examples: readonly ResponseExample[],
  schemas: SchemaObjects,
): Promise<ResponseObject> {
  const { route, responseHeaders } = endpoint
  const place = `${route}, response ${getStatusKey(reply)}`
  const { headers = {} } = examples[0] ?? {}
  const typed = Object.entries(reply.headers).map(([name, parameter]): [string, HeaderObject] => [
    name,
    createHeaderObject(
      name,
      parameter,
      getValue(headers, name) === undefined ? undefined : parameter.write(getValue(headers, name)),
      schemas,
    ),
  ])
  const media = content?.media ?? []
  const declared = [...Object.keys(reply.headers), ...Object.keys(responseHeaders)]
  const mediaHeaders = hasConventions(endpoint) ? getMediaHeaders(media, declared) : {}
  return {
    description: describeReply(endpoint, reply, content),
    headers: {
      ...Object.fromEntries(typed),
      ...createConstantHeaders(mediaHeaders, media.length === 1),
      ...createEndpointHeaders(endpoint),
    },
    content: content === undefined ? undefined : await createContentObject(content, examples, 'response', place, schemas),
  }
}

async function createSuccessResponse(endpoint: AnyEndpoint, reply: AnyReply, schemas: SchemaObjects): Promise<ResponseObject> {
  const examples = listResponseExamples(endpoint, reply, `${endpoint.route}, response ${reply.status}`)
  const success = await createDeclaredResponse(endpoint, reply, reply.content, examples, schemas)
  const names = hasConventions(endpoint) ? listVaryNames(endpoint, reply) : []
  if (names.length === 0) return success
  return { ...success, headers: { ...success.headers, ...createConstantHeaders({ Vary: names.join(', ') }, true) } }
}

async function createErrorResponse(endpoint: AnyEndpoint, reply: AnyReply, schemas: SchemaObjects): Promise<ResponseObject> {
  const [mediaType] = reply.content?.media ?? []
  // An error is not negotiated: the first type is the only one.
  const content = mediaType && { schema: reply.content?.schema, media: [{ ...mediaType, types: [mediaType.types[0]] as const }] }
  const declared = await createDeclaredResponse(endpoint, reply, content, [], schemas)
  const error = { ...declared, headers: { ...declared.headers, ...createErrorVary(endpoint) } }
  const hasProblem = content === undefined && !isNullBodyStatus(reply.status) && hasConventions(endpoint)
  return hasProblem ? { ...error, content: createProblemContent(schemas) } : error
}

function createBuiltInError({ status, description, headers }: BuiltInError, endpoint: AnyEndpoint, schemas: SchemaObjects): ResponseObject {
  const own = Object.entries(headers(endpoint))
  const constants = own.flatMap(([name, values]) => ('read' in values ? [] : [[name, values[0] ?? ''] as const]))
  const typed = own.flatMap(([name, values]) => ('read' in values ? [[name, values] as const] : []))
  return {
    description: description(endpoint),
    // Of several headers, a response has one.
    headers: {
      ...createErrorVary(endpoint),
      ...createConstantHeaders(Object.fromEntries(constants), own.length === 1),
      ...createTypedHeaders(Object.fromEntries(typed)),
      ...createEndpointHeaders(endpoint),
    },
    content: createProblemContent(schemas, status === 429 ? quotaProblemSchema : problemSchema),
  }
}

/**
 * All responses of an endpoint, by status.
 *
 * @throws TypeError for an example that its schema does not allow.
 */
export async function createResponseObjects(endpoint: AnyEndpoint, schemas: SchemaObjects): Promise<Record<string, ResponseObject>> {
  const responses: (readonly [key: string, ResponseObject])[] = []
  for (const reply of endpoint.responses) responses.push([getStatusKey(reply), await createSuccessResponse(endpoint, reply, schemas)])
  for (const reply of endpoint.errors) responses.push([getStatusKey(reply), await createErrorResponse(endpoint, reply, schemas)])
  for (const step of getBuiltInErrors(endpoint)) responses.push([String(step.status), createBuiltInError(step, endpoint, schemas)])
  const mergeKey = (key: string): ResponseObject =>
    mergeResponses(
      responses.filter(([other]) => other === key).map(([, response]) => response),
      /^\d+$/.test(key) ? getReasonPhrase(Number(key)) : documentationTexts.rangeText(key as StatusRange),
    )
  return Object.fromEntries([...new Set(responses.map(([key]) => key))].map((key) => [key, mergeKey(key)]))
}
