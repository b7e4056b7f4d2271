/** Joins the chunks of a body. */
import { encodeUtf8 } from './encodings.ts'

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

/** In bytes. */
const blockLength = 4_096

const emptyBlock = new Uint8Array()

/**
 * Chunks that wait for their reader. Beside its bytes, a chunk takes 400 bytes of memory, so small ones are copied together: however a
 * client cuts a body, the memory is at most twice its length, and one block.
 */
export class ChunkList {
  /** How many bytes it has. */
  length: number
  /** The usual body is one chunk, which is not copied. */
  private first: Uint8Array | undefined
  /** All chunks, where there are several. */
  private chunks: Uint8Array[] | undefined
  /** Where small chunks are copied, after the others. */
  private block: Uint8Array
  private used: number

  constructor() {
    this.length = 0
    this.first = undefined
    this.chunks = undefined
    this.block = emptyBlock
    this.used = 0
  }

  push(chunk: Uint8Array): void {
    const { length } = chunk
    if (this.length === 0) this.first = chunk
    else if (length >= blockLength) {
      this.closeBlock()
      this.append(chunk)
    } else {
      if (this.used + length > this.block.length) {
        this.closeBlock()
        this.block = new Uint8Array(blockLength)
      }
      this.block.set(chunk, this.used)
      this.used += length
    }
    this.length += length
  }

  /** Takes all bytes. Of a single chunk it is the chunk itself, not a copy. */
  take(): Uint8Array {
    this.closeBlock()
    const { first = emptyBlock, chunks } = this
    this.first = undefined
    this.chunks = undefined
    this.length = 0
    return chunks === undefined ? first : concatBytes(chunks)
  }

  private append(chunk: Uint8Array): void {
    this.chunks ??= [this.first as Uint8Array]
    this.chunks.push(chunk)
  }

  private closeBlock(): void {
    if (this.used > 0) this.append(this.block.subarray(0, this.used))
    this.block = emptyBlock
    this.used = 0
  }
}

/** The bytes of a stream; texts are encoded in UTF-8. */
export async function collectBytes(chunks: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const list = new ChunkList()
  for await (const chunk of chunks) list.push(typeof chunk === 'string' ? encodeUtf8(chunk) : chunk)
  return list.take()
}

/** Iterates over a web stream. The stream's own iterator would learn that its reader has left only with the next chunk. */
export const iterateWebStream = <T>(stream: ReadableStream<T>): AsyncIterable<T, undefined> => ({
  [Symbol.asyncIterator]: () => {
    const reader = stream.getReader()
    return {
      // The value is undefined at the end and only there.
      next: () => reader.read() as Promise<IteratorResult<T, undefined>>,
      return: async () => {
        await reader.cancel()
        return { done: true, value: undefined }
      },
    }
  },
})
