/** What documentation says of one encoding of a body: its media types, and an example that the real encoder wrote. */

import * as complaint from '../describe/complaint.ts'
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'
import { mediaType } from '../describe/mediaType.ts'
import type { Content, MediumDefinition, Written } from '../describe/medium.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { utf8Decoded, utf8Encoded } from '../describe/utf8.ts'
import { whole } from '../describe/whole.ts'
import { exampleOf } from './exampleOf.ts'

/** An example body. Plain data. */
export interface Example {
  /** What a highlighter calls it: `json`, `html`, `x-www-form-urlencoded`. */
  language: string
  /** The body as it is sent; in base64 where it is not readable text. */
  text: string
  base64: boolean
}

/** One encoding of a body. Plain data. */
export interface Encoding {
  /** The media types that name it, the one that is sent by default first. */
  types: string[]
  /** How values stand in it, in one sentence; empty where the types say enough. */
  framing: string
  /** null where there is nothing to show: a medium without a schema, such as `octets`, and no example given. */
  example: Example | null
}

/** Every encoding of a body, each with the example given or, without one, a value made from the schema. @throws TypeError when it cannot be written. */
export function encodingsOf(content: Content<unknown, unknown> | undefined, given: unknown, place: string): Promise<Encoding[]> {
  if (content === undefined) return Promise.resolve([])
  const schema = content.schema === undefined ? undefined : jsonSchemaOf(content.schema)
  return Promise.all(
    content.media.map(async (medium) => ({
      types: [...medium.types],
      framing: medium.framing ?? '',
      example: await exampleIn(medium, schema, given, place),
    })),
  )
}

type AnyMedium = Content<unknown, unknown>['media'][number]

async function exampleIn(medium: AnyMedium, schema: JsonSchema | undefined, given: unknown, place: string): Promise<Example | null> {
  const [type] = medium.types
  try {
    const written = given !== undefined ? medium.writer(schema)(given) : schema !== undefined ? writtenMade(medium, schema) : undefined
    return written === undefined ? null : shown(type, await bytesOf(written))
  } catch (error) {
    throw new TypeError(complaint.unwritableExample(place, type, error instanceof Error ? error.message : String(error)), { cause: error })
  }
}

const isStream = (written: Written): written is AsyncIterable<string | Uint8Array> =>
  typeof written !== 'string' && !(written instanceof Uint8Array)

function writtenMade(medium: MediumDefinition<unknown>, schema: JsonSchema): Written | undefined {
  const value = exampleOf(schema)
  if (value === undefined) return undefined
  const write = medium.writer(schema)
  const written = write(value)
  // A medium that walks whatever it is given, such as that of `lines`, takes a series of what its schema describes.
  return isStream(written) && !typesOf(schema).includes('array') ? write([value]) : written
}

async function bytesOf(written: Written): Promise<Uint8Array> {
  if (isStream(written)) return whole(written)
  return typeof written === 'string' ? utf8Encoded(written) : written
}

/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function shown(type: string, bytes: Uint8Array): Example {
  const text = utf8Decoded(bytes)
  return text === undefined || unreadable.test(text)
    ? { language: 'text', text: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')), base64: true }
    : { language: languageOf(type), text, base64: false }
}

/** Types whose subtype is not the name of their language. */
const languages: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'text'],
  ['application/octet-stream', 'text'],
  ['application/x-ndjson', 'json'],
  ['application/jsonl', 'json'],
])

/** `application/problem+json` is JSON, `text/html` is HTML. */
function languageOf(type: string): string {
  const essence = mediaType(type)?.essence ?? ''
  return languages.get(essence) ?? essence.split(/[/+]/).at(-1) ?? ''
}
