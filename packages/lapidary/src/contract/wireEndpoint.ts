/** An endpoint whose handlers and callers deal in the values of the wire, for programs that have only its description. */
import { getEncoder, type Schema } from '../json-schema/standardSchema.ts'
import { type Api, isMount, isOperation } from './api.ts'
import { getContentEncoder } from './contentEncoder.ts'
import type { AnyEndpoint, Pagination } from './endpoint.ts'
import { type Examples, isUnnamed, type NamedExample } from './examples.ts'
import type { Content } from './media/mediaType.ts'
import type { AnyParameter, ParameterRecord } from './parameters/parameter.ts'
import type { ParameterGroup } from './parameters/parameterGroups.ts'
import { toWireParameter } from './parameters/schemaParameter.ts'
import { type AnyReply, isStatusValue, respond, statusKey } from './reply.ts'
import { isWebhook } from './webhook.ts'

type BodyContent = Content<unknown, unknown>

/** The same schema without its encoder. */
const toWireSchema = (schema: Schema): Schema => ({ '~standard': schema['~standard'] })

const toWireContent = (content: BodyContent | undefined): BodyContent | undefined =>
  content?.schema === undefined || getEncoder(content.schema) === undefined
    ? content
    : Object.freeze({ ...content, schema: toWireSchema(content.schema) })

const toWireReply = (reply: AnyReply): AnyReply => {
  const content = toWireContent(reply.content)
  return content === reply.content ? reply : Object.freeze({ ...reply, content })
}

function encodeBody(content: BodyContent | undefined, value: unknown): unknown {
  const encode = content && getContentEncoder(content)
  // An example without a body, beside one of a response, is none.
  return encode === undefined || value === undefined ? value : encode(value)
}

/** Encodes what a handler returns. */
function encodeResult({ responses, response }: AnyEndpoint, result: unknown): unknown {
  if (isStatusValue(result)) {
    const reply = responses.find(({ status }) => status === result[statusKey])
    return respond(result[statusKey], encodeReplyValue(reply, result.value))
  }
  return encodeReplyValue(response, result)
}

function encodeReplyValue(reply: AnyReply | undefined, value: unknown): unknown {
  const { content, headers = {} } = reply ?? {}
  if (Object.keys(headers).length === 0 || typeof value !== 'object' || value === null || !('headers' in value && 'body' in value))
    return encodeBody(content, value)
  return { ...value, body: encodeBody(content, value.body) }
}

const toWireParameters = <P extends ParameterRecord>(parameters: P): P =>
  Object.freeze(Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, toWireParameter(parameter)]))) as P

const toWireGroup = (group: ParameterGroup): ParameterGroup =>
  getEncoder(group.schema) === undefined ? group : { ...group, schema: toWireSchema(group.schema) }

const toWireGroups = ({ params, query, headers, cookies }: AnyEndpoint['parameterGroups']): AnyEndpoint['parameterGroups'] =>
  Object.freeze({
    params: params.map(toWireGroup),
    query: query.map(toWireGroup),
    headers: headers.map(toWireGroup),
    cookies: cookies.map(toWireGroup),
  })

/** Pages of items of the wire. The fields and the key are those of decoded items. */
function toWirePagination({ response }: AnyEndpoint, pagination: Pagination): Pagination {
  const { decodeItem, getKey, isRepresentable, page } = pagination
  if (decodeItem === undefined) return pagination
  return Object.freeze<Pagination>({
    ...pagination,
    getKey: getKey && ((item) => getKey(decodeItem(item))),
    isRepresentable: (item) => isRepresentable(decodeItem(item)),
    page: async (input, items, link) => {
      const { body, headers } = await page(input, items.map(decodeItem), link)
      return { body: encodeBody(response.content, body), headers }
    },
  })
}

/** Whether anything of an endpoint is encoded. */
function hasEncoder({ body, responses, errors, params, query, headers, cookies, parameterGroups }: AnyEndpoint): boolean {
  const contents = [body, ...[...responses, ...errors].map(({ content }) => content)]
  const schemas = [
    ...contents.map((content) => content?.schema),
    ...Object.values(parameterGroups).flatMap((groups) => groups.map(({ schema }) => schema)),
  ]
  const parameters = [params, query, headers, cookies].flatMap((part) => Object.values<AnyParameter>(part))
  return (
    schemas.some((schema) => schema !== undefined && getEncoder(schema) !== undefined) ||
    parameters.some((parameter) => toWireParameter(parameter) !== parameter)
  )
}

/** Returns the endpoint with schemas that encode nothing, and with examples that are encoded; the same one where nothing is to be encoded. */
export function toWireEndpoint(endpoint: AnyEndpoint): AnyEndpoint {
  if (!hasEncoder(endpoint)) return endpoint
  const { body, responses, errors, examples, params, query, headers, cookies, parameterGroups, pagination } = endpoint
  const encodeExample = (example: NamedExample<unknown, unknown>): NamedExample<unknown, unknown> => ({
    ...example,
    ...(example.body !== undefined && { body: encodeBody(body, example.body) }),
    ...(example.response !== undefined && { response: encodeResult(endpoint, example.response) }),
  })
  const encoded = isUnnamed(examples)
    ? encodeExample(examples as NamedExample<unknown, unknown>)
    : Object.fromEntries(
        Object.entries(examples).map(([name, example]) => [name, encodeExample(example as NamedExample<unknown, unknown>)]),
      )
  const wireResponses = Object.freeze(responses.map(toWireReply))
  return Object.freeze({
    ...endpoint,
    params: toWireParameters(params),
    query: toWireParameters(query),
    headers: toWireParameters(headers),
    cookies: toWireParameters(cookies),
    parameterGroups: toWireGroups(parameterGroups),
    body: toWireContent(body),
    response: wireResponses[0] as AnyReply,
    responses: wireResponses,
    errors: Object.freeze(errors.map(toWireReply)),
    examples: encoded as Examples<unknown, unknown>,
    pagination: pagination && toWirePagination(endpoint, pagination),
  })
}

/** Returns the API with the wire endpoints of its own. */
export const toWireApi = (api: Api): Api =>
  Object.fromEntries(
    Object.entries(api).map(([name, part]) => {
      if (isWebhook(part)) return [name, part]
      if (!isOperation(part)) return [name, toWireApi(part)]
      return [name, isMount(part) ? part : toWireEndpoint(part)]
    }),
  )
