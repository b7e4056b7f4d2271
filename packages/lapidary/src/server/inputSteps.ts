/**
 * The steps of a request before its handler runs. Each is compiled once for an endpoint, and absent where the endpoint does not have it.
 * `contract/builtInErrors.ts` lists the errors of all of them.
 */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { ParameterValues } from '../contract/parameters/parameter.ts'
import {
  createCookieReader,
  createHeaderReader,
  createQueryReader,
  isReadError,
  noValues,
  type ReadResult,
} from '../contract/parameters/readers.ts'
import { fail } from '../contract/reply.ts'
import { toolkitErrors } from '../http/errors.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { createNegotiator } from '../http/negotiation.ts'
import { type Awaitable, andThen, isPromise } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { AuthenticationListener } from '../middleware/compose.ts'
import { type Authenticator, createUserResolver } from './authenticate.ts'
import { createChangeConditionReader, createGetConditionReader, type RequestCondition } from './conditionalRequests.ts'
import type { EtagsGenerator } from './etags.ts'
import { runGuard, type UntypedGuard } from './guard.ts'
import type { EndpointInput } from './handlerGroups.ts'
import { InvalidInputError } from './invalidInput.ts'
import { type BodyReader, createBodyReaderSelector } from './readBody.ts'
import type { ReplyWriter } from './write.ts'

/** The input of a handler. The steps fill it in. */
interface DecodedInput {
  readonly params: ParameterValues
  query: ParameterValues
  headers: ParameterValues
  cookies: ParameterValues
  body: unknown
  user: unknown
  readonly fail: typeof fail
  /** The bytes of the body, where the endpoint declares `rawBody`. */
  rawBody?: Uint8Array
  /** Of a conditional change. */
  precondition?: RequestCondition['precondition']
}

/** One request, with what its steps have found. */
export interface RequestState {
  readonly request: HttpRequest
  /** The text after the question mark. */
  readonly search: string
  readonly input: DecodedInput
  /** The index of the media type of the usual reply. */
  offer: number
  bodyReader: BodyReader | undefined
  /** What the step before has waited for. */
  received: unknown
  /** The body as it was sent; empty if it was not read as a whole. */
  bytes: Uint8Array
  condition: RequestCondition | undefined
  /** What guards add to the input of the handler. */
  added: object | undefined
}

/**
 * A compiled step: it reads a part of the request, and throws where the request fails. It makes a promise only if it waits; the next step
 * finds in `received` what that resolves to.
 */
export type Step = (state: RequestState) => Awaitable<void> | Promise<unknown>

const noBytes: Uint8Array = new Uint8Array()

/** Begins a request. All states have one shape, which engines compile for. */
export const createRequestState = (request: HttpRequest, params: ParameterValues, search: string): RequestState => ({
  request,
  search,
  input: { params, query: noValues, headers: noValues, cookies: noValues, body: undefined, user: undefined, fail },
  offer: 0,
  bodyReader: undefined,
  received: undefined,
  bytes: noBytes,
  condition: undefined,
  added: undefined,
})

/** 413 of a body whose bytes an authenticator verifies. */
export function compileRawBody({ route, rawBody }: AnyEndpoint, maxBodySize: number): Step | undefined {
  if (rawBody !== true) return undefined
  return ({ request, input }) => {
    // A signature of other bytes would be wrong, and its sender would get 401.
    if (request.isBodyParsed) throw new TypeError(developerErrors.rawBodyParsed(route))
    return request.body(maxBodySize).then((bytes) => {
      input.rawBody = bytes
    })
  }
}

/** 401, and 403 for missing scopes. */
export function compileCredentials(
  endpoint: AnyEndpoint,
  authenticators: readonly Authenticator[],
  listeners: readonly AuthenticationListener[],
): Step | undefined {
  const resolveUser = createUserResolver(endpoint, authenticators, listeners)
  if (resolveUser === undefined) return undefined
  return ({ request, input }) =>
    andThen(resolveUser(request, input.rawBody), (user) => {
      input.user = user
    })
}

