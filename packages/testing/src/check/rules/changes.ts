/** Rules about requests that create, replace and delete. */
import type { Schema } from 'lapidary'
import { getJsonSchema, isSameJson, isSameSchema } from 'lapidary/internal'
import type { Call, Captures } from '../../generate/calls.ts'
import { isCreator } from '../endpointIndex.ts'
import type { WireResponse } from '../exchange.ts'
import { canReachHandler, type EndpointUnderTest, type Probe, type ProbeContext, type ProbeTarget, type ResolvedUrl } from '../rule.ts'
import { readSentValue } from './responseBody.ts'

/** The number of calls for each rule. */
const callsPerChange = 3

const isSuccessResponse = ({ status }: WireResponse): boolean => status >= 200 && status < 300

/** Whether the body of one endpoint has the schema of the response of another. */
function hasSameSchema({ endpoint: { body } }: EndpointUnderTest, { endpoint: { response } }: EndpointUnderTest): boolean {
  const [sent, received] = [body?.schema, response.content?.schema]
  return sent !== undefined && received !== undefined && isSameSchema(getJsonSchema(sent), getJsonSchema(received))
}

/** Returns a call with the current representation as its body, if the endpoint accepts it. */
export async function withCurrentBody(
  call: Call,
  subject: EndpointUnderTest,
  get: EndpointUnderTest,
  current: WireResponse,
): Promise<Call> {
  const value = hasSameSchema(subject, get) ? await readSentValue(get.endpoint.response, current) : undefined
  return value === undefined || call.body === undefined ? call : { ...call, body: { ...call.body, value } }
}

