/** Bodies of requests and responses: their media types, and the schema of their value. */
import type { JsonSchema } from 'lapidary'
import { flattenAllOf, getEssence, isJsonEssence, isMediaRange, isSameSchema, parseMediaType, parseSchema } from 'lapidary/internal'
import type { DocumentReader, JsonObject, Part } from './document.ts'
import { type FormPartPlan, planFormParts } from './formParts.ts'
import type { Direction, DocumentSchemas } from './schemas.ts'

/** One media type of a body. */
export type MediaPlan =
  | { readonly kind: 'json' | 'text' | 'bytes' | 'html'; readonly type: string }
  | { readonly kind: 'form' }
  | { readonly kind: 'multipart'; readonly parts: readonly FormPartPlan[] }
  | { readonly kind: 'ndjson' }
  | { readonly kind: 'events'; readonly events: readonly EventPlan[] }

/** An event of a stream; without a name, all events are it. */
export interface EventPlan {
  readonly name: string | undefined
  readonly schema: JsonSchema
}

/** A body. */
export interface BodyPlan {
  /** The media types, the preferred one first. */
  readonly media: readonly [MediaPlan, ...MediaPlan[]]
  /** The schema of the value, of a stream that of one value; undefined: any value of the media types. */
  readonly schema: JsonSchema | undefined
}

/** A media type with its schema, before those of a body are united. */
interface MediaCandidate {
  readonly pointer: string
  readonly type: string
  readonly media: MediaPlan
  readonly schema: JsonSchema | undefined
}

const streamTypes: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/ndjson',
])

/** Whether a schema allows any value. */
const isAnySchema = ({ description: _, title: _title, examples: _examples, $defs: _defs, ...rest }: JsonSchema): boolean =>
  Object.keys(rest).length === 0

/** Whether a schema describes bytes and not a value of JSON. */
const isBinary = ({ type, contentMediaType, contentEncoding, format }: JsonSchema): boolean =>
  type === 'string' && contentEncoding === undefined && (contentMediaType !== undefined || format === 'binary')

/** A schema of a list without bounds whose items are any texts: a form without a schema has it for each name. */
const isAnyForm = (schema: JsonSchema): boolean =>
  schema.properties === undefined && typeof schema.additionalProperties === 'object' && schema.type === 'object'

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

/** Reads the bodies of one document. */
export class BodyReader {
  private readonly reader: DocumentReader
  private readonly schemas: DocumentSchemas

  constructor(reader: DocumentReader, schemas: DocumentSchemas) {
    this.reader = reader
    this.schemas = schemas
  }

  /** The body of a `content`; undefined where it has none. */
  plan(content: Part | undefined, direction: Direction): BodyPlan | undefined {
    const candidates = this.reader
      .entries(content)
      .flatMap(([type, part]) =>
        part.value === null || typeof part.value !== 'object' ? [] : this.planType(type, part as Part<JsonObject>, direction),
      )
    const [first, ...others] = [...candidates].sort((one, other) => rank(one.media) - rank(other.media))
    if (first === undefined) return undefined
    const united = others.filter(({ media, schema, pointer, type }) => {
      const isSame = isUnited(first.media) && isUnited(media) && isSameValue(first.schema, schema)
      if (!isSame)
        this.reader.limits.add(
          'media-type',
          pointer,
          `The body is another value in ${type} than in ${first.type}. Only ${first.type} is read.`,
        )
      return isSame
    })
    // The order of the document is that of preference.
    const kept = candidates.filter((one) => one === first || united.includes(one))
    return { media: kept.map(({ media }) => media) as unknown as BodyPlan['media'], schema: first.schema }
  }

  private planType(type: string, part: Part<JsonObject>, direction: Direction): readonly MediaCandidate[] {
    const { pointer, value } = part
    const place = `${pointer}/schema`
    const schema = value['schema'] === undefined ? undefined : this.schemas.of({ value: value['schema'], pointer: place }, direction)
    const itemKey = value['itemSchema'] === undefined ? 'x-itemSchema' : 'itemSchema'
    const item =
      value[itemKey] === undefined ? undefined : this.schemas.of({ value: value[itemKey], pointer: `${pointer}/${itemKey}` }, direction)
    const known = schema === undefined || isAnySchema(schema) ? undefined : schema
    const create = (media: MediaPlan, of: JsonSchema | undefined = known): readonly MediaCandidate[] => [
      { pointer, type, media, schema: of },
    ]
    const essence = getEssence(type)
    if (parseMediaType(type) === undefined) {
      this.reader.limits.add('media-type', pointer, `${JSON.stringify(type)} is no media type. It is left out.`)
      return []
    }
    if (isMediaRange(essence)) return this.planRange(type, pointer, known, create)
    if (isJsonEssence(essence)) return create({ kind: 'json', type })
    if (streamTypes.has(essence)) {
      if (item === undefined)
        this.reader.limits.add('stream-schema', pointer, `No "itemSchema" says what a value of ${type} is. It is any.`)
      return create({ kind: 'ndjson' }, item ?? {})
    }
    if (essence === 'text/event-stream') return this.planEventStream(pointer, type, item, direction, create)
    if (essence === 'application/x-www-form-urlencoded') return this.planForm(pointer, known, create)
    if (essence === 'multipart/form-data') return this.planMultipart(part, known, direction, create)
    return this.planOther(type, essence, pointer, known, create)
  }

