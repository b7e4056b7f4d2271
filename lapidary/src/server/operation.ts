/** One endpoint with its handler, compiled: everything that can be known before the first request is known here. */
import { captureReader } from '../describe/captureReader.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { notAcceptable } from '../describe/errors.ts'
import { untagged } from '../describe/etag.ts'
import { answer } from '../describe/message.ts'
import { queryReader } from '../describe/queryReader.ts'
import { isWrong, type Reading, type Values } from '../describe/reading.ts'
import { steps } from '../describe/steps.ts'
import { BadInput } from './badInput.ts'
import { type Condition, type Conditions, readingConditions, type TagsOf, tagsOf, writingConditions } from './conditions.ts'
import { type ErrorWriters, errorWriters } from './errorWriters.ts'
import { type Check, guardOf } from './guard.ts'
import { headerReader } from './headerReader.ts'
import type { Incoming, Outgoing } from './kernel.ts'
import { negotiator } from './negotiate.ts'
import { isPromise } from './promise.ts'
import { bodyReader } from './readBody.ts'
import { begun } from './stream.ts'
import { type Writer, writer } from './write.ts'

type Answer = Outgoing | Promise<Outgoing>

/** A compiled endpoint. */
export interface Operation {
  readonly name: string
  readonly endpoint: AnyEndpoint
  /** The captures, converted; or what is wrong with them. */
  readonly captures: (texts: readonly string[]) => Reading
  /** The writers of the declared errors that have bodies, by status. */
  readonly errors: ErrorWriters
  /** The tags of what it answers; undefined where its answers have none. */
  readonly tagsOf: TagsOf | undefined
  readonly run: (incoming: Incoming, params: Values, search: string) => Answer
}

/** What operations share. */
export interface OperationOptions {
  readonly auth: readonly Check[]
  readonly bodyLimit: number
  /** The tags of what is there, of an endpoint that makes changes on condition of them. */
  readonly tagsThere: TagsOf
  /** Told of a stream that failed part-way. */
  readonly report: (error: unknown, incoming: Incoming, route: string) => void
}

type Handle = (input: object, incoming: Incoming) => unknown

/** What a handler gets, but for what the request has as a condition. */
interface Given {
  readonly params: Values
  readonly query: Values
  readonly headers: Values
  readonly body: unknown
  readonly user: unknown
}

/** The same with the precondition, member by member: to spread an object takes an engine several times as long. */
const conditional = ({ params, query, headers, body, user }: Given, { precondition }: Condition): object => ({
  params,
  query,
  headers,
  body,
  user,
  precondition,
})

/** The values that were read. @throws HttpError 400 with everything that is wrong. */
function sound(part: 'query' | 'header', reading: Reading): Values {
  if (isWrong(reading)) throw new BadInput(part, reading)
  return reading
}

/** Compiles the conditions that requests to an endpoint may have; undefined where there are none. */
function conditionsOf(endpoint: AnyEndpoint, reply: Writer, tagsThere: TagsOf): Conditions | undefined {
  if (endpoint.etag === undefined) return undefined
  return endpoint.etag === true ? readingConditions(endpoint, reply) : writingConditions(endpoint, tagsThere)
}

/** Compiles an endpoint. @throws TypeError when it cannot be served as described. */
export function operation(name: string, endpoint: AnyEndpoint, handle: Handle, options: OperationOptions): Operation {
  const { route, etag } = endpoint
  const { auth, bodyLimit, report, tagsThere } = options
  const guard = steps.credentials.has(endpoint) ? guardOf(endpoint, auth) : undefined
  const always = Object.freeze(Object.entries(endpoint.always).flat())
  const reply = writer(route, etag === true ? untagged(endpoint.response) : endpoint.response, always)
  const conditions = conditionsOf(endpoint, reply, tagsThere)
  const negotiate = negotiator(reply.offers)
  const readBody = endpoint.body === undefined ? undefined : bodyReader(endpoint.body)
  const readQuery = queryReader(endpoint.query)
  const readHeaders = headerReader(endpoint.headers)

  const isNegotiated = steps.negotiation.has(endpoint)
  const offerFor = (accept: string | undefined): number => {
    const offer = isNegotiated ? negotiate(accept) : 0
    if (offer >= 0) return offer
    throw notAcceptable({ detail: answer.notAcceptable(reply.offers), headers: { Vary: 'Accept' } })
  }

  const written = (value: unknown, offer: number, incoming: Incoming, condition: Condition | undefined): Answer => {
    const whole = reply.write(value, offer)
    const outgoing = condition === undefined ? whole : condition.answer(whole, offer)
    const { body } = outgoing
    if (body === null || typeof body === 'string' || body instanceof Uint8Array) return outgoing
    return begun(body, reply.isWhole(offer), incoming, (error) => report(error, incoming, route)).then((stream) => ({
      ...outgoing,
      body: stream,
    }))
  }

  const handled = (given: Given, offer: number, incoming: Incoming): Answer => {
    const condition = conditions?.(given.headers)
    const value = handle(condition === undefined ? given : conditional(given, condition), incoming)
    return isPromise(value)
      ? Promise.resolve(value).then((late) => written(late, offer, incoming, condition))
      : written(value, offer, incoming, condition)
  }

  /** The order of failures: 401 (before this), 406, 415, 400 query, 400 headers, 413 or 400 body, 428, then what the handler finds. */
  const admitted = (incoming: Incoming, params: Values, search: string, user: unknown): Answer => {
    const offer = offerFor(incoming.header('accept'))
    const decode = readBody?.(incoming)
    const query = sound('query', readQuery(search))
    const headers = sound('header', readHeaders(incoming))
    if (decode === undefined) return handled({ params, query, headers, body: undefined, user }, offer, incoming)
    return incoming.body(bodyLimit).then((bytes) => {
      const body = decode(bytes)
      return isPromise(body)
        ? Promise.resolve(body).then((late) => handled({ params, query, headers, body: late, user }, offer, incoming))
        : handled({ params, query, headers, body, user }, offer, incoming)
    })
  }

  const run: Operation['run'] = (incoming, params, search) => {
    if (guard === undefined) return admitted(incoming, params, search, undefined)
    const user = guard(incoming)
    return isPromise(user)
      ? Promise.resolve(user).then((late) => admitted(incoming, params, search, late))
      : admitted(incoming, params, search, user)
  }

  return Object.freeze({
    name,
    endpoint,
    tagsOf: etag === true ? tagsOf(route, reply) : undefined,
    captures: captureReader(endpoint.params),
    errors: errorWriters(endpoint, always),
    run,
  })
}
