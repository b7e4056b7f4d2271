/** A medium: one encoding of values as bytes, with the media types that name it. */
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import type { Schema } from '../../json-schema/standardSchema.ts'

/** What a written value is: text (UTF-8), bytes, or a stream of either. */
export type EncodedBody = string | Uint8Array | AsyncIterable<string | Uint8Array>

/** What a medium of one's own needs. */
export interface MediaTypeDefinition<T> {
  /** The media types, the one that is sent by default first. A parameter counts: `text/html; charset=utf-8`. */
  readonly types: readonly [string, ...string[]]
  /**
   * Those of `types` that say too little of what they name, such as `application/json` for lines of JSON: sent where they are asked for, and read; but
   * left out where a program would take them at their word, as in OpenAPI. Default: none.
   */
  readonly aliases?: readonly string[]
  /** One sentence for documentation: how values stand in it, where the media types do not say so. */
  readonly framing?: string
  /** Compiles a reader: bytes to the value that the schema then checks, or a `Refusal`. Left out: the medium is for answers only. */
  readonly reader?: (schema: JsonSchema | undefined) => (bytes: Uint8Array) => unknown
  /**
   * Compiles a reader of a stream: its pieces to the values in it, each as soon as it is there, or a `Refusal` in its place. It throws where the
   * pieces end within a value. Left out: the medium is read whole.
   */
  readonly streamReader?: (schema: JsonSchema | undefined) => (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>
  /**
   * Whether a client can use nothing of it before its end, as of a JSON array. Then the head of an answer that is a stream waits for its first piece for
   * as long as that takes, so that a failure before it has a status of its own. Default: no; the head waits for 100 ms at most.
   */
  readonly isAtomic?: boolean
  /** Compiles a writer. It throws a TypeError on a value that the schema does not allow. */
  readonly writer: (schema: JsonSchema | undefined) => (value: T) => EncodedBody
}

/** A body: what it must look like, and its media, the preferred one first. */
export interface Content<Input, Output> {
  /** Absent: whatever the medium can carry. */
  readonly schema: Schema | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the media of one content agree on its value, which content() sees to
  readonly media: readonly MediaTypeDefinition<any>[]
  /** Types only: what a writer gives, and what a reader gets. */
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A medium. By itself it is a body, too: `body: json` is any JSON value, `body: octets` is bytes. */
export interface MediaType<T> extends MediaTypeDefinition<T>, Content<T, T> {}

/** Makes a medium: `mediaType({ types: ['text/csv'], writer: () => (rows: string[]) => rows.join('\n') })`. */
export function mediaType<T>(definition: MediaTypeDefinition<T>): MediaType<T> {
  const media: MediaTypeDefinition<T>[] = []
  const made: MediaType<T> = { ...definition, schema: undefined, media }
  media.push(made)
  Object.freeze(media)
  return Object.freeze(made)
}
