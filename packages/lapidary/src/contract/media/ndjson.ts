/** `ndjson(User)`: a stream of JSON values, one per line (newline-delimited JSON). */
import { getEssence } from '../../http/mediaTypes.ts'
import { noteItemSize } from '../../json-schema/earlyRejection.ts'
import { anySchema } from '../../json-schema/jsonSchema.ts'
import { parseJsonBytes } from '../../json-schema/jsonText.ts'
import { parseError } from '../../json-schema/parseError.ts'
import { assertSchema, type Schema } from '../../json-schema/standardSchema.ts'
import { createWriter } from '../../json-schema/writer.ts'
import * as documentationTexts from '../../messages/documentationTexts.ts'
import * as expectation from '../../messages/expectations.ts'
import { claimStream, type Items, splitLines, writeItems } from './itemStreams.ts'
import { type Content, type MediaTypeDefinition, mediaType } from './mediaType.ts'

/** The longest line of a request in bytes. A line is in memory as a whole, and a body can be larger than the memory. */
const maxLineLength = 1_048_576

async function* readJsonLines(chunks: AsyncIterable<Uint8Array>, isRequest = false): AsyncGenerator<unknown, void, undefined> {
  for await (const line of splitLines(chunks, isRequest ? maxLineLength : undefined))
    yield line === undefined ? parseError(expectation.shortLine(maxLineLength)) : noteItemSize(parseJsonBytes(line), line.length)
}

const createNdjson = (aliases: readonly string[]): MediaTypeDefinition<Items<unknown>> =>
  mediaType<Items<unknown>>({
    types: ['application/x-ndjson', ...aliases, 'application/jsonl'],
    aliases,
    framing: documentationTexts.ndjsonText(aliases.map(getEssence)),
    writer: (schema = anySchema, createJsonWriter = createWriter) => {
      const write = createJsonWriter(schema)
      return (items) => writeItems(claimStream(items), (item) => `${write(item)}\n`)
    },
    streamReader: () => readJsonLines,
  })

const defaultNdjson = createNdjson([])

/** Options of `ndjson`. */
interface NdjsonOptions {
  /**
   * Further media types, the preferred one first, after `application/x-ndjson`: `['application/json']` for old clients that use this media
   * type for lines. The server reads them, and sends them to clients that ask for them. No JSON parser reads such a body, so OpenAPI
   * mentions them in the description only.
   *
   * @default none
   */
  readonly aliases?: readonly string[]
}

/**
 * A stream of values as newline-delimited JSON: `application/x-ndjson`, or `application/jsonl` where the client asks for it. A line is sent
 * as soon as its value is available. A producer that fails aborts the connection.
 *
 * As a request body it is read while it arrives: the handler gets an `AsyncIterable` of validated values. An invalid line leads to a 400
 * that names the line. The error is thrown in the loop of the handler. A line of a request has at most 1,048,576 bytes.
 *
 * @example
 * ```ts
 * import { endpoint, ndjson, ok } from 'lapidary'
 * import { z } from 'zod'
 *
 * const User = z.object({ name: z.string() })
 * const stream = endpoint('GET /users', { response: ok(ndjson(User)) })
 * ```
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
