/** `optional`: a parameter, credentials or a body that can be left out. */
import { checkOptions } from '../http/functions.ts'
import * as authErrors from '../messages/authErrors.ts'
import { isAuth, isAuthOptional, listAlternatives } from './auth/alternatives.ts'
import { type Auth, createCombinedAuth, type InvalidCredentials } from './auth/authScheme.ts'
import { type Body, createOptionalBody } from './media/content.ts'
import type { MediaType, OptionalBody } from './media/mediaType.ts'
import { type Codec, createOptionalParameter, type Parameter, type ParameterOptions } from './parameters/parameter.ts'

/** `optional(text)`: a parameter, and a body. */
export interface OptionalText extends Parameter<string | undefined>, OptionalBody<string, string> {}

/** Options of optional credentials. */
export interface OptionalAuthOptions {
  /**
   * What becomes of a request with wrong credentials. `'reject'`: it gets 401. `'ignore'`: wrong credentials count as none, such as an
   * expired cookie that a page cannot delete; the server then tries the next alternative of `either`. Valid credentials without the scopes
   * that the endpoint needs get 403 in both cases.
   *
   * @default 'reject'
   */
  readonly invalid?: InvalidCredentials
}

/**
 * The value of a parameter, or undefined where the request has none.
 *
 * @example
 * ```ts
 * import { endpoint, int, noContent, optional } from 'lapidary'
 *
 * const list = endpoint('GET /users', { query: { limit: optional(int) }, response: noContent })
 * ```
 */
export function optional(text: Codec<string> & MediaType<string>, options?: ParameterOptions<string>): OptionalText
export function optional<T, Written>(
  parameter: Parameter<T, Written>,
  options?: ParameterOptions<NoInfer<Written>>,
): Parameter<T | undefined, Written | undefined>
/**
 * Credentials that a request can leave out: then `user` is undefined. Wrong credentials still get 401, unless `invalid` is `'ignore'`.
 *
 * @throws TypeError for credentials that are optional already.
 * @example
 * ```ts
 * import { apiKey, endpoint, ok, optional, text } from 'lapidary'
 *
 * const session = apiKey<{ readonly name: string }>({ in: 'cookie', name: 'session' })
 * const greeting = endpoint('GET /greeting', { auth: optional(session), response: ok(text) })
 * const page = endpoint('GET /page', { auth: optional(session, { invalid: 'ignore' }), response: ok(text) })
 * ```
 */
export function optional<User>(auth: Auth<User>, options?: OptionalAuthOptions): Auth<User | undefined>
/**
 * A body that a request can leave out: then a handler gets `undefined`. An empty body with a Content-Type also counts as left out, if its
 * media type has no empty value. JSON has no empty value. A text, bytes and a form can be empty.
 *
 * @throws TypeError for a stream, and for a form with files.
 * @example
 * ```ts
 * import { endpoint, noContent, optional } from 'lapidary'
 * import { z } from 'zod'
 *
 * const cancel = endpoint('POST /cancel', { body: optional(z.object({ reason: z.string() })), response: noContent })
 * ```
 */
export function optional<Input, Output>(body: Body<Input, Output>): OptionalBody<Input, Output>
export function optional<T, Written>(
  word: Parameter<T, Written> | Auth<unknown> | Body<unknown, unknown>,
  options: ParameterOptions<Written> | OptionalAuthOptions = {},
): Parameter<T | undefined, Written | undefined> | Auth<unknown> | OptionalBody<unknown, unknown> {
  if (isAuth(word)) return createOptionalAuth(word, options as OptionalAuthOptions)
  const isBody = Object(word).media !== undefined || Object(word)['~standard'] !== undefined
  if (!isBody) return createOptionalParameter(word as Parameter<T, Written>, options as ParameterOptions<Written>)
  const body = createOptionalBody(word as Body<unknown, unknown>)
  return 'read' in word ? Object.freeze({ ...createOptionalParameter(word, options as ParameterOptions<Written>), ...body }) : body
}

function createOptionalAuth(auth: Auth<unknown>, options: OptionalAuthOptions): Auth<unknown> {
  checkOptions('optional()', options, 'invalid')
  const { invalid = 'reject' } = options
  if (invalid !== 'reject' && invalid !== 'ignore') throw new TypeError(authErrors.wrongInvalidOption(invalid))
  const alternatives = listAlternatives(auth)
  if (isAuthOptional(alternatives)) throw new TypeError(authErrors.optionalAuthInside('optional'))
  return createCombinedAuth([...alternatives, []], invalid)
}
