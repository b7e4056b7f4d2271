/** The Content Objects of a document: the schema and an example of a body for each of its media types. */

import { type BodyDirection, type BodyExample, createEncodings, type Example } from '../contract/exampleBody.ts'
import type { ExampleValue } from '../contract/exampleValues.ts'
import { isByteStream } from '../contract/media/bytes.ts'
import type { Content } from '../contract/media/mediaType.ts'
import { getFileLimits } from '../contract/parameters/file.ts'
import type { AnyParameter, ParameterRecord } from '../contract/parameters/parameter.ts'
import { encodeUtf8 } from '../http/encodings.ts'
import { parseMediaType } from '../http/mediaTypes.ts'
import { getCompleteSchema } from '../json-schema/defaults.ts'
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import { isParseError } from '../json-schema/parseError.ts'
import { flattenAllOf, parseSchema } from '../json-schema/schemaNode.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import { createWriter } from '../json-schema/writer.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import type { ContentObject, EncodingObject, MediaTypeObject, SchemaObject } from './documentTypes.ts'
import type { SchemaObjects } from './schemaObjects.ts'

type AnyContent = Content<unknown, unknown>
type AnyMediaTypeDefinition = AnyContent['media'][number]

/** A media type as a key, without its charset: all text is UTF-8, and programs look for `application/json`. */
function toMediaTypeKey(type: string): string {
  const { essence, parameters } = parseMediaType(type) ?? { essence: type, parameters: new Map<string, string>() }
  return [essence, ...[...parameters].filter(([name]) => name !== 'charset').map(([name, value]) => `${name}=${value}`)].join(';')
}

/**
 * Whether the schema of a value describes a whole body. It does not for a text, for a stream of values, and for a media type that cannot be
 * read.
 */
const isDescribedBySchema = ({ reader, streamReader, parts }: AnyMediaTypeDefinition, key: string): boolean =>
  !key.startsWith('text/') && streamReader === undefined && (reader ?? parts) !== undefined

const formType = 'application/x-www-form-urlencoded'

/** A form without a schema: each name with its values. */
const formSchema: SchemaObject = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }

/**
 * The schema of a form whose files have any media type: the encoding names their types, and generators know a file by this one. A form that
 * several endpoints share stays a reference.
 */
function generalizeFiles(schema: SchemaObject, parts: ParameterRecord = {}): SchemaObject {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, SchemaObject>>)
  const anyFile = { contentMediaType: 'application/octet-stream' }
  const generalize = ([name, property]: readonly [string, SchemaObject]): readonly [string, SchemaObject] => {
    const parameter = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (parameter === undefined || getFileLimits(parameter) === undefined) return [name, property]
    return [
      name,
      parameter.repeats ? { ...property, items: { ...(property['items'] as SchemaObject), ...anyFile } } : { ...property, ...anyFile },
    ]
  }
  return properties.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties.map(generalize)) }
}

/** Whether the server writes a media type by its JSON Schema, and not by code of its own, which gets the value of the handler. */
function isWrittenBySchema({ writer }: AnyMediaTypeDefinition, schema: JsonSchema | undefined): boolean {
  let isUsed = false
  writer(schema, (...given) => {
    isUsed = true
    return createWriter(...given)
  })
  return isUsed
}

/** The JSON Schemas of a body in one media type. */
interface BodySchemas {
  readonly whole: JsonSchema | undefined
  /** Of one value of a stream. */
  readonly item: JsonSchema | undefined
}

/** The JSON Schemas of a body as it is sent: in a response, what has a default is always there. */
export function getBodySchemas(mediaType: AnyMediaTypeDefinition, { schema }: AnyContent, direction: BodyDirection): BodySchemas {
  const whole = schema === undefined ? undefined : getJsonSchema(schema)
  const item = mediaType.streamReader === undefined || isByteStream(mediaType) ? undefined : (mediaType.itemSchema?.() ?? whole ?? {})
  if (direction === 'request' || !isWrittenBySchema(mediaType, whole)) return { whole, item }
  return { whole: whole && getCompleteSchema(whole), item: item && getCompleteSchema(item) }
}

/** The description of a stream of values, for readers that do not know `x-itemSchema`. */
const describeItems = ({ framing }: AnyMediaTypeDefinition): string =>
  (framing === undefined ? '' : `${framing} `) + documentationTexts.itemSchemaText()

