/** `lines(User)`: a stream of JSON values, one a line (newline-delimited JSON). */

import * as documentation from './documentation.ts'
import { jsonRead } from './jsonText.ts'
import { jsonWriter } from './jsonWriter.ts'
import type { Items } from './list.ts'
import { essenceOf } from './mediaType.ts'
import { type Content, type MediumDefinition, medium } from './medium.ts'
import { checkSchema, type Schema } from './schema.ts'
import { jsonLines, linesOf } from './stream.ts'

async function* linesRead(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  for await (const line of linesOf(pieces)) yield jsonRead(line)
}

const newlines = (aliases: readonly string[]): MediumDefinition<Items<unknown>> =>
  medium<Items<unknown>>({
    types: ['application/x-ndjson', ...aliases, 'application/jsonl'],
    aliases,
    framing: documentation.lines(aliases.map(essenceOf)),
    writer: (schema = {}) => {
      const write = jsonWriter(schema)
      return (items) => jsonLines(items, write)
    },
    streamReader: () => linesRead,
  })

const usual = newlines([])

/** What may be said of a stream of lines. */
export interface LinesOptions {
  /**
   * Further media types under which the same lines are sent to clients that ask for them, and read: `['application/json']` for old clients that
   * take such a body for lines. The preferred one first; all of them behind `application/x-ndjson`. No parser of JSON reads such a body, so OpenAPI
   * has them in words alone. Default: none.
   */
  readonly aliases?: readonly string[]
}

/**
 * A stream of what `item` describes, as newline-delimited JSON: `application/x-ndjson`, or `application/jsonl` where a client asks for that. Each line
 * leaves when its item is there; a producer that fails cuts the connection.
 */
export const lines = <Input, Output>(
  item: Schema<Input, Output>,
  { aliases = [] }: LinesOptions = {},
): Content<Items<Input>, AsyncIterable<Output>> => {
  checkSchema(item)
  return Object.freeze({ schema: item, media: Object.freeze([aliases.length === 0 ? usual : newlines(Object.freeze([...aliases]))]) })
}
