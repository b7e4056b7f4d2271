/** What stands in a body, in each of its media types: its schema, and an example that the real encoder wrote. */

import { createEncodings, type Example } from '../contract/exampleBody.ts'
import type { Content } from '../contract/media/mediaType.ts'
import { parseMediaType } from '../http/mediaTypeParser.ts'
import { encodeUtf8 } from '../http/utf8.ts'
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import { isParseError } from '../json-schema/parseError.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import type { ContentObject, SchemaObject } from './document.ts'
import type { SchemaObjects } from './schemaObjects.ts'

type AnyMediaTypeDefinition = Content<unknown, unknown>['media'][number]

/** A media type as a key. Text is UTF-8 anyway, so its charset is left out: who looks for `application/json` finds it. */
function toMediaTypeKey(type: string): string {
  const { essence, parameters } = parseMediaType(type) ?? { essence: type, parameters: new Map<string, string>() }
  return [essence, ...[...parameters].filter(([name]) => name !== 'charset').map(([name, value]) => `${name}=${value}`)].join(';')
}

/** Whether the schema of a value tells what a whole body is. Text is text, a series of values none of them, and what nobody can read back may be anything. */
const isDescribedBySchema = ({ reader, streamReader }: AnyMediaTypeDefinition, key: string): boolean =>
  !key.startsWith('text/') && streamReader === undefined && reader !== undefined

/** What a form is of which nothing else is said: each name with its values. */
const formSchema: SchemaObject = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }

/** What a whole body is to who knows of no series. */
const describeItems = ({ framing }: AnyMediaTypeDefinition): string =>
  (framing === undefined ? '' : `${framing} `) + documentationTexts.itemSchemaText()

function createMediaTypeSchema(
  medium: AnyMediaTypeDefinition,
  key: string,
  schema: JsonSchema | undefined,
  schemas: SchemaObjects,
): SchemaObject {
  if (schema !== undefined && isDescribedBySchema(medium, key)) return schemas.of(schema)
  if (medium.streamReader !== undefined) return { type: 'string', description: describeItems(medium) }
  if (key.startsWith('text/')) return { type: 'string' }
  return key === 'application/x-www-form-urlencoded' ? formSchema : {}
}

/** An example as its schema sees it: the value that the medium reads from it, or its text. */
function createMediaTypeExample(
  medium: AnyMediaTypeDefinition,
  key: string,
  schema: JsonSchema | undefined,
  { text, base64 }: Example,
): unknown {
  if (base64) return undefined
  if (!isDescribedBySchema(medium, key)) return text
  const value = medium.reader?.(schema)(encodeUtf8(text))
  return value instanceof Uint8Array ? text : isParseError(value) ? undefined : value
}

/** The media types of a content. `given` is its example; `place` opens the complaint about one that cannot be written. @throws TypeError */
export async function createContentObject(
  content: Content<unknown, unknown>,
  given: unknown,
  place: string,
  schemas: SchemaObjects,
): Promise<ContentObject> {
  const schema = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  const encodings = await createEncodings(content, given, place)
  const made: ContentObject = {}
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