/** What a guard throws, such as 403 and 404. It knows the captures and the user, and what the guards before it have added. */
export const compileGuard =
  (check: UntypedGuard, endpoint: AnyEndpoint): Step =>
  (state) => {
    const { request, input } = state
    const { params, user } = input
    return andThen(runGuard(check, { params, user, endpoint, fail } as EndpointInput, state.added, request), (added) => {
      state.added = added
    })
  }

/** 406. */
export function compileNegotiation(endpoint: AnyEndpoint, { offers }: ReplyWriter): Step | undefined {
  if (endpoint.response.content === undefined) return undefined
  const negotiate = createNegotiator(offers)
  return (state) => {
    const offer = negotiate(state.request.header('accept'))
    if (offer < 0) throw toolkitErrors.notAcceptable({ detail: problemDetail.notAcceptable(offers), headers: { Vary: 'Accept' } })
    state.offer = offer
  }
}

/** 415. */
export function compileContentType({ body }: AnyEndpoint): Step | undefined {
  if (body === undefined) return undefined
  const selectReader = createBodyReaderSelector(body)
  return (state) => {
    state.bodyReader = selectReader(state.request)
  }
}

/** Returns the values. @throws HttpError 400 with everything that is wrong. */
function requireValues(part: 'query' | 'header' | 'cookie', result: ReadResult): ParameterValues {
  if (isReadError(result)) throw new InvalidInputError(part, result)
  return result
}

/** 400 of the query, which must be percent-encoded UTF-8, declared or not. */
export function compileQuery({ query, parameterGroups }: AnyEndpoint): Step {
  const readQuery = createQueryReader(query, parameterGroups.query)
  return ({ search, input }) => {
    input.query = requireValues('query', readQuery(search))
  }
}

/** 400 of a header. */
export function compileHeaders({ headers, parameterGroups }: AnyEndpoint): Step | undefined {
  const readHeaders = createHeaderReader(headers, parameterGroups.headers)
  if (readHeaders === undefined) return undefined
  return ({ request, input }) => {
    input.headers = requireValues('header', readHeaders(request))
  }
}

/** 400 of a cookie. */
export function compileCookies({ cookies, parameterGroups }: AnyEndpoint): Step | undefined {
  const readCookies = createCookieReader(cookies, parameterGroups.cookies)
  if (readCookies === undefined) return undefined
  return ({ request, input }) => {
    input.cookies = requireValues('cookie', readCookies(request))
  }
}

/** 413 of the body. */
export function compileReceiving({ body }: AnyEndpoint, maxBodySize: number): Step | undefined {
  if (body === undefined) return undefined
  return (state) => {
    const { request, input, bodyReader } = state
    // The step of the Content-Type has selected the reader.
    const received = input.rawBody ?? (bodyReader as BodyReader).receive(request, maxBodySize)
    if (isPromise(received)) return received
    state.received = received
    return undefined
  }
}

/** 400 of the body. */
export function compileBody({ body: content }: AnyEndpoint): Step | undefined {
  if (content === undefined) return undefined
  return (state) => {
    const { input, received } = state
    const { decode } = state.bodyReader as BodyReader
    if (decode !== undefined) state.bytes = received as Uint8Array
    return andThen(decode === undefined ? received : decode(state.bytes), (body) => {
      input.body = body
    })
  }
}

/** 428. A GET is evaluated after its handler, a change within it. */
export function compileCondition(endpoint: AnyEndpoint, writer: ReplyWriter, generateCurrentEtags: EtagsGenerator): Step | undefined {
  const { etag } = endpoint
  if (etag === undefined) return undefined
  const readCondition =
    etag === true ? createGetConditionReader(endpoint, writer) : createChangeConditionReader(endpoint, generateCurrentEtags)
  return (state) => {
    const condition = readCondition(state.input.headers)
    state.condition = condition
    state.input.precondition = condition.precondition
  }
}