  private planRange(
    type: string,
    pointer: string,
    schema: JsonSchema | undefined,
    create: (media: MediaPlan, schema?: JsonSchema) => readonly MediaCandidate[],
  ): readonly MediaCandidate[] {
    const isJson = schema !== undefined && !isBinary(schema)
    const instead = isJson ? 'application/json' : 'application/octet-stream'
    this.reader.limits.add('media-type', pointer, `A body has one media type, and ${type} is several. It is read as ${instead}.`)
    return isJson
      ? create({ kind: 'json', type: instead })
      : [{ ...create({ kind: 'bytes', type: instead })[0], schema: undefined } as MediaCandidate]
  }

  private planEventStream(
    pointer: string,
    type: string,
    item: JsonSchema | undefined,
    direction: Direction,
    create: (media: MediaPlan, schema?: JsonSchema) => readonly MediaCandidate[],
  ): readonly MediaCandidate[] {
    const events = item === undefined ? undefined : planEvents(item)
    if (events !== undefined && direction === 'response') return create({ kind: 'events', events }, {})
    this.reader.limits.add('stream-schema', pointer, 'No "itemSchema" says what the data of an event is. The stream is read as bytes.')
    return [{ pointer, type, media: { kind: 'bytes', type }, schema: undefined }]
  }

  private planForm(
    pointer: string,
    schema: JsonSchema | undefined,
    create: (media: MediaPlan, schema?: JsonSchema) => readonly MediaCandidate[],
  ): readonly MediaCandidate[] {
    if (schema === undefined || isAnyForm(schema)) return [{ ...create({ kind: 'form' })[0], schema: undefined } as MediaCandidate]
    const nested = flattenAllOf(parseSchema(schema)).flatMap(({ parts }) =>
      [...parts.properties].flatMap(([name, { types }]) => (types.includes('object') ? [name] : [])),
    )
    if (nested.length > 0)
      this.reader.limits.add(
        'form-part',
        `${pointer}/schema`,
        `A form has texts and lists of texts. An object stands in ${nested.map((name) => `"${name}"`).join(', ')}, and no request has it.`,
      )
    return create({ kind: 'form' })
  }

  private planMultipart(
    part: Part<JsonObject>,
    schema: JsonSchema | undefined,
    direction: Direction,
    create: (media: MediaPlan, schema?: JsonSchema) => readonly MediaCandidate[],
  ): readonly MediaCandidate[] {
    const members = schema && this.schemas.members({ value: part.value['schema'], pointer: `${part.pointer}/schema` }, direction)
    if (members === undefined || members.properties.size === 0 || direction === 'response') {
      this.reader.limits.add('media-type', part.pointer, 'The schema names no parts of the form. It is read as bytes.')
      return [
        { pointer: part.pointer, type: 'multipart/form-data', media: { kind: 'bytes', type: 'multipart/form-data' }, schema: undefined },
      ]
    }
    return create({ kind: 'multipart', parts: planFormParts(part, members, this.reader) })
  }

  private planOther(
    type: string,
    essence: string,
    pointer: string,
    schema: JsonSchema | undefined,
    create: (media: MediaPlan, schema?: JsonSchema) => readonly MediaCandidate[],
  ): readonly MediaCandidate[] {
    const isText = essence.startsWith('text/')
    const media: MediaPlan = {
      kind: isText ? 'text' : 'bytes',
      type: isText && !/;\s*charset=/i.test(type) ? `${type};charset=utf-8` : type,
    }
    const isDescribed = schema !== undefined && !isBinary(schema) && !(isText && schema.type === 'string')
    if (isDescribed)
      this.reader.limits.add(
        'media-type',
        pointer,
        `The value of ${type} is not read. The body is ${isText ? 'a text' : 'bytes'}, whatever its schema says.`,
      )
    return [{ ...create(media)[0], schema: undefined } as MediaCandidate]
  }
}

/** Bodies of JSON first, then forms: they say most. */
const rank = ({ kind }: MediaPlan): number => (kind === 'json' ? 0 : kind === 'form' ? 1 : kind === 'multipart' ? 2 : 3)

/** Whether a media type can stand beside others of the same value. */
const isUnited = ({ kind }: MediaPlan): boolean => kind !== 'multipart' && kind !== 'ndjson' && kind !== 'events'

/** Whether two media types have one value. A text and bytes have no schema, and are another value than that of JSON. */
const isSameValue = (one: JsonSchema | undefined, other: JsonSchema | undefined): boolean =>
  one === undefined || other === undefined ? one === other : isSameSchema(one, other)
