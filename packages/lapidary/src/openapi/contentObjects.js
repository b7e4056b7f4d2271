/** What stands in a body, in each of its media types: its schema, and an example that the real encoder wrote. */
import { createEncodings } from '../contract/exampleBody.js'
import { parseMediaType } from '../http/mediaTypeParser.js'
import { encodeUtf8 } from '../http/utf8.js'
import { ParseError } from '../json-schema/parseError.js'
import { getJsonSchema } from '../json-schema/standardSchema.js'
import * as documentation from '../messages/documentationTexts.js'

/** A media type as a key. Text is UTF-8 anyway, so its charset is left out: who looks for `application/json` finds it. */
function toMediaTypeKey(type) {
  const { essence, parameters } = parseMediaType(type) ?? { essence: type, parameters: new Map() }
  return [essence, ...[...parameters].filter(([name]) => name !== 'charset').map(([name, value]) => `${name}=${value}`)].join(';')
}
/** Whether the schema of a value tells what a whole body is. Text is text, a series of values none of them, and what nobody can read back may be anything. */
const isDescribedBySchema = ({ reader, streamReader }, key) =>
  !key.startsWith('text/') && streamReader === undefined && reader !== undefined
/** What a form is of which nothing else is said: each name with its values. */
const formSchema = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }
/** What a whole body is to who knows of no series. */
const describeItems = ({ framing }) => (framing === undefined ? '' : `${framing} `) + documentation.itemSchemaText()
function createMediaTypeSchema(medium, key, schema, schemas) {
  if (schema !== undefined && isDescribedBySchema(medium, key)) return schemas.of(schema)
  if (medium.streamReader !== undefined) return { type: 'string', description: describeItems(medium) }
  if (key.startsWith('text/')) return { type: 'string' }
  return key === 'application/x-www-form-urlencoded' ? formSchema : {}
}
/** An example as its schema sees it: the value that the medium reads from it, or its text. */
function createMediaTypeExample(medium, key, schema, { text, base64 }) {
  if (base64) return undefined
  if (!isDescribedBySchema(medium, key)) return text
  const value = medium.reader?.(schema)(encodeUtf8(text))
  return value instanceof Uint8Array ? text : value instanceof ParseError ? undefined : value
}
/** The media types of a content. `given` is its example; `place` opens the complaint about one that cannot be written. @throws TypeError */
export async function createContentObject(content, given, place, schemas) {
  const schema = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  const encodings = await createEncodings(content, given, place)
  const made = {}
  for (const [index, medium] of content.media.entries()) {
    const example = encodings[index]?.example ?? null
    const told = medium.types.filter((type) => !medium.aliases?.includes(type))
    for (const key of told.map(toMediaTypeKey).filter((key) => !Object.hasOwn(made, key))) {
      made[key] = {
        schema: createMediaTypeSchema(medium, key, schema, schemas),
        example: example === null ? undefined : createMediaTypeExample(medium, key, schema, example),
        'x-itemSchema': medium.streamReader && (schema === undefined ? {} : schemas.of(schema)),
      }
    }
  }
  return made
}
