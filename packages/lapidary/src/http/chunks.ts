/** Joins the chunks of a body. */
import { encodeUtf8 } from './utf8.ts'

/** The bytes of all chunks. Of a single chunk it is the chunk itself, not a copy. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** The bytes of a stream; texts are encoded in UTF-8. */
export async function collectBytes(chunks: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const encoded: Uint8Array[] = []
  for await (const chunk of chunks) encoded.push(typeof chunk === 'string' ? encodeUtf8(chunk) : chunk)
  return concatBytes(encoded)
}
