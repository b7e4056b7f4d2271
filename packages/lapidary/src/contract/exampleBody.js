/** What documentation says of one encoding of a body: its media types, and an example that the real encoder wrote. */
import { collectBytes } from '../http/chunks.js'
import { parseMediaType } from '../http/mediaTypeParser.js'
import { decodeUtf8, encodeUtf8 } from '../http/utf8.js'
import { createExample } from '../json-schema/example.js'
import { getTypes } from '../json-schema/jsonSchema.js'
import { getJsonSchema } from '../json-schema/standardSchema.js'
import * as complaint from '../messages/developerErrors.js'
/** Every encoding of a body, each with the example given or, without one, a value made from the schema. @throws TypeError when it cannot be written. */
export function createEncodings(content, given, place) {
  if (content === undefined) return Promise.resolve([])
  const schema = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  return Promise.all(
    content.media.map(async (medium) => ({
      types: [...medium.types],
      framing: medium.framing ?? '',
      example: await writeExample(medium, schema, given, place),
    })),
  )
}
async function writeExample(medium, schema, given, place) {
  const [type] = medium.types
  try {
    const written =
      given !== undefined ? medium.writer(schema)(given) : schema !== undefined ? writeCreatedExample(medium, schema) : undefined
    return written === undefined ? null : toExample(type, await readWrittenBytes(written))
  } catch (error) {
    throw new TypeError(complaint.unwritableExample(place, type, error instanceof Error ? error.message : String(error)), { cause: error })
  }
}
const isWrittenStream = (written) => typeof written !== 'string' && !(written instanceof Uint8Array)
function writeCreatedExample(medium, schema) {
  const value = createExample(schema)
  if (value === undefined) return undefined
  const write = medium.writer(schema)
  const written = write(value)
  // A medium that walks whatever it is given, such as that of `lines`, takes a series of what its schema describes.
  return isWrittenStream(written) && !getTypes(schema).includes('array') ? write([value]) : written
}
async function readWrittenBytes(written) {
  if (isWrittenStream(written)) return collectBytes(written)
  return typeof written === 'string' ? encodeUtf8(written) : written
}
/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadableCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
function toExample(type, bytes) {
  const text = decodeUtf8(bytes)
  return text === undefined || unreadableCharacters.test(text)
    ? { language: 'text', text: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')), base64: true }
    : { language: getLanguage(type), text, base64: false }
}
/** Types whose subtype is not the name of their language. */
const languagesByType = new Map([
  ['text/plain', 'text'],
  ['application/octet-stream', 'text'],
  ['application/x-ndjson', 'json'],
  ['application/jsonl', 'json'],
])
/** `application/problem+json` is JSON, `text/html` is HTML. */
function getLanguage(type) {
  const essence = parseMediaType(type)?.essence ?? ''
  return languagesByType.get(essence) ?? essence.split(/[/+]/).at(-1) ?? ''
}
/** An example is what the handler would return: with declared headers, body and headers together. `place` opens the complaint. @throws TypeError */
export function splitExample(reply, example, place) {
  if (example === undefined || Object.keys(reply.headers).length === 0) return { body: example, headers: {} }
  if (typeof example !== 'object' || example === null || !('headers' in example))
    throw new TypeError(complaint.missingResponseHeaders(place))
  // What has headers was made by withHeaders(), as the endpoint's type asks.
  return example
}
