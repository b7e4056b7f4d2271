/** `events(Stone)` and `events({ cut: Stone, sold: Job })`: server-sent events, the data of each as JSON. */
import { isTime } from '../../http/limits.ts'
import { isPromise } from '../../http/promises.ts'
import { type JsonSchema, neverSchema } from '../../json-schema/jsonSchema.ts'
import { embedJsonSchema } from '../../json-schema/references.ts'
import {
  assertSchema,
  createSchema,
  getEncoder,
  getJsonSchema,
  prefixIssue,
  type Schema,
  type StandardSchemaResult,
} from '../../json-schema/standardSchema.ts'
import { createWriter } from '../../json-schema/writer.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as documentationTexts from '../../messages/documentationTexts.ts'
import * as expectation from '../../messages/expectations.ts'
import { addHeartbeats, createEventWriter, readEvents } from './eventStream.ts'
import { claimStream, type Items, writeItems } from './itemStreams.ts'
import { type Content, type MediaTypeDefinition, mediaType } from './mediaType.ts'

/** An event without a name, which an `EventSource` calls `message`. */
export interface ServerSentEvent<Data> {
  readonly data: Data
  /** A client that connects again sends the last id in `Last-Event-ID`. Without line breaks and NUL. */
  readonly id?: string
  /** How long a client should wait before it connects again, in milliseconds. */
  readonly retry?: number
}

/** The name of an event. */
export interface EventName<Name> {
  readonly event: Name
}

/** An event by its name: a union with an event for each member of `Data`. */
// Conditional, so that editors and messages show the union rather than this name.
export type NamedEvent<Data> = Data extends unknown
  ? { readonly [Name in keyof Data]: EventName<Name> & ServerSentEvent<Data[Name]> }[keyof Data]
  : never

/** The schemas of events by their names. */
type EventSchemas = Readonly<Record<string, Schema>>

type SchemaTypes<S> = S extends Schema ? NonNullable<S['~standard']['types']> : never
type DataInputs<Schemas> = { readonly [Name in keyof Schemas]: SchemaTypes<Schemas[Name]>['input'] }
type DataOutputs<Schemas> = { readonly [Name in keyof Schemas]: SchemaTypes<Schemas[Name]>['output'] }

/** Options of `events`. */
interface EventsOptions {
  /**
   * After how many milliseconds without an event the server sends a comment, so that proxies keep the connection open, and the server
   * notices a lost client. `Infinity`: never.
   *
   * @default 15,000
   */
  readonly heartbeat?: number
}

