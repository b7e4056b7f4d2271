/** `bytes` and `byteStream`: bodies without structure, as a whole or chunk by chunk. */
import { iterateWebStream } from '../../http/chunks.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { claimStream } from './itemStreams.ts'
import { type Content, type MediaType, type MediaTypeDefinition, mediaType } from './mediaType.ts'

/**
 * `application/octet-stream`: a `Uint8Array`, unchanged.
 *
 * @example
 * ```ts
 * import { bytes, endpoint, noContent } from 'lapidary'
 *
 * const upload = endpoint('PUT /file', { body: bytes, response: noContent })
 * ```
 */
export const bytes: MediaType<Uint8Array> = mediaType<Uint8Array>({
  types: ['application/octet-stream'],
  reader: () => (body) => body,
  writer: () => (body) => body,
})

/** A value that can be sent as a stream of bytes. */
export type ByteSource = Blob | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

/** @throws TypeError for a chunk that is no bytes. */
function requireBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk
  throw new TypeError(developerErrors.expectedByteSource(`a chunk that is a ${typeof chunk}`))
}

async function* writeChunks(chunks: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) yield requireBytes(chunk)
}

/** The chunks of a web stream. A generator would cancel it only after the chunk that it waits for. */
const writeWebStream = (stream: ReadableStream<unknown>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const chunks = iterateWebStream(stream)[Symbol.asyncIterator]()
    return {
      ...chunks,
      next: async () => {
        const { done, value } = await chunks.next()
        return done ? { done, value: undefined } : { value: requireBytes(value) }
      },
    } as AsyncIterator<Uint8Array>
  },
})

function writeByteSource(source: ByteSource): Uint8Array | Blob | AsyncIterable<Uint8Array> {
  if (source instanceof Uint8Array || source instanceof Blob) return source
  if (Array.isArray(source)) source.forEach(requireBytes)
  if (typeof source === 'object' && source !== null) {
    if ('getReader' in source && typeof source.getReader === 'function')
      return writeWebStream(claimStream(source as ReadableStream<unknown>))
    if (Symbol.asyncIterator in source || Symbol.iterator in source) return writeChunks(claimStream(source))
  }
  throw new TypeError(developerErrors.expectedByteSource(`a ${typeof source}`))
}

const readByteChunks = (): ((chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) => (chunks) => chunks

/** Whether the items of a stream are its bytes. */
export const isByteStream = ({ streamReader }: Pick<MediaTypeDefinition<unknown>, 'streamReader'>): boolean =>
  streamReader === readByteChunks

/**
 * Bytes, chunk by chunk, so that a large body is never completely in memory. A handler gets an `AsyncIterable<Uint8Array>` while the body
 * arrives, and returns a Blob, bytes or an iterable of bytes.
 *
 * @param types the media types, the default one first. @default application/octet-stream
 * @example
 * ```ts
 * import { byteStream, endpoint, noContent } from 'lapidary'
 *
 * const upload = endpoint('PUT /films/:name', { body: byteStream('video/mp4'), response: noContent, maxBodySize: '5 GB' })
 * ```
 */
export function byteStream(...types: readonly string[]): Content<ByteSource, AsyncIterable<Uint8Array>> {
  const [first = 'application/octet-stream', ...others] = types
  const { media } = mediaType<ByteSource>({ types: [first, ...others], streamReader: readByteChunks, writer: () => writeByteSource })
  return Object.freeze({ schema: undefined, media })
}
