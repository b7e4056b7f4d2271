/** The media types of bodies: how each is read, and the schema of its value. */
import type { JsonSchema } from 'lapidary'
import { flattenAllOf, getEssence, isJsonEssence, isMediaRange, parseMediaType, parseSchema } from 'lapidary/internal'
import type { DocumentReader, JsonObject, Part } from './document.ts'
import { type FormPartPlan, planFormParts } from './formParts.ts'
import type { Direction, DocumentSchemas } from './schemas.ts'

/** One media type of a body. */
export type MediaPlan =
  | { readonly kind: 'json' | 'text' | 'bytes'; readonly type: string; readonly declared: string }
  /** A file, of a media type or of a range such as `image/*`. */
  | { readonly kind: 'download'; readonly type: string }
  | { readonly kind: 'form' | 'ndjson' }
  | { readonly kind: 'multipart'; readonly parts: readonly FormPartPlan[] }
  | { readonly kind: 'events'; readonly events: readonly EventPlan[] }

/** An event of a stream; without a name, all events are it. */
export interface EventPlan {
  readonly name: string | undefined
  readonly schema: JsonSchema
}

/** A media type, and the schema of its value; of a stream that of one value. */
export interface ReadMedia {
  readonly media: MediaPlan
  readonly schema: JsonSchema | undefined
}

/** A Media Type Object. */
interface MediaPart {
  readonly type: string
  readonly part: Part<JsonObject>
  readonly direction: Direction
  /** Undefined where it allows any value. */
  readonly schema: JsonSchema | undefined
  /** Of one value of a stream. */
  readonly item: JsonSchema | undefined
}

const streamTypes: ReadonlySet<string> = new Set([
  ...['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'],
])

/** Whether a schema allows any value. */
const isAnySchema = ({ description: _, title: _title, examples: _examples, $defs: _defs, ...rest }: JsonSchema): boolean =>
  Object.keys(rest).length === 0

/** Whether a schema describes bytes and not a value of JSON. */
const isBinary = ({ type, contentMediaType, contentEncoding, format }: JsonSchema): boolean =>
  (type === 'string' || type === undefined) && contentEncoding === undefined && (contentMediaType !== undefined || format === 'binary')

/** Whether a schema has any text for each name. */
const isAnyForm = (schema: JsonSchema): boolean =>
  schema.properties === undefined && typeof schema.additionalProperties === 'object' && schema.type === 'object'

/** Whether a schema allows any text. */
const isAnyText = ({ type, description: _, examples: _examples, ...rest }: JsonSchema): boolean =>
  type === 'string' && Object.keys(rest).length === 0

/** The data of an event, which is JSON in a text. */
function planEvents(item: JsonSchema): readonly EventPlan[] | undefined {
  const branches = item.anyOf ?? item.oneOf ?? [item]
  const events = branches.map((branch): EventPlan | undefined => {
    const { event, data } = branch.properties ?? {}
    const content = data?.['contentSchema'] as JsonSchema | undefined
    if (data === undefined || content === undefined) return undefined
    const name = typeof event?.const === 'string' ? event.const : undefined
    if (name === undefined && branches.length > 1) return undefined
    return { name, schema: item.$defs === undefined ? content : { ...content, $defs: item.$defs } }
  })
  return events.every((event) => event !== undefined) ? events : undefined
}

/** A body whose bytes are not read further. */
const toBytes = (type: string, declared = type): ReadMedia => ({ media: { kind: 'bytes', type, declared }, schema: undefined })

/** Reads the media types of one document. */
export class MediaReader {
  private readonly reader: DocumentReader
  private readonly schemas: DocumentSchemas
  /** Whether the toolkit has written the document: a range is the type of a file. */
  private readonly isOwn: boolean

  constructor(reader: DocumentReader, schemas: DocumentSchemas, isOwn: boolean) {
    this.reader = reader
    this.schemas = schemas
    this.isOwn = isOwn
  }

