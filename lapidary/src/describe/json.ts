/** JSON (RFC 8259) as a medium. */
import { resolved } from './jsonSchema.ts'
import { jsonRead } from './jsonText.ts'
import { jsonWriter } from './jsonWriter.ts'
import { type Medium, medium } from './medium.ts'
import { isWalked, jsonArray } from './stream.ts'

/** `application/json`. Alone it is any JSON value at all; with a schema, only declared members leave. */
export const json: Medium<unknown> = medium<unknown>({
  types: ['application/json;charset=utf-8', 'application/json'],
  isWhole: true,
  reader: () => jsonRead,
  writer: (schema = {}) => {
    const write = jsonWriter(schema)
    const { type, items } = resolved(schema, schema)
    if (type !== 'array') return write
    const writeItem = jsonWriter(typeof items === 'object' ? items : {}, schema)
    return (value) => (isWalked(value) ? jsonArray(value, writeItem) : write(value))
  },
})
