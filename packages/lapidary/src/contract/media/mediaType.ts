/** `mediaType`: an encoding of values as bytes, with the media types (RFC 9110 §8.3.1) that name it. */
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import type { Schema } from '../../json-schema/standardSchema.ts'
import type { CreateJsonWriter } from '../../json-schema/writer.ts'
import type { AnyParameter } from '../parameters/parameter.ts'

/** An encoded value: text (UTF-8), bytes, or a stream of either. For requests also a `Blob`: its type is the Content-Type. */
export type EncodedBody = string | Uint8Array | AsyncIterable<string | Uint8Array> | Blob

/**
 * Receives the parts of a stream that are no values, such as comments. Their bytes are not buffered any more.
 *
 * @param fields what such a part says about the stream: the last id, and the milliseconds to wait before a new connection
 */
export type SkippedListener = (fields: { readonly id?: string; readonly retry?: number }) => void

/** The definition of a media type. */
export interface MediaTypeDefinition<T> {
  /** The media types, the default one first. A parameter counts: `text/html; charset=utf-8`. */
  readonly types: readonly [string, ...string[]]
  /**
   * The media types in `types` that do not describe the content exactly, such as `application/json` for lines of JSON. The server reads
   * them, and sends them if Accept asks for them. OpenAPI leaves them out, because a program would take them literally.
   *
   * @default none
   */
  readonly aliases?: readonly string[]
  /** One sentence for documentation: how values are encoded, where the media types do not say it. */
  readonly framing?: string
  /**
   * Headers of a response in this media type: `{ 'Cache-Control': 'no-cache' }`. Headers that the reply or the endpoint declares take
   * precedence.
   *
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Compiles a reader: from bytes to the value that the schema then validates, or a `ParseError`. Without a reader the media type is for
   * responses only. Of a response, the reader also gets the media type that it was sent as.
   */
  readonly reader?: (schema: JsonSchema | undefined) => (bytes: Uint8Array, type?: string) => unknown
  /**
   * Compiles a reader of a stream: from its chunks to its values, each as soon as it is complete, or a `ParseError` instead of a value. The
   * reader throws an error if the stream ends within a value, unless `isRequest` is true, because the end of a request is known. Without a
   * stream reader, the body is read as a whole.
   */
  readonly streamReader?: (
    schema: JsonSchema | undefined,
  ) => (chunks: AsyncIterable<Uint8Array>, isRequest?: boolean, onSkipped?: SkippedListener) => AsyncIterable<unknown>
  /**
   * The JSON Schema of one value of a stream as OpenAPI 3.2 describes it in `itemSchema`, where that is not the schema of the body. It is one
   * object, however often it is called.
   *
   * @default the schema of the body
   */
  readonly itemSchema?: () => JsonSchema
  /**
   * Whether it is no body of a request, though it can be read.
   *
   * @default false
   */
  readonly isResponseOnly?: boolean
  /** The parts of a form, by name. The server reads the parts one after the other, instead of calling a reader. */
  readonly parts?: Readonly<Record<string, AnyParameter>>
  /**
   * Of a form: whether a handler gets the parts one by one while they arrive, instead of one record when all of them have arrived.
   *
   * @default false
   */
  readonly isPartStream?: boolean
  /**
   * Whether a client can use no part of the body before its end, as with a JSON array. Then a streamed response waits for its first chunk,
   * so that a failure before it has its own status. Otherwise it waits for 100 ms at most.
   *
   * @default false
   */
  readonly isAtomic?: boolean
  /**
   * Compiles a writer. It throws a TypeError for a value that the schema does not allow.
   *
   * @param createJsonWriter creates a writer of JSON, for media types that contain JSON: that of the server is compiled. It may be missing.
   */
  readonly writer: (schema: JsonSchema | undefined, createJsonWriter?: CreateJsonWriter) => (value: T) => EncodedBody
}

/** What a browser does with a file that has a name: it saves it, or it shows it if it can. */
export type Disposition = 'attachment' | 'inline'

/** A body: its schema, and its media types, the preferred one first. */
export interface Content<Input, Output> {
  /** Undefined: any value that the media types can encode. */
  readonly schema: Schema | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the media of one content agree on its value, which content() sees to
  readonly media: readonly MediaTypeDefinition<any>[]
  /** Whether a request can leave it out: then a handler gets `undefined`. Absent where it cannot. */
  readonly isOptional?: true
  /** Whether it is a file. The server then handles its ranges and conditions. Absent for any other body. */
  readonly isDownload?: true
  /** Of a file: what a browser does with it, if it has a name. Absent for any other body. */
  readonly disposition?: Disposition
  /** Types only: what a writer gives, and what a reader gets. */
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A body of a request that can be left out. */
export interface OptionalBody<Input, Output> extends Content<Input | undefined, Output | undefined> {
  readonly isOptional: true
}

/** A media type. It can be a body without a schema: `body: json` is any JSON value, `body: bytes` is bytes. */
export interface MediaType<T> extends MediaTypeDefinition<T>, Content<T, T> {}

/**
 * Makes a media type.
 *
 * @example
 * ```ts
 * import { endpoint, mediaType, ok } from 'lapidary'
 *
 * const csv = mediaType({ types: ['text/csv'], writer: () => (rows: readonly string[]) => rows.join('\n') })
 * const list = endpoint('GET /stones', { response: ok(csv) })
 * ```
 */
export function mediaType<T>(definition: MediaTypeDefinition<T>): MediaType<T> {
  const media: MediaTypeDefinition<T>[] = []
  const result: MediaType<T> = { ...definition, schema: undefined, media }
  media.push(result)
  Object.freeze(media)
  return Object.freeze(result)
}

/** What reads a body: all of it at once, its values while it arrives, or the parts of a form. */
type MediaReaders = Pick<MediaTypeDefinition<never>, 'reader' | 'streamReader' | 'parts'>

/** Whether a body can be read at all. */
export const isReadable = ({ reader, streamReader, parts }: MediaReaders): boolean => (reader ?? streamReader ?? parts) !== undefined

/** Whether a server reads a body while it arrives, so that its bytes are never there as a whole. */
export const isReadOnArrival = ({ streamReader, parts }: MediaReaders): boolean => (streamReader ?? parts) !== undefined

/** Whether a body is a stream and nothing else, with no end that a program could wait for. */
export const isStreamOnly = ({ reader, streamReader }: MediaReaders): boolean => streamReader !== undefined && reader === undefined

/**
 * The headers of responses in these media types.
 *
 * @param declared names of headers that win over them
 */
export function getMediaHeaders(
  media: readonly Pick<MediaTypeDefinition<never>, 'headers'>[],
  declared: readonly string[],
): Readonly<Record<string, string>> {
  const names = new Set(declared.map((name) => name.toLowerCase()))
  const all = media.flatMap(({ headers = {} }) => Object.entries(headers))
  return Object.fromEntries(all.filter(([name]) => !names.has(name.toLowerCase())))
}
