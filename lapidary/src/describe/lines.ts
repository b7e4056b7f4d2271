/** `lines(User)`: a stream of JSON values, one a line (newline-delimited JSON). */

import * as documentation from './documentation.ts'
import { jsonParsed } from './jsonText.ts'
import { jsonWriter } from './jsonWriter.ts'
import type { Items } from './list.ts'
import { type Content, type MediumDefinition, medium } from './medium.ts'
import { expectation } from './message.ts'
import { expected } from './refusal.ts'
import type { Schema } from './schema.ts'
import { jsonLines, linesOf } from './stream.ts'
import { utf8Decoded } from './utf8.ts'

async function* linesRead(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  for await (const line of linesOf(pieces)) {
    const text = utf8Decoded(line)
    yield text === undefined ? expected(expectation.utf8()) : jsonParsed(text)
  }
}

const newlines: MediumDefinition<Items<unknown>> = medium<Items<unknown>>({
  types: ['application/x-ndjson', 'application/json;charset=utf-8'],
  framing: documentation.lines(),
  writer: (schema = {}) => {
    const write = jsonWriter(schema)
    return (items) => jsonLines(items, write)
  },
  streamReader: () => linesRead,
})

/** A stream of what `item` describes. Each line leaves when its item is there; a producer that fails cuts the connection. */
export const lines = <Input, Output>(item: Schema<Input, Output>): Content<Items<Input>, AsyncIterable<Output>> =>
  Object.freeze({ schema: item, media: Object.freeze([newlines]) })