  /** Reads a Media Type Object; undefined for one that is left out. */
  read(type: string, part: Part<JsonObject>, direction: Direction): ReadMedia | undefined {
    const { value, pointer } = part
    const of = (name: string): JsonSchema | undefined =>
      value[name] === undefined ? undefined : this.schemas.of({ value: value[name], pointer: `${pointer}/${name}` }, direction)
    if (parseMediaType(type) === undefined) {
      this.reader.limits.add('media-type', pointer, `${JSON.stringify(type)} is no media type. It is left out.`)
      return undefined
    }
    const declared = of('schema')
    const schema = declared === undefined || isAnySchema(declared) ? undefined : declared
    const media: MediaPart = { type, part, direction, schema, item: of('itemSchema') ?? of('x-itemSchema') }
    const essence = getEssence(type)
    if (isMediaRange(essence)) return this.readRange(media)
    if (isJsonEssence(essence)) return { media: { kind: 'json', type, declared: type }, schema }
    if (streamTypes.has(essence)) return this.readLines(media)
    if (essence === 'text/event-stream') return this.readEvents(media)
    if (essence === 'application/x-www-form-urlencoded') return this.readForm(media)
    if (essence === 'multipart/form-data') return this.readMultipart(media)
    return essence.startsWith('text/') ? this.readText(media) : this.readBytes(media)
  }

  private readRange({ type, part, schema }: MediaPart): ReadMedia {
    const isJson = schema !== undefined && !isBinary(schema)
    const instead = isJson ? 'application/json' : 'application/octet-stream'
    const message = `A body has one media type, and ${type} is several. It is read as ${instead}.`
    if (!this.isOwn) this.reader.limits.add('media-type', part.pointer, message)
    return isJson ? { media: { kind: 'json', type: instead, declared: type }, schema } : toBytes(instead, type)
  }

  private readLines({ type, part, item }: MediaPart): ReadMedia {
    if (item === undefined)
      this.reader.limits.add('stream-schema', part.pointer, `No "itemSchema" says what a value of ${type} is. It is any.`)
    return { media: { kind: 'ndjson' }, schema: item ?? {} }
  }

  private readEvents({ type, part, item, direction }: MediaPart): ReadMedia {
    const events = item === undefined ? undefined : planEvents(item)
    if (events !== undefined && direction === 'response') return { media: { kind: 'events', events }, schema: {} }
    const message = 'No "itemSchema" says what the data of an event is. The stream is read as bytes.'
    this.reader.limits.add('stream-schema', part.pointer, message)
    return toBytes(type)
  }

  private readForm({ part, schema }: MediaPart): ReadMedia {
    if (schema === undefined || isAnyForm(schema)) return { media: { kind: 'form' }, schema: undefined }
    const members = flattenAllOf(parseSchema(schema)).flatMap(({ parts }) => [...parts.properties])
    const nested = members.filter(([, { types }]) => types.includes('object')).map(([name]) => `"${name}"`)
    if (nested.length > 0) {
      const message = `A form has texts and lists of texts, and ${nested.join(', ')} is an object. No request has it.`
      this.reader.limits.add('form-part', `${part.pointer}/schema`, message)
    }
    return { media: { kind: 'form' }, schema }
  }

  private readMultipart({ part, schema, direction }: MediaPart): ReadMedia {
    const members = schema && this.schemas.members({ value: part.value['schema'], pointer: `${part.pointer}/schema` }, direction)
    if (members !== undefined && members.properties.size > 0 && direction === 'request')
      return { media: { kind: 'multipart', parts: planFormParts(part, members, this.reader) }, schema }
    this.reader.limits.add('media-type', part.pointer, 'The schema names no parts of a form of a request. It is read as bytes.')
    return toBytes('multipart/form-data')
  }

  private readText({ type, part, schema }: MediaPart): ReadMedia {
    // A page without a charset is read as Windows-1252.
    const charset = getEssence(type) === 'text/html' ? '; charset=utf-8' : ';charset=utf-8'
    const media: MediaPlan = { kind: 'text', type: /;\s*charset=/i.test(type) ? type : type + charset, declared: type }
    if (schema?.type === 'string') return { media, schema: isAnyText(schema) || isBinary(schema) ? undefined : schema }
    if (schema !== undefined)
      this.reader.limits.add(
        'media-type',
        part.pointer,
        `The value of ${type} is not read. The body is a text, and its schema is left out.`,
      )
    return { media, schema: undefined }
  }

  private readBytes({ type, part, schema }: MediaPart): ReadMedia {
    if (schema !== undefined && !isBinary(schema))
      this.reader.limits.add('media-type', part.pointer, `The value of ${type} is not read. The body is bytes, and its schema is left out.`)
    return toBytes(type)
  }
}
