/** `lines(User)`: a stream of JSON values, one a line (newline-delimited JSON). */
import { jsonWriter } from './jsonWriter.ts'
import type { Items } from './list.ts'
import { type Content, type MediumDefinition, medium } from './medium.ts'
import type { Schema } from './schema.ts'
import { jsonLines } from './stream.ts'

const newlines: MediumDefinition<Items<unknown>> = medium<Items<unknown>>({
  types: ['application/x-ndjson', 'application/json;charset=utf-8'],
  writer: (schema = {}) => {
    const write = jsonWriter(schema)
    return (items) => jsonLines(items, write)
  },
})

/** A stream of what `item` describes. Each line leaves when its item is there; a producer that fails cuts the connection. */
export const lines = <Input, Output>(item: Schema<Input, Output>): Content<Items<Input>, AsyncIterable<Output>> =>
  Object.freeze({ schema: item, media: Object.freeze([newlines]) })
