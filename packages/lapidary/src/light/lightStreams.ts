/** Streams of the light client: lines of JSON, server-sent events, and bytes. */
import { createCancellation } from '../client/cancellation.ts'
import { canSendCookies, createRequestStream } from '../client/request.ts'
import { createStreamItemReader } from '../client/response.ts'
import { parseEvents } from '../contract/media/eventStream.ts'
import { claimStream, splitLines } from '../contract/media/itemStreams.ts'
import type { MediaTypeDefinition } from '../contract/media/mediaType.ts'
import { iterateWebStream } from '../http/chunks.ts'
import { isParseError, parseError } from '../json-schema/parseError.ts'
import type { ReceivedRoute, RouteBody, RouteCall, RouteMedia } from './lightRoute.ts'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return parseError('JSON')
  }
}

/** The reader of a stream, item by item. */
function createLightItemReader(readStream: ReturnType<NonNullable<MediaTypeDefinition<unknown>['streamReader']>>) {
  const readItems = createStreamItemReader(readStream, (value) => value)
  return ({ controller, options, ...received }: ReceivedRoute): AsyncIterable<unknown> => {
    const cancellation = createCancellation([controller.signal], Number.POSITIVE_INFINITY, () => undefined)
    // A body that is still sent ends with the stream.
    cancellation.onEnd(() => controller.abort())
    return readItems({ ...received, onSkipped: options['~onSkipped'], cancellation })
  }
}

/**
 * Makes the body of a request of chunks. They are collected for a call that can be repeated, which sends them again, and in browsers, which send
 * no stream by HTTP/1.1, and some of them none at all.
 */
async function sendChunks(
  chunks: AsyncIterable<string | Uint8Array>,
  isCollected: boolean,
  { controller, idempotent }: RouteCall,
): Promise<RouteBody> {
  if (!isCollected && !idempotent && canSendCookies()) {
    const onEnd = (listener: () => void): void => controller.signal.addEventListener('abort', listener)
    return createRequestStream(chunks, { abort: (reason) => controller.abort(reason), onEnd }, (error) => error)
  }
  const parts: (string | Uint8Array<ArrayBuffer>)[] = []
  for await (const chunk of chunks) parts.push(chunk as string | Uint8Array<ArrayBuffer>)
  return new Blob(parts)
}

async function* yieldAll(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks
}

async function* encodeLines(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`
}

async function* parseLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  for await (const line of splitLines(chunks)) yield parseJson(new TextDecoder().decode(line))
}

/**
 * Newline-delimited JSON.
 *
 * @example
 * ```ts
 * import { ndjson, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /lines', responses: [[200, ndjson]] }
 * ```
 */
export const lightNdjson: RouteMedia = {
  types: ['application/x-ndjson', 'application/jsonl'],
  sent: 'application/x-ndjson',
  write: (items: Iterable<unknown> | AsyncIterable<unknown>, call) =>
    sendChunks(encodeLines(claimStream(items)), Array.isArray(items), call),
  read: /* @__PURE__ */ createLightItemReader(parseLines),
}

/** A JSON array, which a request can send while it is made. */
async function* encodeArray(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  let separator = '['
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/**
 * Makes a body of JSON that can send an iterable as an array, while it is made.
 *
 * @example
 * ```ts
 * import { json, jsonList, none, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /stones', body: jsonList(json), responses: [[204, none]] }
 * ```
 */
export const lightJsonList = (media: RouteMedia): RouteMedia => ({
  ...media,
  write: (value: readonly unknown[] | AsyncIterable<unknown>, call) =>
    Array.isArray(value) ? JSON.stringify(value) : sendChunks(encodeArray(claimStream(value)), false, call),
})

/**
 * Server-sent events.
 *
 * @param isNamed whether they have names
 * @example
 * ```ts
 * import { events, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /news', responses: [[200, events(true)]] }
 * ```
 */
export const lightEvents = (isNamed: boolean): RouteMedia => ({
  types: ['text/event-stream'],
  read: /* @__PURE__ */ createLightItemReader(async function* (chunks, _isRequest, onSkipped) {
    for await (const item of parseEvents(chunks, parseJson, onSkipped)) {
      const { event, ...others } = item as { readonly event?: string }
      yield isParseError(item) ? item : isNamed ? { event: event ?? 'message', ...others } : others
    }
  }),
})

/**
 * A stream of bytes.
 *
 * @example
 * ```ts
 * import { byteStream, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /film', responses: [[200, byteStream]] }
 * ```
 */
export const lightByteStream: RouteMedia = {
  types: ['application/octet-stream'],
  sent: 'application/octet-stream',
  write: (source: Blob | Uint8Array<ArrayBuffer> | Iterable<Uint8Array> | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>, call) => {
    if (source instanceof Blob || source instanceof Uint8Array) return source
    const claimed = claimStream(source)
    const chunks = 'getReader' in claimed ? iterateWebStream(claimed) : yieldAll(claimed)
    return sendChunks(chunks, Array.isArray(source), call)
  },
  read: /* @__PURE__ */ createLightItemReader((chunks) => chunks),
}
