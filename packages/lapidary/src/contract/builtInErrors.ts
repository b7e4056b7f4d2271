/** What the toolkit sends by itself, as documents list it: errors, with the endpoints that have each, and headers that vary. */
import { formatByteSize } from '../http/limits.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { formatScopeChallenge, listChallenges, listScopeRequirements } from './auth/challenges.ts'
import { hasConventions } from './conventions.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { getRequestIdReader } from './idempotency.ts'
import { getEssences } from './media/content.ts'
import { text } from './media/text.ts'
import { optional } from './optional.ts'
import { int } from './parameters/int.ts'
import type { AnyParameter } from './parameters/parameter.ts'
import { listInputHeaders } from './vary.ts'

/** After how many seconds a client may try again when an endpoint has taken longer than its `timeout`. */
export const retryAfterTimeout = '1'

/** One error. */
export interface BuiltInError {
  /** Whether this endpoint can have it. */
  readonly appliesTo: (endpoint: AnyEndpoint) => boolean
  readonly status: number
  /** When it is sent, for documentation. */
  readonly description: (endpoint: AnyEndpoint) => string
  /** The header of that response, with its possible values or its codec; where there are several headers, a response has one of them. */
  readonly headers: (endpoint: AnyEndpoint) => Readonly<Record<string, readonly string[] | AnyParameter>>
}

const getNoHeaders = (): Readonly<Record<string, readonly string[]>> => ({})
const appliesToAll = (): boolean => true
/** Whether a second request with the same key or the same id gets the first response. */
const keepsResponses = (endpoint: AnyEndpoint): boolean => endpoint.idempotent !== undefined || getRequestIdReader(endpoint) !== undefined
const hasRequestBody = ({ body }: AnyEndpoint): boolean => body !== undefined

const builtInErrors: Readonly<
  Record<
    'credentials' | 'scopes' | 'negotiation' | 'contentType' | 'reading' | 'size' | 'keyInUse' | 'keyReused' | 'quota' | 'handler' | 'time',
    BuiltInError
  >
> = Object.freeze({
  credentials: {
    appliesTo: ({ auth, invalidCredentials }) => auth !== undefined && invalidCredentials !== 'ignore',
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
    appliesTo: keepsResponses,
    status: 409,
    description: ({ idempotent }) =>
      idempotent === undefined ? documentationTexts.requestIdInUseText() : documentationTexts.keyInUseText(),
    headers: () => ({ 'Retry-After': ['1'] }),
  },
  keyReused: {
    appliesTo: keepsResponses,
    status: 422,
    description: ({ idempotent }) =>
      idempotent === undefined ? documentationTexts.requestIdReusedText() : documentationTexts.keyReusedText(),
    headers: getNoHeaders,
  },
  quota: {
    appliesTo: ({ rateLimit }) => rateLimit.length > 0,
    status: 429,
    description: documentationTexts.tooManyRequestsText,
    headers: () => ({ 'Retry-After': int({ min: 1, description: documentationTexts.retryAfterText() }) }),
  },
  handler: { appliesTo: appliesToAll, status: 500, description: documentationTexts.internalErrorText, headers: getNoHeaders },
  time: {
    appliesTo: ({ timeout }) => Number.isFinite(timeout),
    status: 503,
    description: ({ timeout }) => documentationTexts.tooLateText(timeout),
    headers: () => ({ 'Retry-After': [retryAfterTimeout] }),
  },
})

/**
 * The errors that the toolkit sends in place of a handler's response, by ascending status. All of them are problem details. None of an
 * endpoint without the conventions of the toolkit.
 */
export const getBuiltInErrors = (endpoint: AnyEndpoint): readonly BuiltInError[] =>
  Object.values(builtInErrors)
    .filter((error) => hasConventions(endpoint) && error.appliesTo(endpoint))
    .toSorted((one, other) => one.status - other.status)

/** The headers of all responses of an endpoint that vary: what is left of its quotas. */
export const getVaryingHeaders = ({ rateLimit }: AnyEndpoint): Readonly<Record<string, AnyParameter>> => {
  const [first] = rateLimit
  if (first === undefined) return {}
  const { name, quota, window } = first
  return {
    RateLimit: optional(text({ description: documentationTexts.rateLimitText(), examples: [`"${name}";r=${quota - 1};t=${window}`] })),
  }
}