/** Returns the headers of a call with empty conditions. */
const withoutConditionTexts = (headers: Call['headers']): Call['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, texts]) => [name, /^if-/i.test(name) ? [] : texts]))

/** Samples a call of `subject` with these captures. */
const sampleCallWith = ({ sampleCalls }: ProbeContext, subject: EndpointUnderTest, captures: Captures): Call | undefined => {
  const [call] = sampleCalls(1, subject)
  return call && { ...call, captures: { ...call.captures, ...captures } }
}

/** Fetches the current representation with a GET. Generated conditions are left out, because their tags belong to no representation. */
async function fetchCurrent(context: ProbeContext, get: EndpointUnderTest, captures: Captures): Promise<WireResponse | undefined> {
  const call = sampleCallWith(context, get, captures)
  return call && context.send(await context.buildRequest({ ...call, headers: withoutConditionTexts(call.headers) }, get), 'valid', get)
}

/** Returns a call with the tag of the current representation in If-Match, if the endpoint has that header. */
function withIfMatch(call: Call, current: WireResponse): Call {
  const tag = current.header('etag')
  if (tag === undefined || !Object.keys(call.headers).includes('If-Match')) return call
  return { ...call, headers: { ...withoutConditionTexts(call.headers), 'If-Match': [tag] } }
}

/** The values that a schema makes of one; none where it refuses it. */
async function parseValue(schema: Schema, value: unknown): Promise<readonly unknown[]> {
  const result = await schema['~standard'].validate(value)
  return result.issues === undefined ? [result.value] : []
}

/**
 * Whether a value that was received is the one that was sent, as it was sent or as a schema parses it: a server may keep the text of a Date,
 * or what its handler gets.
 */
async function isStored(sent: unknown, received: unknown, body: Schema, response: Schema): Promise<boolean> {
  const kept = [sent, ...(await parseValue(body, sent))]
  if (kept.some((value) => isSameJson(value, received))) return true
  const read = await parseValue(response, received)
  const readOfKept = (await Promise.all(kept.map((value) => parseValue(response, value)))).flat()
  return readOfKept.some((value) => read.some((other) => isSameJson(value, other)))
}

/** Checks that the server has stored the body of a call. */
async function checkStoredValue(context: ProbeContext, call: Call, get: EndpointUnderTest, current: WireResponse): Promise<void> {
  const { response } = get.endpoint
  const [sentSchema, receivedSchema] = [context.subject.endpoint.body?.schema, response.content?.schema]
  if (call.body === undefined || sentSchema === undefined || receivedSchema === undefined) return
  if (!hasSameSchema(context.subject, get) || current.status !== response.status) return
  const value = await readSentValue(response, current)
  if (value === undefined || (await isStored(call.body.value, value, sentSchema, receivedSchema))) return
  context.fail(`the server did not store what was sent: ${JSON.stringify(call.body.value)} became ${JSON.stringify(value)}`)
}

/** Creates a resource, and resolves its Location. */
async function createResource(context: ProbeContext, creator: EndpointUnderTest): Promise<ResolvedUrl | undefined> {
  for (const call of context.sampleCalls(callsPerChange, creator)) {
    const response = await context.send(await context.buildRequest(call, creator), 'valid', creator)
    const location = response.header('location')
    const resolved = isSuccessResponse(response) && location !== undefined ? context.resolveUrl(location) : undefined
    if (resolved !== undefined) return resolved
  }
  return undefined
}

/** Checks a Location outside of the description: something else may be there. */
async function checkForeignLocation({ send, fail }: ProbeContext, location: string): Promise<void> {
  if (location === '') fail('expected a Location, which is the path of the new resource, got none')
  if (!location.startsWith('/')) return
  const { status } = await send({ method: 'GET', target: location, headers: [], body: undefined }, 'other')
  if (status === 404 || status === 405) fail(`Location is ${location}, and GET of it gets ${status}`)
}

export const locationRule: Probe = {
  name: 'location',
  description: 'A new resource is at its Location, and has the value that was sent.',
  appliesTo: (context) => canReachHandler(context) && isCreator(context.subject.endpoint),
  probe: async (context) => {
    const { sampleCalls, send, buildRequest, resolveUrl, fail, subject } = context
    for (const call of sampleCalls(callsPerChange)) {
      const response = await send(await buildRequest(call), 'valid')
      if (response.status !== subject.endpoint.response.status) continue
      const location = response.header('location') ?? ''
      const resolved = resolveUrl(location)
      if (resolved === undefined) await checkForeignLocation(context, location)
      const current = resolved && (await fetchCurrent(context, resolved.subject, resolved.captures))
      if (resolved === undefined || current === undefined) continue
      if (!isSuccessResponse(current)) fail(`Location is ${location}, and GET of it gets ${current.status}`)
      await checkStoredValue(context, call, resolved.subject, current)
    }
  },
}

/** Finds the GET at the same path. */
const findGet = ({ siblings }: Pick<ProbeTarget, 'siblings'>): EndpointUnderTest | undefined => siblings.get('GET')

/** Finds a resource: a new one if the API can create it, else one that a response has linked to. */
async function findExisting(context: ProbeContext, get: EndpointUnderTest): Promise<Captures | undefined> {
  for (const creator of context.findCreators(get)) {
    const created = await createResource(context, creator)
    if (created?.subject.name === get.name) return created.captures
  }
  return context.listKnownCaptures(get)[0]
}

export const putRule: Probe = {
  name: 'put',
  description: 'PUT stores its body, and the same PUT again changes nothing (RFC 9110 §9.2.2).',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.method === 'PUT' && findGet(context) !== undefined,
  probe: async (context) => {
    const { subject, sampleCalls, send, buildRequest, fail } = context
    const get = findGet(context) as EndpointUnderTest
    const captures = await findExisting(context, get)
    if (captures === undefined) return
    const put = async (call: Call, current: WireResponse): Promise<WireResponse> =>
      send(await buildRequest(withIfMatch(call, current)), 'valid')
    for (const sampled of sampleCalls(callsPerChange)) {
      const before = await fetchCurrent(context, get, captures)
      if (before === undefined || !isSuccessResponse(before)) return
      const generated: Call = { ...sampled, captures: { ...sampled.captures, ...captures } }
      const attempt = await put(generated, before)
      // The body may have to repeat parts of the path, which the description does not say. The current representation does.
      const call = isSuccessResponse(attempt) ? generated : await withCurrentBody(generated, subject, get, before)
      const first = isSuccessResponse(attempt) ? attempt : await put(call, before)
      if (!isSuccessResponse(first)) continue
      const after = await fetchCurrent(context, get, captures)
      if (after === undefined) return
      if (!isSuccessResponse(after)) fail(`PUT got ${first.status}, and GET then gets ${after.status}`)
      await checkStoredValue(context, call, get, after)
      const second = await put(call, after)
      if (!isSuccessResponse(second)) fail(`the first PUT got ${first.status}, the same PUT again gets ${second.status}`)
      const again = await fetchCurrent(context, get, captures)
      if (again !== undefined && Buffer.compare(after.body, again.body) !== 0) fail('the same PUT again has changed the resource')
    }
  },
}

export const deleteRule: Probe = {
  name: 'delete',
  description: 'A deleted resource is gone: GET gets 404, and a second DELETE gets 404 or the status of the first.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.method === 'DELETE' && findGet(context) !== undefined,
  probe: async (context) => {
    const { subject, send, buildRequest, fail } = context
    const get = findGet(context) as EndpointUnderTest
    const captures = await findExisting(context, get)
    const call = captures && sampleCallWith(context, subject, captures)
    const before = captures && (await fetchCurrent(context, get, captures))
    if (captures === undefined || call === undefined || before === undefined || !isSuccessResponse(before)) return
    const first = await send(await buildRequest(withIfMatch(call, before)), 'valid')
    if (!isSuccessResponse(first)) fail(`GET got ${before.status}, and DELETE then gets ${first.status}`)
    const after = await fetchCurrent(context, get, captures)
    if (after !== undefined && after.status !== 404 && after.status !== 410)
      fail(`DELETE got ${first.status}, and GET then gets ${after.status}`)
    const second = await send(await buildRequest(withIfMatch(call, before)), 'valid')
    if (![404, 410, 412, first.status].includes(second.status))
      fail(`the first DELETE got ${first.status}, the second gets ${second.status}`)
  },
}
