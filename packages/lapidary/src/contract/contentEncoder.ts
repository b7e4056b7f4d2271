/** Encodes the values of bodies whose schemas work in both directions, before a media type writes them. */
import { getEncoder, type ValueEncoder } from '../json-schema/standardSchema.ts'
import { claimStream } from './media/itemStreams.ts'
import { type Content, isStreamOnly } from './media/mediaType.ts'

/** The items of an iterable, each encoded when it is read. It ends the iterable when it is ended, even before its start. */
class EncodedItems implements AsyncIterableIterator<unknown> {
  private readonly items: AsyncIterator<unknown> | Iterator<unknown>
  private readonly encode: ValueEncoder

  constructor(items: AsyncIterable<unknown> | Iterable<unknown>, encode: ValueEncoder) {
    this.items = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
    this.encode = encode
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<unknown>> {
    const { done, value } = await this.items.next()
    if (done === true) return { done, value: undefined }
    try {
      return { value: this.encode(await value) }
    } catch (error) {
      await this.items.return?.()
      throw error
    }
  }

  async return(): Promise<IteratorResult<unknown>> {
    await this.items.return?.()
    return { done: true, value: undefined }
  }
}

/** Encodes the items of a list: of an array at once, of an iterable as they are read. */
export function encodeItems(items: unknown, encode: ValueEncoder): unknown {
  if (Array.isArray(items)) return items.map((item) => encode(item))
  if (typeof items !== 'object' || items === null || !(Symbol.asyncIterator in items || Symbol.iterator in items)) return items
  return new EncodedItems(claimStream(items) as AsyncIterable<unknown>, encode)
}

/** Returns the function that makes of a value of a body what its media types write; undefined if that is the value itself. */
export function getContentEncoder({ schema, media }: Content<unknown, unknown>): ValueEncoder | undefined {
  const encode = schema && getEncoder(schema)
  if (encode === undefined) return undefined
  // The schema of a stream describes one item.
  return media.every(isStreamOnly) ? (items) => encodeItems(items, encode) : encode
}

/** Returns the writer of a media type, or one that encodes the value before. */
export function addEncoder<Written>(content: Content<unknown, unknown>, write: (value: unknown) => Written): (value: unknown) => Written {
  const encode = getContentEncoder(content)
  return encode === undefined ? write : (value) => write(encode(value))
}
