/** Streams a range of bytes out of an open file, and closes the file at the end. */
import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from '../http/fileResponse.ts'

const fileChunkSize = 65_536

/**
 * How many reads may be in progress at once. Node's thread pool has four threads by default, so more would not be faster. Without a limit,
 * the reads of a thousand clients complete together, and everything else waits for a thousand writes: Node accepts one connection in each
 * turn of its event loop.
 */
const maxConcurrentReads = 8
let activeReads = 0
const readQueue: (() => void)[] = []

/**
 * Reads a chunk once fewer than `maxConcurrentReads` reads are in progress, in the order of the calls. It is empty at the end of the file.
 */
async function readFileChunk(handle: FileHandle, length: number, position: number): Promise<Uint8Array> {
  if (activeReads < maxConcurrentReads) activeReads += 1
  else await new Promise<void>((start) => readQueue.push(start))
  try {
    // A new buffer for each chunk, since the adapter may still hold the previous one. A read that waits in the queue has none yet.
    const chunk = Buffer.allocUnsafe(length)
    const { bytesRead } = await handle.read(chunk, 0, length, position)
    return chunk.subarray(0, bytesRead)
  } finally {
    // The next read takes over this place.
    const next = readQueue.shift()
    if (next === undefined) activeReads -= 1
    else next()
  }
}

/**
 * Streams the bytes of a range in chunks of at most 64 KB. The file is closed after the last byte, on `return()`, on an error, and when
 * `signal` fires, whichever comes first. It can be iterated once, and throws when the file ends before the range does.
 *
 * It is an iterator of its own since the `return()` of a generator that was never started runs no `finally`.
 */
export function streamFileRange(handle: FileHandle, range: ByteRange, signal: AbortSignal): AsyncIterableIterator<Uint8Array> {
  let position = range.start
  const end = range.start + range.length

  let closed: Promise<void> | undefined
  /** A later call waits for the first one: a second `handle.close()` would resolve before the file is closed. */
  const close = (): Promise<void> => {
    signal.removeEventListener('abort', onAbort)
    closed ??= handle.close()
    return closed
  }
  // No response is left that a failure could affect.
  const onAbort = (): void => void close().catch(() => undefined)
  // When the client disconnects before the first chunk, the adapter may never start the stream.
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()

  const finish = async (): Promise<IteratorReturnResult<undefined>> => {
    position = end
    await close()
    return { done: true, value: undefined }
  }

  const read = async (): Promise<Uint8Array> => {
    signal.throwIfAborted()
    const chunk = await readFileChunk(handle, Math.min(fileChunkSize, end - position), position)
    if (chunk.length === 0) throw new Error(`A file became shorter while it was sent: ${end - position} bytes are missing.`)
    position += chunk.length
    return chunk
  }

  const stream: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => stream,
    return: finish,
    next: async () => {
      if (position >= end) return finish()
      try {
        const value = await read()
        if (position >= end) await close()
        return { done: false, value }
      } catch (error) {
        await close()
        throw error
      }
    },
  }
  return stream
}
