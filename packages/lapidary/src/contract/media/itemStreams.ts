/** Streams of items: how a JSON array and newline-delimited JSON are written, and how lines are read. */
import { ChunkList } from '../../http/chunks.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { lineCutOff } from '../../messages/problemMessages.ts'

/** The items of a list: an array, or an iterable that is sent as a stream. */
export type Items<Item> = readonly Item[] | Iterable<Item> | AsyncIterable<Item>

/** Whether a value is an iterable whose items are sent as a stream. An array is sent as a whole. */
export const isIterable = (value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && (Symbol.asyncIterator in value || Symbol.iterator in value)

const claimedStreams = new WeakSet<object>()

/**
 * Returns a stream that is written now.
 *
 * @throws TypeError for one that can be read once, and was written before: it would be empty.
 */
export function claimStream<S extends object>(stream: S): S {
  // A generator is its own iterator, and a web stream has readers. Any other iterable may begin again.
  if (!('next' in stream || 'getReader' in stream)) return stream
  if (claimedStreams.has(stream)) throw new TypeError(developerErrors.streamWrittenTwice())
  claimedStreams.add(stream)
  return stream
}

/** In characters. Small enough to be sent soon, large enough that a million rows are not a million writes. */
const jsonBatchLength = 16_384

/** A JSON array, written while its items are produced. When an item fails after a part was sent, the items before it are still sent. */
export async function* writeJsonArray(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  write: (item: unknown) => string,
): AsyncGenerator<string> {
  let text = '['
  let separator = ''
  let hasYielded = false
  try {
    for await (const item of items) {
      text += separator + write(item)
      separator = ','
      if (text.length < jsonBatchLength) continue
      hasYielded = true
      yield text
      text = ''
    }
  } catch (error) {
    if (hasYielded && text !== '') yield text
    throw error
  }
  yield `${text}]`
}

/** The texts of items, one after the other. Each is sent as soon as its item is available. */
export async function* writeItems(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  write: (item: unknown) => string,
): AsyncGenerator<string> {
  for await (const item of items) yield write(item)
}

/** All items, for a media type whose writer needs them at once. */
export async function collectItems(items: Iterable<unknown> | AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const item of items) all.push(item)
  return all
}

const lineFeedByte = 0x0a

/**
 * The lines of a stream, without their line feeds.
 *
 * @param maxLength the longest line in bytes, in place of a longer one there is undefined, and nothing follows. With it, the end of the
 * stream is the end of its last line.
 * @throws Error where the stream ends within a line.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLength?: number,
): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  const pending = new ChunkList()
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeedByte); end >= 0; end = chunk.indexOf(lineFeedByte, start)) {
      if (pending.length + end - start > (maxLength ?? Number.POSITIVE_INFINITY)) return yield undefined
      pending.push(chunk.subarray(start, end))
      yield pending.take()
      start = end + 1
    }
    if (start === chunk.length) continue
    pending.push(chunk.subarray(start))
    if (pending.length > (maxLength ?? Number.POSITIVE_INFINITY)) return yield undefined
  }
  if (pending.length === 0) return
  if (maxLength === undefined) throw new Error(lineCutOff())
  yield pending.take()
}