function createMediaTypeSchema(
  mediaType: AnyMediaTypeDefinition,
  key: string,
  schema: JsonSchema | undefined,
  schemas: SchemaObjects,
): SchemaObject {
  if (schema !== undefined && isDescribedBySchema(mediaType, key)) return generalizeFiles(schemas.of(schema), mediaType.parts)
  if (mediaType.streamReader !== undefined && !isByteStream(mediaType)) return { type: 'string', description: describeItems(mediaType) }
  if (key.startsWith('text/')) return { type: 'string' }
  return key === formType ? formSchema : {}
}

/**
 * A part or a pair for each value, as forms have lists. It is what OpenAPI assumes anyway (§4.8.15), but some programs take a list for a
 * text where the document does not say it.
 */
const listEncoding: EncodingObject = { style: 'form', explode: true }

/** The encoding of a part: the media types of a file, which a style would cancel. */
function createPartEncoding(parameter: AnyParameter): readonly EncodingObject[] {
  const limits = getFileLimits(parameter)
  if (limits === undefined) return parameter.repeats ? [listEncoding] : []
  return limits.types.length === 0 ? [] : [{ contentType: limits.types.join(', ') }]
}

/** How the members of a form are written. */
function createEncodingObjects(
  { parts }: AnyMediaTypeDefinition,
  key: string,
  schema: JsonSchema | undefined,
): MediaTypeObject['encoding'] {
  const members =
    key !== formType || schema === undefined ? [] : flattenAllOf(parseSchema(schema)).flatMap((node) => [...node.parts.properties])
  const entries = [
    ...members.flatMap(([name, { types }]) => (types.includes('array') ? [[name, listEncoding] as const] : [])),
    ...Object.entries(parts ?? {}).flatMap(([name, parameter]) =>
      createPartEncoding(parameter).map((encoding) => [name, encoding] as const),
    ),
  ]
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** An example as its schema describes it: the value that the media type reads, or the text. */
function createMediaTypeExample(
  mediaType: AnyMediaTypeDefinition,
  key: string,
  schema: JsonSchema | undefined,
  { text, base64 }: Example,
): unknown {
  if (base64 || mediaType.parts !== undefined) return undefined
  if (!isDescribedBySchema(mediaType, key)) return text
  const value = mediaType.reader?.(schema)(encodeUtf8(text))
  return value instanceof Uint8Array || value instanceof Blob ? text : isParseError(value) ? undefined : value
}

/** One example without a name, or several by name. An example that is not text has no value here. */
function createMediaTypeExamples(
  examples: readonly BodyExample[],
  toValue: (example: BodyExample) => unknown,
): Partial<Pick<MediaTypeObject, 'example' | 'examples'>> {
  const values = examples.map((example) => [example, toValue(example)] as const).filter(([, value]) => value !== undefined)
  const [first] = values
  if (first === undefined || first[0].name === '') return { example: first?.[1] }
  return { examples: Object.fromEntries(values.map(([{ name, summary }, value]) => [name, { summary: summary || undefined, value }])) }
}

/**
 * @param given the default is a value that the schema allows.
 * @param place begins the message for an invalid example.
 * @throws TypeError for an example that its schema does not allow.
 */
export async function createContentObject(
  content: AnyContent,
  given: readonly ExampleValue[],
  direction: BodyDirection,
  place: string,
  schemas: SchemaObjects,
): Promise<ContentObject> {
  const encodings = await createEncodings(content, given, direction, place)
  const contentObject: ContentObject = {}
  for (const [index, mediaType] of content.media.entries()) {
    const { examples = [] } = encodings[index] ?? {}
    const { whole: schema, item } = getBodySchemas(mediaType, content, direction)
    const types = mediaType.types.filter((type) => !mediaType.aliases?.includes(type))
    for (const key of types.map(toMediaTypeKey).filter((key) => !Object.hasOwn(contentObject, key))) {
      contentObject[key] = {
        schema: createMediaTypeSchema(mediaType, key, schema, schemas),
        encoding: createEncodingObjects(mediaType, key, schema),
        ...createMediaTypeExamples(examples, (example) => createMediaTypeExample(mediaType, key, schema, example)),
        'x-itemSchema': item && schemas.of(item),
      }
    }
  }
  return contentObject
}
