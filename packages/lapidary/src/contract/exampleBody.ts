/** The encodings of a body for documentation: media types, and an example that the real encoder writes. */

import { collectBytes } from '../http/chunks.ts'
import { decodeUtf8, encodeUtf8, toBase64 } from '../http/encodings.ts'
import { parseMediaType } from '../http/mediaTypes.ts'
import { createBranchExamples, createExample } from '../json-schema/example.ts'
import { getTypes, type JsonSchema } from '../json-schema/jsonSchema.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import { createResponseWriter, createWriter } from '../json-schema/writer.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { addEncoder } from './contentEncoder.ts'
import type { ExampleValue } from './exampleValues.ts'
import type { Content, EncodedBody, MediaTypeDefinition } from './media/mediaType.ts'
import { encodeMultipart, exampleBoundary, listFormEntries, toFormValue } from './media/multipart.ts'

/** An example body. Plain data. */
export interface Example {
  /** The language for a syntax highlighter: `json`, `html`, `x-www-form-urlencoded`. */
  language: string
  /** The body as it is sent; in base64 where it is not readable text. */
  text: string
  /** Whether `text` is base64. */
  base64: boolean
}

/** Whether a body is that of a request or of a response. */
export type BodyDirection = 'request' | 'response'

/** One of the examples of a body. Plain data. */
export interface BodyExample extends Example {
  /** Empty for an example without a name. */
  name: string
  /** Empty where there is none. */
  summary: string
}

/** One encoding of a body. Plain data. */
export interface Encoding {
  /** The media types that name it, the default first. */
  types: string[]
  /** How it frames values, in one sentence; empty where the media types tell enough. */
  framing: string
  /** Empty where no example is given and there is no schema to create one from, as with `bytes`. */
  examples: BodyExample[]
}

/**
 * Creates every encoding of a body, each with the given examples, else with an example of the schema.
 *
 * @param direction a response has the defaults of members that an example leaves out, as the server writes it
 * @param place where the example stands, for the message of an error
 * @throws TypeError where the example cannot be written
 */
export function createEncodings(
  content: Content<unknown, unknown> | undefined,
  given: readonly ExampleValue[],
  direction: BodyDirection,
  place: string,
): Promise<Encoding[]> {
  if (content === undefined) return Promise.resolve([])
  const schema = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  return Promise.all(
    content.media.map(async (mediaType) => ({
      types: mediaType.types.map((type) => (mediaType.parts === undefined ? type : `${type}; boundary=${exampleBoundary}`)),
      framing: mediaType.framing ?? '',
      examples: await writeExamples(mediaType, content, schema, given, direction, place),
    })),
  )
}

type ExampleMediaType = Content<unknown, unknown>['media'][number]

async function writeExamples(
  mediaType: ExampleMediaType,
  content: Content<unknown, unknown>,
  schema: JsonSchema | undefined,
  given: readonly ExampleValue[],
  direction: BodyDirection,
  place: string,
): Promise<BodyExample[]> {
  const [type] = mediaType.types
  const write = createExampleWriter(mediaType, schema, direction)
  const examples: BodyExample[] = []
  try {
    const writeGiven = addEncoder(content, write)
    for (const { name, summary, value } of given) examples.push({ name, summary, ...toExample(type, await toBytes(writeGiven(value))) })
    const created = given.length === 0 && schema !== undefined ? await writeCreatedExample(mediaType, content, schema, write) : undefined
    return created === undefined ? examples : [{ name: '', summary: '', ...toExample(type, await toBytes(created)) }]
  } catch (error) {
    throw new TypeError(developerErrors.unwritableExample(place, type, error instanceof Error ? error.message : String(error)), {
      cause: error,
    })
  }
}

/** The writer of a media type; of a form, one that always writes the same. */
function createExampleWriter(
  { parts, writer }: MediaTypeDefinition<unknown>,
  schema: JsonSchema | undefined,
  direction: BodyDirection,
): (value: unknown) => EncodedBody {
  if (parts === undefined) return writer(schema, direction === 'response' ? createResponseWriter : createWriter)
  return (value) => encodeMultipart(listFormEntries(parts, toFormValue(parts, value)), exampleBoundary)
}

const isEncodedStream = (body: EncodedBody): body is AsyncIterable<string | Uint8Array> =>
  typeof body !== 'string' && !(body instanceof Uint8Array) && !(body instanceof Blob)

/** Whether the schema itself accepts a value, which it may refuse by rules that its JSON Schema does not have. */
async function isAccepted({ schema }: Content<unknown, unknown>, value: unknown): Promise<boolean> {
  try {
    return schema === undefined || (await schema['~standard'].validate(value)).issues === undefined
  } catch {
    return false
  }
}

/** Undefined where no value is found that the schema accepts. */
async function writeCreatedExample(
  mediaType: MediaTypeDefinition<unknown>,
  content: Content<unknown, unknown>,
  schema: JsonSchema,
  write: (value: unknown) => EncodedBody,
): Promise<EncodedBody | undefined> {
  const value = createExample(schema)
  if (value === undefined || !(await isAccepted(content, value))) return undefined
  const encoded = write(value)
  // A media type that writes items one after the other, such as `ndjson`, takes a list of what its schema describes: one of each kind. One
  // that writes a whole list in pieces has the schema of the list, and reads no items.
  if (!isEncodedStream(encoded) || (mediaType.streamReader === undefined && getTypes(schema).includes('array'))) return encoded
  const items: unknown[] = []
  for (const item of createBranchExamples(schema)) if (await isAccepted(content, item)) items.push(item)
  return write(items)
}

async function toBytes(body: EncodedBody): Promise<Uint8Array> {
  if (body instanceof Blob) return new Uint8Array(await body.arrayBuffer())
  if (isEncodedStream(body)) return collectBytes(body)
  return typeof body === 'string' ? encodeUtf8(body) : body
}

/** Control characters that do not occur in text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern has to find
const nonTextCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function toExample(type: string, bytes: Uint8Array): Example {
  const text = decodeUtf8(bytes)
  return text === undefined || nonTextCharacters.test(text)
    ? { language: 'text', text: toBase64(bytes), base64: true }
    : { language: getLanguage(type), text, base64: false }
}

/** Media types whose subtype is not the name of their language. */
const languagesByType: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'text'],
  ['application/octet-stream', 'text'],
  ['text/event-stream', 'text'],
  ['application/x-ndjson', 'json'],
  ['application/jsonl', 'json'],
])

/** `application/problem+json` is JSON, `text/html` is HTML. */
function getLanguage(type: string): string {
  const essence = parseMediaType(type)?.essence ?? ''
  return languagesByType.get(essence) ?? essence.split(/[/+]/).at(-1) ?? ''
}
