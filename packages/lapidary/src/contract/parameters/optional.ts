/** `optional`: a parameter, or credentials, that can be left out. */

import * as developerErrors from '../../messages/developerErrors.ts'
import { isAuth, isAuthOptional, listAlternatives } from '../auth/alternatives.ts'
import { type Auth, createCombinedAuth } from '../auth/authScheme.ts'
import { getDocumentation, type Parameter, type ParameterOptions } from './parameter.ts'

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
export function optional<T, Written>(
  parameter: Parameter<T, Written>,
  options?: ParameterOptions<NoInfer<Written>>,
): Parameter<T | undefined, Written | undefined>
/**
 * Credentials that a request can leave out: then `user` is undefined. Wrong ones are still answered 401.
 *
 * @throws TypeError for credentials that are optional already.
 * @example
 * ```ts
 * import { basic, endpoint, ok, optional, text } from 'lapidary'
 *
 * const staff = basic<{ readonly name: string }>('staff')
 * const page = endpoint('GET /page', { auth: optional(staff), response: ok(text) })
 * ```
 */
export function optional<User>(auth: Auth<User>): Auth<User | undefined>
export function optional<T, Written>(
  word: Parameter<T, Written> | Auth<unknown>,
  options: ParameterOptions<Written> = {},
): Parameter<T | undefined, Written | undefined> | Auth<unknown> {
  return isAuth(word) ? createOptionalAuth(word) : createOptionalParameter(word as Parameter<T, Written>, options)
}

function createOptionalAuth(auth: Auth<unknown>): Auth<unknown> {
  const alternatives = listAlternatives(auth)
  if (isAuthOptional(alternatives)) throw new TypeError(developerErrors.optionalAuthInside('optional'))
  return createCombinedAuth([...alternatives, []])
}

function createOptionalParameter<T, Written>(
  parameter: Parameter<T, Written>,
  options: ParameterOptions<Written>,
): Parameter<T | undefined, Written | undefined> {
  const { name, repeats, jsonSchema, required } = parameter
  // Member by member: with the `parse` of a codec it could be a capture, which is never absent.
  return Object.freeze({
    ...getDocumentation(parameter, options),
    name,
    repeats,
    jsonSchema,
    required: false,
    // A codec with a default keeps it.
    read: (input) => (input.values.length === 0 && (required || jsonSchema.default === undefined) ? undefined : parameter.read(input)),
    write: (value) => (value === undefined ? [] : parameter.write(value)),
  } satisfies Parameter<T | undefined, Written | undefined>)
}
