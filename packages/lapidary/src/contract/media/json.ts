/** `json`: JSON bodies (RFC 8259). */

import { anySchema } from '../../json-schema/jsonSchema.ts'
import { parseJsonBytes } from '../../json-schema/jsonText.ts'
import { parseSchema } from '../../json-schema/schemaNode.ts'
import { createWriter } from '../../json-schema/writer.ts'
import { claimStream, isIterable, writeJsonArray } from './itemStreams.ts'
import { type MediaType, mediaType } from './mediaType.ts'

/** Makes a media type whose values are JSON, such as `application/problem+json`. */
export const createJsonMediaType = (...types: readonly [string, ...string[]]): MediaType<unknown> =>
  mediaType<unknown>({
    types,
    isAtomic: true,
    reader: () => parseJsonBytes,
    writer: (schema = anySchema, createJsonWriter = createWriter) => {
      const write = createJsonWriter(schema)
      const { type, items } = parseSchema(schema).schema
      if (type !== 'array') return write
      const writeItem = createJsonWriter(typeof items === 'object' ? items : anySchema, schema)
      return (value) => (isIterable(value) ? writeJsonArray(claimStream(value), writeItem) : write(value))
    },
  })

/**
 * `application/json`. With a schema, only declared members are sent. Without a schema, the body is any JSON value.
 *
 * @example
 * ```ts
 * import { endpoint, json, ok } from 'lapidary'
 *
 * const settings = endpoint('GET /settings', { response: ok(json) })
 * ```
 */
export const json: MediaType<unknown> = /* @__PURE__ */ createJsonMediaType('application/json;charset=utf-8', 'application/json')
