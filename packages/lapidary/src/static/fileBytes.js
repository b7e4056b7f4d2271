const fileChunkSize = 65_536
/**
 * Reads that are under way at once, at most. The thread pool has four threads by default, so more would not be faster. Without a bound the reads
 * of a thousand readers come back together, and everything else waits for as long as a thousand writes take: node accepts one connection a turn of
 * its event loop.
 */
const maxConcurrentReads = 8
let activeReads = 0
const readQueue = []
/** Reads when fewer than `maxConcurrentReads` others are reading, in the order of the calls: at most `length` bytes, none at the end of the file. */
async function readFileChunk(handle, length, position) {
  if (activeReads < maxConcurrentReads) activeReads += 1
  else await new Promise((go) => readQueue.push(go))
  try {
    // A new chunk each time: the adapter may still hold the one before. One that waits has none yet.
    const chunk = Buffer.allocUnsafe(length)
    const { bytesRead } = await handle.read(chunk, 0, length, position)
    return chunk.subarray(0, bytesRead)
  } finally {
    // The next one takes over this place.
    const next = readQueue.shift()
    if (next === undefined) activeReads -= 1
    else next()
  }
}
/**
 * The bytes of `range`, in chunks of at most 64 KB. The file is closed after the last byte, on `return()`, on a failure and when
 * `signal` fires, whichever comes first. Can be walked once. Throws when the file ends before the range does.
 *
 * An iterator of its own rather than a generator: the `return()` of a generator that was never started runs no `finally`.
 */
export function streamFileRange(handle, range, signal) {
  let position = range.start
  const end = range.start + range.length
  let closed
  /** Whoever closes it again waits for the first: a second `handle.close()` would be done before the file is. */
  const close = () => {
    signal.removeEventListener('abort', leave)
    closed ??= handle.close()
    return closed
  }
  // Nobody is left to be told when this fails.
  const leave = () => void close().catch(() => undefined)
  // A client that leaves before the first chunk was asked for: the adapter may never have begun to walk.
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  const done = async () => {
    position = end
    await close()
    return { done: true, value: undefined }
  }
  const read = async () => {
    signal.throwIfAborted()
    const chunk = await readFileChunk(handle, Math.min(fileChunkSize, end - position), position)
    if (chunk.length === 0) throw new Error(`A file became shorter while it was sent: ${end - position} bytes are missing.`)
    position += chunk.length
    return chunk
  }
  const bytes = {
    [Symbol.asyncIterator]: () => bytes,
    return: done,
    next: async () => {
      if (position >= end) return done()
      try {
        const value = await read()
        if (position >= end) await close()
        return { done: false, value }
      } catch (failure) {
        await close()
        throw failure
      }
    },
  }
  return bytes
}
