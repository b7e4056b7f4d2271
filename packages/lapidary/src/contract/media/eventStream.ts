/** The format `text/event-stream` (WHATWG HTML §9.2): how events are written, and how they are read. */
import { ChunkList } from '../../http/chunks.ts'
import { noteItemSize } from '../../json-schema/earlyRejection.ts'
import { describeValue } from '../../json-schema/invalidPlaces.ts'
import { isJsonObject } from '../../json-schema/jsonSchema.ts'
import { parseJsonText } from '../../json-schema/jsonText.ts'
import { encodePointerStep, isParseError, ParseError } from '../../json-schema/parseError.ts'
import type { JsonWriter } from '../../json-schema/writer.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { eventCutOff, lineCutOff } from '../../messages/problemMessages.ts'
import type { SkippedListener } from './mediaType.ts'

/** An event without a name has the key `undefined`. */
type EventWriters = ReadonlyMap<unknown, JsonWriter>

/** Readers ignore an id with NUL, and a line break ends it. */
const forbiddenInId = /[\0\r\n]/

const describeName = (name: unknown): string => (name === undefined ? 'without a name' : JSON.stringify(name))

/**
 * Creates the writer of events.
 *
 * @param writers the writers of their data, by the names of the events
 * @throws TypeError (when the writer runs) for an event that is not declared, or cannot be sent
 */
export function createEventWriter(writers: EventWriters): (item: unknown) => string {
  return (item) => {
    if (!isJsonObject(item)) throw new TypeError(developerErrors.invalidEvent(describeValue(item)))
    const { event, data, id, retry } = item
    const writeData = writers.get(event)
    if (writeData === undefined)
      throw new TypeError(developerErrors.undeclaredEvent(describeName(event), [...writers.keys()].map(describeName).join(' or ')))
    let text = event === undefined ? '' : `event: ${event}\n`
    if (id !== undefined) {
      if (typeof id !== 'string' || forbiddenInId.test(id) || !id.isWellFormed())
        throw new TypeError(developerErrors.invalidEventId(typeof id === 'string' ? JSON.stringify(id) : describeValue(id)))
      text += `id: ${id}\n`
    }
    if (retry !== undefined) {
      if (!Number.isSafeInteger(retry) || Number(retry) < 0)
        throw new TypeError(developerErrors.invalidEventRetry(typeof retry === 'number' ? `${retry}` : describeValue(retry)))
      text += `retry: ${retry}\n`
    }
    try {
      return `${text}data: ${writeData(data)}\n\n`
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new TypeError(error.message.replace(/^(?:at "([^"]*)" )?/, 'at "/data$1" '), { cause: error })
    }
  }
}

/** A comment, which readers ignore. */
const heartbeat: IteratorResult<string> = { done: false, value: ':\n' }

interface Waiting {
  readonly resolve: (result: IteratorResult<string>) => void
  readonly reject: (error: unknown) => void
}

/**
 * The chunks of another stream, and a heartbeat each time that the next chunk takes longer than `interval`. The timer runs only while the
 * reader waits: not while the client is behind, and not after the end.
 */
class HeartbeatStream implements AsyncIterator<string> {
  private readonly source: AsyncIterator<string>
  private readonly interval: number
  private waiting: Waiting | undefined
  /** Hands over what the source has produced since the last heartbeat. */
  private deliver: ((waiting: Waiting) => void) | undefined
  private isProducing = false
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(source: AsyncIterator<string>, interval: number) {
    this.source = source
    this.interval = interval
  }

  next(): Promise<IteratorResult<string>> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      if (this.deliver !== undefined) return this.settle()
      this.timer = setTimeout(this.beat, this.interval)
      // After a heartbeat, the source still works on the same chunk.
      if (this.isProducing) return
      this.isProducing = true
      this.source.next().then(
        (result) => this.arrive((waiting) => waiting.resolve(result)),
        (error: unknown) => this.arrive((waiting) => waiting.reject(error)),
      )
    })
  }

  async return(): Promise<IteratorResult<string>> {
    clearTimeout(this.timer)
    await this.source.return?.()
    return { done: true, value: undefined }
  }

  private arrive(deliver: (waiting: Waiting) => void): void {
    this.isProducing = false
    this.deliver = deliver
    this.settle()
  }

  private settle(): void {
    const { waiting, deliver } = this
    if (waiting === undefined || deliver === undefined) return
    clearTimeout(this.timer)
    this.waiting = undefined
    this.deliver = undefined
    deliver(waiting)
  }

  private readonly beat = (): void => {
    this.waiting?.resolve(heartbeat)
    this.waiting = undefined
  }
}

