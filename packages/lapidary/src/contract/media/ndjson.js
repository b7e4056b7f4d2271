/** `ndjson(User)`: a stream of JSON values, one a line (newline-delimited JSON). */
import { splitLines, writeJsonLines } from '../../http/chunks.js'
import { getEssence } from '../../http/mediaTypeParser.js'
import { parseJsonBytes } from '../../json-schema/jsonText.js'
import { assertSchema } from '../../json-schema/standardSchema.js'
import { createWriter } from '../../json-schema/writer.js'
import * as documentation from '../../messages/documentationTexts.js'
import { mediaType } from './mediaType.js'

async function* readJsonLines(pieces) {
  for await (const line of splitLines(pieces)) yield parseJsonBytes(line)
}
const createNdjson = (aliases) =>
  mediaType({
    types: ['application/x-ndjson', ...aliases, 'application/jsonl'],
    aliases,
    framing: documentation.ndjsonText(aliases.map(getEssence)),
    writer: (schema = {}) => {
      const write = createWriter(schema)
      return (items) => writeJsonLines(items, write)
    },
    streamReader: () => readJsonLines,
  })
const defaultNdjson = createNdjson([])
/**
 * A stream of what `item` describes, as newline-delimited JSON: `application/x-ndjson`, or `application/jsonl` where a client asks for that. Each line
 * leaves when its item is there; a producer that fails cuts the connection.
 */
export const ndjson = (item, { aliases = [] } = {}) => {
  assertSchema(item)
  return Object.freeze({
    schema: item,
    media: Object.freeze([aliases.length === 0 ? defaultNdjson : createNdjson(Object.freeze([...aliases]))]),
  })
}
