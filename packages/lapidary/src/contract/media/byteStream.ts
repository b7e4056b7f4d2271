/** `byteStream`: a body of bytes that is read and written chunk by chunk. */
import * as developerErrors from '../../messages/developerErrors.ts'
import { type Content, type MediaTypeDefinition, mediaType } from './mediaType.ts'

/** What is sent as a stream of bytes. */
export type ByteSource = Blob | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** The chunks of a web stream. Not every browser can iterate over one. */
export async function* readWebChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader()
  try {
    for (let chunk = await reader.read(); chunk.value !== undefined; chunk = await reader.read()) yield chunk.value
  } finally {
    await reader.cancel()
  }
}

async function* writeChunks(chunks: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError(developerErrors.expectedByteSource(`a chunk that is a ${typeof chunk}`))
    yield chunk
  }
}

function writeByteSource(source: ByteSource): Uint8Array | Blob | AsyncIterable<Uint8Array> {
  if (source instanceof Uint8Array || source instanceof Blob) return source
  const wrong = Array.isArray(source) ? source.find((chunk) => !(chunk instanceof Uint8Array)) : undefined
  if (wrong !== undefined) throw new TypeError(developerErrors.expectedByteSource(`a chunk that is a ${typeof wrong}`))
  if (typeof source === 'object' && source !== null) {
    if (Symbol.asyncIterator in source || Symbol.iterator in source) return writeChunks(source)
    if ('getReader' in source) return readWebChunks(source as ReadableStream<Uint8Array>)
  }
  throw new TypeError(developerErrors.expectedByteSource(`a ${typeof source}`))
}

const readByteChunks = (): ((chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) => (chunks) => chunks

/** Whether the items of a stream are its bytes. */
export const isByteStream = ({ streamReader }: Pick<MediaTypeDefinition<unknown>, 'streamReader'>): boolean =>
  streamReader === readByteChunks

/**
 * Bytes, chunk by chunk, so that a large body never is in memory as a whole. A handler gets an `AsyncIterable<Uint8Array>` while the body
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