/** The same stream, with a comment after each `interval` milliseconds without a chunk. */
export const addHeartbeats = (chunks: AsyncIterable<string>, interval: number): AsyncIterable<string> =>
  interval === Number.POSITIVE_INFINITY
    ? chunks
    : { [Symbol.asyncIterator]: () => new HeartbeatStream(chunks[Symbol.asyncIterator](), interval) }

/**
 * The lines of a stream, without their ends: CR, LF or both. Those of one chunk come together.
 *
 * @throws Error where the stream ends within a line.
 */
async function* splitEventLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void, undefined> {
  // It drops a byte order mark, and replaces what is not UTF-8 (§9.2.6).
  const decoder = new TextDecoder()
  const pending = new ChunkList()
  let endsWithReturn = false
  for await (const chunk of chunks) {
    // No character but these two has one of their bytes.
    const end = Math.max(chunk.lastIndexOf(0x0a), chunk.lastIndexOf(0x0d)) + 1
    pending.push(chunk.subarray(0, end || chunk.length))
    if (end === 0) continue
    const decoded = decoder.decode(pending.take(), { stream: true })
    pending.push(chunk.subarray(end))
    const lines = (endsWithReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded).split(/\r\n|\r|\n/)
    endsWithReturn = decoded.endsWith('\r')
    // After the last line end there is no line.
    lines.pop()
    if (lines.length > 0) yield lines
  }
  if (decoder.decode(pending.take()) !== '') throw new Error(lineCutOff())
}

/** The fields of a block of lines, so far. */
interface EventBlock {
  event?: string
  data?: string[]
  id?: string
  retry?: number
}

const digitsOnly = /^[0-9]+$/

/** Adds a line to its block (§9.2.6). Comments and unknown fields are ignored. */
function addField(block: EventBlock, line: string): void {
  const colon = line.indexOf(':')
  const name = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
  if (name === 'data') {
    block.data ??= []
    block.data.push(value)
  } else if (name === 'event') block.event = value
  else if (name === 'id' && !value.includes('\0')) block.id = value
  else if (name === 'retry' && digitsOnly.test(value)) block.retry = Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}

/** An event with its data read from JSON; a ParseError where the data is not JSON. An empty name is none. */
function toEvent({ event, data = [], id, retry }: EventBlock, parse: (text: string) => unknown): unknown {
  const text = data.join('\n')
  const value = parse(text)
  if (isParseError(value))
    return new ParseError(value.issues.map(({ pointer, detail }) => ({ pointer: encodePointerStep('data') + pointer, detail })))
  const parsed = { ...(event && { event }), data: value, ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) }
  return noteItemSize(parsed, text.length)
}

/**
 * The events of a stream.
 *
 * @param parse parses the data of an event: JSON
 * @param onSkipped is called where no event is pending: after comments, and after blocks without data
 * @throws Error where the stream ends within an event.
 */
export async function* parseEvents(
  chunks: AsyncIterable<Uint8Array>,
  parse: (text: string) => unknown,
  onSkipped?: SkippedListener,
): AsyncGenerator<unknown, void, undefined> {
  let block: EventBlock = {}
  for await (const lines of splitEventLines(chunks)) {
    for (const line of lines) {
      if (line !== '') {
        addField(block, line)
        continue
      }
      const finished = block
      block = {}
      if (finished.data !== undefined) yield toEvent(finished, parse)
      else onSkipped?.(finished)
    }
    if (block.data === undefined) onSkipped?.({})
  }
  const { retry: _, ...unfinished } = block
  if (Object.keys(unfinished).length > 0) throw new Error(eventCutOff())
}

/** Reads the events of a stream, as a media type does. */
export const readEvents = (
  chunks: AsyncIterable<Uint8Array>,
  _isRequest?: boolean,
  onSkipped?: SkippedListener,
): AsyncGenerator<unknown, void, undefined> => parseEvents(chunks, parseJsonText, onSkipped)
