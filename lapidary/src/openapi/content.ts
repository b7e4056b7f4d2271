/** What stands in a body, in each of its media types: its schema, and an example that the real encoder wrote. */
import * as documentation from '../describe/documentation.ts'
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { mediaType } from '../describe/mediaType.ts'
import type { Content } from '../describe/medium.ts'
import { Refusal } from '../describe/refusal.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import { type Example, encodingsOf } from '../examples/encoding.ts'
import type { ContentObject, SchemaObject } from './document.ts'
import type { Schemas } from './schemas.ts'

type AnyMedium = Content<unknown, unknown>['media'][number]

/** A media type as a key. Text is UTF-8 anyway, so its charset is left out: who looks for `application/json` finds it. */
function keyOf(type: string): string {
  const { essence, parameters } = mediaType(type) ?? { essence: type, parameters: new Map<string, string>() }
  return [essence, ...[...parameters].filter(([name]) => name !== 'charset').map(([name, value]) => `${name}=${value}`)].join(';')
}

/** Whether the schema of a value tells what a whole body is. Text is text, a series of values none of them, and what nobody can read back may be anything. */
const isTold = ({ reader, streamReader }: AnyMedium, key: string): boolean =>
  !key.startsWith('text/') && streamReader === undefined && reader !== undefined

/** What a form is of which nothing else is said: each name with its values. */
const pairs: SchemaObject = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }

/** What a whole body is to who knows of no series. */
const series = ({ framing }: AnyMedium): string => (framing === undefined ? '' : `${framing} `) + documentation.series()

function schemaIn(medium: AnyMedium, key: string, schema: JsonSchema | undefined, schemas: Schemas): SchemaObject {
  if (schema !== undefined && isTold(medium, key)) return schemas.of(schema)
  if (medium.streamReader !== undefined) return { type: 'string', description: series(medium) }
  if (key.startsWith('text/')) return { type: 'string' }
  return key === 'application/x-www-form-urlencoded' ? pairs : {}
}

/** An example as its schema sees it: the value that the medium reads from it, or its text. */
function exampleIn(medium: AnyMedium, key: string, schema: JsonSchema | undefined, { text, base64 }: Example): unknown {
  if (base64) return undefined
  if (!isTold(medium, key)) return text
  const value = medium.reader?.(schema)(utf8Encoded(text))
  return value instanceof Uint8Array ? text : value instanceof Refusal ? undefined : value
}

/** The media types of a content. `given` is its example; `place` opens the complaint about one that cannot be written. @throws TypeError */
export async function contentOf(
  content: Content<unknown, unknown>,
  given: unknown,
  place: string,
  schemas: Schemas,
): Promise<ContentObject> {
  const schema = content.schema === undefined ? undefined : jsonSchemaOf(content.schema)
  const encodings = await encodingsOf(content, given, place)
  const made: ContentObject = {}
  for (const [index, medium] of content.media.entries()) {
    const example = encodings[index]?.example ?? null
    const told = medium.types.filter((type) => !medium.aliases?.includes(type))
    for (const key of told.map(keyOf).filter((key) => !Object.hasOwn(made, key))) {
      made[key] = {
        schema: schemaIn(medium, key, schema, schemas),
        example: example === null ? undefined : exampleIn(medium, key, schema, example),
        'x-itemSchema': medium.streamReader && (schema === undefined ? {} : schemas.of(schema)),
      }
    }
  }
  return made
}
