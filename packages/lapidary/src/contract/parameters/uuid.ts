/** `uuid`: UUIDs in text (RFC 9562 §4). */
import * as expectation from '../../messages/expectations.ts'
import { type CodecDefinition, createCallableCodec, createCodecDefinition, returnText, type SimpleCodec } from './parameter.ts'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const createUuidDefinition = (): CodecDefinition<string> =>
  createCodecDefinition(returnText, (text): text is string => typeof text === 'string' && uuidPattern.test(text), expectation.uuidText(), {
    name: 'uuid',
    schema: { type: 'string', format: 'uuid' },
    example: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  })

/**
 * A UUID of any version, in upper or lower case. It is kept as it is written, so compare two of them in one case.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text, uuid } from 'lapidary'
 *
 * const tenant = endpoint('GET /tenants/:id', { params: { id: uuid }, response: ok(text) })
 * ```
 */
export const uuid: SimpleCodec<string> = /* @__PURE__ */ createCallableCodec(createUuidDefinition)
