/** JSON (RFC 8259) as a medium. */
import { isIterable, writeJsonArray } from '../../http/chunks.js'
import { resolveSchema } from '../../json-schema/jsonSchema.js'
import { parseJsonBytes } from '../../json-schema/jsonText.js'
import { createWriter } from '../../json-schema/writer.js'
import { mediaType } from './mediaType.js'
/** `application/json`. Alone it is any JSON value at all; with a schema, only declared members leave. */
export const json = mediaType({
  types: ['application/json;charset=utf-8', 'application/json'],
  isAtomic: true,
  reader: () => parseJsonBytes,
  writer: (schema = {}) => {
    const write = createWriter(schema)
    const { type, items } = resolveSchema(schema, schema)
    if (type !== 'array') return write
    const writeItem = createWriter(typeof items === 'object' ? items : {}, schema)
    return (value) => (isIterable(value) ? writeJsonArray(value, writeItem) : write(value))
  },
})
