/** `ndjson(User)`: a stream of JSON values, one a line (newline-delimited JSON). */

import { splitLines, writeJsonLines } from '../../http/chunks.ts'
import { getEssence } from '../../http/mediaTypeParser.ts'
import { parseJsonBytes } from '../../json-schema/jsonText.ts'
import { assertSchema, type Schema } from '../../json-schema/standardSchema.ts'
import { createWriter } from '../../json-schema/writer.ts'
import * as documentationTexts from '../../messages/documentationTexts.ts'
import type { Items } from '../list.ts'
import { type Content, type MediaTypeDefinition, mediaType } from './mediaType.ts'

async function* readJsonLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  for await (const line of splitLines(pieces)) yield parseJsonBytes(line)
}

const createNdjson = (aliases: readonly string[]): MediaTypeDefinition<Items<unknown>> =>
  mediaType<Items<unknown>>({
    types: ['application/x-ndjson', ...aliases, 'application/jsonl'],
    aliases,
    framing: documentationTexts.ndjsonText(aliases.map(getEssence)),
    writer: (schema = {}) => {
      const write = createWriter(schema)
      return (items) => writeJsonLines(items, write)
    },
    streamReader: () => readJsonLines,
  })

const defaultNdjson = createNdjson([])

/** What may be said of a stream of lines. */
export interface NdjsonOptions {
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
export const ndjson = <Input, Output>(
  item: Schema<Input, Output>,
  { aliases = [] }: NdjsonOptions = {},
): Content<Items<Input>, AsyncIterable<Output>> => {
  assertSchema(item)
  return Object.freeze({
    schema: item,
    media: Object.freeze([aliases.length === 0 ? defaultNdjson : createNdjson(Object.freeze([...aliases]))]),
  })
}