/** A proxy must ask before it reuses the response; nginx must not collect it before it sends it. */
const eventHeaders = Object.freeze({ 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' })

/** What a reader of `EventSource` calls an event without a name. */
const defaultName = 'message'

/** The schemas of the data, by name; by `undefined` that of an event without a name. */
type SchemasByName = ReadonlyMap<string | undefined, Schema>

const isSingleSchema = (value: Schema | EventSchemas): value is Schema => '~standard' in value

/** @throws TypeError for a name that cannot be sent, and for a value that is not a schema. */
function toSchemasByName(schemas: Schema | EventSchemas): SchemasByName {
  // Plain JavaScript can pass any value.
  if (Object(schemas) !== schemas || isSingleSchema(schemas)) {
    assertSchema(schemas as Schema)
    return new Map([[undefined, schemas as Schema]])
  }
  const entries = Object.entries(schemas)
  if (entries.length === 0) throw new TypeError(developerErrors.noEvents())
  for (const [name, schema] of entries) {
    if (name === '' || /[\r\n]/.test(name) || !name.isWellFormed()) throw new TypeError(developerErrors.invalidEventName(name))
    assertSchema(schema)
  }
  return new Map(entries)
}

/** How an event is described: the value that a handler returns, or its fields on the wire. */
interface EventForm {
  /** Makes the schema of the data, which is at `pointer`. */
  readonly toData: (schema: JsonSchema, pointer: string) => JsonSchema
  /** The members of an event without a name, besides its data. */
  readonly unnamed: JsonSchema['properties']
  /** The members of every event, besides its name and its data. */
  readonly fields: JsonSchema['properties']
}

/** The JSON Schema of the events. */
function createEventsSchema(schemas: SchemasByName, { toData, unnamed, fields }: EventForm): JsonSchema {
  const single = schemas.get(undefined)
  if (single !== undefined) {
    const data = toData(getJsonSchema(single), '/properties/data')
    return { type: 'object', properties: { ...unnamed, data, ...fields }, required: ['data'] }
  }
  const branches = [...schemas].map(([name, schema], index): JsonSchema => {
    const data = toData(getJsonSchema(schema), `/anyOf/${index}/properties/data`)
    return { type: 'object', properties: { event: { type: 'string', const: name }, data, ...fields }, required: ['event', 'data'] }
  })
  return { anyOf: branches }
}

/** An event as a handler returns it. Without `id` and `retry`: generated events would make clients wait. */
const valueForm: EventForm = { toData: embedJsonSchema, unnamed: { event: neverSchema }, fields: {} }

/** An event as it is on the wire (OpenAPI 3.2, "Server-Sent Event Streams"): its data is a text with JSON in it. */
const wireForm: EventForm = {
  toData: (schema, pointer) => ({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: embedJsonSchema(schema, `${pointer}/contentSchema`),
  }),
  unnamed: {},
  fields: { id: { type: 'string' }, retry: { type: 'integer', minimum: 0 } },
}

type EventResult = StandardSchemaResult<unknown>

/** The schema of an event. */
function createItemSchema(schemas: SchemasByName): Schema {
  const isNamed = !schemas.has(undefined)
  const findSchema = (event: unknown): Schema | undefined => {
    if (isNamed) return schemas.get((event ?? defaultName) as string)
    return event === undefined || event === defaultName ? schemas.get(undefined) : undefined
  }
  const validate = (value: unknown): EventResult | Promise<EventResult> => {
    const { event, data, id, retry } = Object(value) as Readonly<Record<string, unknown>>
    const schema = findSchema(event)
    if (schema === undefined) {
      const names = isNamed ? [...schemas.keys()].map(String) : [defaultName]
      return { issues: [{ message: `expected ${expectation.eventOf(names, String(event ?? defaultName))}`, path: ['event'] }] }
    }
    const complete = (result: EventResult): EventResult => {
      if (result.issues !== undefined) return { issues: result.issues.map((issue) => prefixIssue(issue, 'data', schema)) }
      const name = isNamed && { event: event ?? defaultName }
      return { value: { ...name, data: result.value, ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) } }
    }
    const result = schema['~standard'].validate(data)
    return isPromise(result) ? result.then(complete) : complete(result)
  }
  const encodeEvent = (value: unknown): unknown => {
    // Each member by its name: the event may be an instance of a class, whose getters a spread would leave out.
    const { event, data, id, retry } = Object(value) as Readonly<Record<string, unknown>>
    const schema = findSchema(event)
    const encode = schema && getEncoder(schema)
    return encode === undefined ? value : { event, data: encode(data), id, retry }
  }
  const encoded = [...schemas.values()].filter(getEncoder)
  return createSchema({
    validate,
    getJsonSchema: () => ({ ...createEventsSchema(schemas, valueForm) }),
    parts: [...schemas.values()],
    encoding: encoded.length > 0 ? { encode: encodeEvent, source: encoded } : undefined,
  })
}

function createMediaType(schemas: SchemasByName, heartbeat: number): MediaTypeDefinition<Items<unknown>> {
  let itemSchema: JsonSchema | undefined
  return mediaType<Items<unknown>>({
    types: ['text/event-stream'],
    framing: documentationTexts.eventStreamText(heartbeat),
    headers: eventHeaders,
    isResponseOnly: true,
    writer: (_schema, createJsonWriter = createWriter) => {
      const write = createEventWriter(new Map([...schemas].map(([name, schema]) => [name, createJsonWriter(getJsonSchema(schema))])))
      return (items) => addHeartbeats(writeItems(claimStream(items), write), heartbeat)
    },
    streamReader: () => readEvents,
    itemSchema: () => {
      itemSchema ??= createEventsSchema(schemas, wireForm)
      return itemSchema
    },
  })
}

/**
 * Server-sent events (`text/event-stream`): the handler returns a generator of `{ data }`, or of `{ event, data }` where the events have
 * names. `id` and `retry` are optional. An event is sent as soon as it is available. A producer that fails aborts the connection.
 *
 * @param schemas The schema of the data, or one for each name of an event.
 * @throws TypeError for a value that is not a schema, and for a name that cannot be sent.
 * @example
 * ```ts
 * import { endpoint, events, int, ok, optional } from 'lapidary'
 * import { z } from 'zod'
 *
 * const Stone = z.object({ carat: z.number() })
 * const stones = endpoint('GET /stones', { response: ok(events(Stone)) })
 * const changes = endpoint('GET /changes', {
 *   headers: { 'Last-Event-ID': optional(int) },
 *   response: ok(events({ cut: Stone, sold: z.object({ price: z.number() }) }, { heartbeat: 30_000 })),
 * })
 * ```
 */
export function events<Input, Output>(
  schema: Schema<Input, Output>,
  options?: EventsOptions,
): Content<Items<ServerSentEvent<Input>>, AsyncIterable<ServerSentEvent<Output>>>
export function events<const Schemas extends EventSchemas>(
  schemas: Schemas,
  options?: EventsOptions,
): Content<Items<NamedEvent<DataInputs<Schemas>>>, AsyncIterable<NamedEvent<DataOutputs<Schemas>>>>
export function events(schemas: Schema | EventSchemas, { heartbeat = 15_000 }: EventsOptions = {}): Content<unknown, unknown> {
  if (!isTime(heartbeat, 'limit') || heartbeat < 1) throw new TypeError(developerErrors.invalidHeartbeat(heartbeat))
  const byName = toSchemasByName(schemas)
  return Object.freeze({ schema: createItemSchema(byName), media: Object.freeze([createMediaType(byName, heartbeat)]) })
}
