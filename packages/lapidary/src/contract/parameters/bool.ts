/** `bool`: truth values in text. */
import * as expectation from '../../messages/expectations.ts'
import { type CodecDefinition, createCallableCodec, createCodecDefinition, type SimpleCodec } from './parameter.ts'

const createBoolDefinition = (): CodecDefinition<boolean> =>
  createCodecDefinition(
    (text) => (text === 'true' ? true : text === 'false' ? false : text),
    (value): value is boolean => typeof value === 'boolean',
    expectation.boolean(),
    { name: 'boolean', schema: { type: 'boolean' }, example: true },
  )

/**
 * A boolean, written `true` or `false` and in no other way.
 *
 * @example
 * ```ts
 * import { bool, endpoint, noContent, optional } from 'lapidary'
 *
 * const list = endpoint('GET /users', { query: { active: optional(bool), all: bool({ default: false }) }, response: noContent })
 * ```
 */
export const bool: SimpleCodec<boolean> = /* @__PURE__ */ createCallableCodec(createBoolDefinition)
