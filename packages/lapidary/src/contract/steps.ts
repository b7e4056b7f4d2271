/**
 * The steps of a request before its handler runs, in order: which endpoints have each step, and with which status it fails. The server
 * compiles endpoints by them, and documentation lists them.
 */
import { formatByteSize } from '../http/limits.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { formatScopeChallenge, getCredentialPlace, listAuthSchemes, listChallenges, listScopeRequirements } from './auth/alternatives.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { getEssences, isNegotiated } from './media/content.ts'
import type { AnyReply } from './reply.ts'

/** After how many seconds a client may try again when an endpoint has taken longer than its `timeout`. */
export const retryAfterTimeout = '1'

/** One step. */
export interface RequestStep {
  /** Whether a request to this endpoint has the step. */
  readonly appliesTo: (endpoint: AnyEndpoint) => boolean
  /** The status of the response where the step fails. */
  readonly status: number
  /** When the step fails, for documentation. */
  readonly description: (endpoint: AnyEndpoint) => string
  /** The header of that response, with its possible values; where there are several headers, a response has one of them. */
  readonly headers: (endpoint: AnyEndpoint) => Readonly<Record<string, readonly string[]>>
}

const getNoHeaders = (): Readonly<Record<string, readonly string[]>> => ({})
const appliesToAll = (): boolean => true
const isIdempotent = ({ idempotent }: AnyEndpoint): boolean => idempotent !== undefined
const hasRequestBody = ({ body }: AnyEndpoint): boolean => body !== undefined

/** Methods whose responses a cache may keep. */
const cacheableMethods = new Set(['GET', 'QUERY'])

/** Headers of which caches know by themselves what they mean for a kept response (RFC 9111 §3.5, §4.3): conditions and ranges. */
const knownToCaches = new Set([
  'authorization',
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
])

/**
 * The request headers that every response of an endpoint depends on, errors too, and which `Vary` names: those that it declares, cookies, and
 * those with the keys of its auth schemes. A shared cache would give the response of one client to another.
 */
export function listInputHeaders({ method, headers, cookies, auth }: AnyEndpoint): readonly string[] {
  if (!cacheableMethods.has(method)) return []
  const places = listAuthSchemes(auth).flatMap(({ openapi }) => getCredentialPlace(openapi) ?? [])
  const keys = places.filter((place) => place.in === 'header').map(({ name }) => name)
  const hasCookies = Object.keys(cookies).length > 0 || places.some((place) => place.in === 'cookie')
  const names = [...Object.keys(headers), ...keys, ...(hasCookies ? ['Cookie'] : [])]
  const isFirst = (name: string, index: number): boolean => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === index
  return names.filter((name, index) => !knownToCaches.has(name.toLowerCase()) && isFirst(name, index))
}

/** The steps, by name. */
export const requestSteps: Readonly<
  Record<
    'credentials' | 'scopes' | 'negotiation' | 'contentType' | 'reading' | 'size' | 'keyInUse' | 'keyReused' | 'handler' | 'time',
    RequestStep
  >
> = Object.freeze({
  credentials: {
    appliesTo: ({ auth }) => auth !== undefined,
    status: 401,
    description: documentationTexts.unauthorizedText,
    headers: ({ auth = [] }) => ({ 'WWW-Authenticate': listChallenges(auth) }),
  },
  scopes: {
    appliesTo: ({ auth }) => listScopeRequirements(auth).length > 0,
    status: 403,
    description: documentationTexts.forbiddenText,
    headers: ({ auth }) => ({ 'WWW-Authenticate': listScopeRequirements(auth).map(formatScopeChallenge) }),
  },
  negotiation: {
    appliesTo: ({ response }) => response.content !== undefined,
    status: 406,
    description: documentationTexts.notAcceptableText,
    headers: (endpoint) => ({ Vary: [['Accept', ...listInputHeaders(endpoint)].join(', ')] }),
  },
  contentType: {
    appliesTo: hasRequestBody,
    status: 415,
    description: documentationTexts.unsupportedMediaTypeText,
    headers: ({ body }) => ({ Accept: body === undefined ? [] : [getEssences(body).join(', ')], 'Accept-Encoding': ['identity'] }),
  },
  // The path and the query of every request must be percent-encoded UTF-8, declared or not.
  reading: { appliesTo: appliesToAll, status: 400, description: documentationTexts.badRequestText, headers: getNoHeaders },
  size: {
    appliesTo: hasRequestBody,
    status: 413,
    description: ({ maxBodySize }) =>
      documentationTexts.contentTooLargeText(maxBodySize === undefined ? undefined : formatByteSize(maxBodySize)),
    headers: getNoHeaders,
  },
  keyInUse: {
    appliesTo: isIdempotent,
    status: 409,
    description: documentationTexts.keyInUseText,
    headers: () => ({ 'Retry-After': ['1'] }),
  },
  keyReused: { appliesTo: isIdempotent, status: 422, description: documentationTexts.keyReusedText, headers: getNoHeaders },
  handler: { appliesTo: appliesToAll, status: 500, description: documentationTexts.internalErrorText, headers: getNoHeaders },
  time: {
    appliesTo: ({ timeout }) => timeout !== undefined,
    status: 503,
    description: ({ timeout }) => documentationTexts.tooLateText(timeout),
    headers: () => ({ 'Retry-After': [retryAfterTimeout] }),
  },
})

/** The errors that the toolkit sends in place of a handler's response, by ascending status. All of them are problem details. */
export const getBuiltInErrors = (endpoint: AnyEndpoint): readonly RequestStep[] =>
  Object.values(requestSteps)
    .filter((step) => step.appliesTo(endpoint))
    .toSorted((one, other) => one.status - other.status)

/** The request headers that a response of success depends on, which it names in `Vary`. */
export const listVaryNames = (endpoint: AnyEndpoint, { content }: AnyReply): readonly string[] => [
  ...(content !== undefined && isNegotiated(content) ? ['Accept'] : []),
  ...listInputHeaders(endpoint),
]
