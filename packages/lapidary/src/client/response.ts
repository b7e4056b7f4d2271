/** Reads an answer as its endpoint declares it; what is declared nowhere is thrown, never passed off as a value. */

import { createBodyDecoders, createValidator, isUtf8Charset, type ToParseError } from '../contract/bodyDecoders.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { Content, MediaTypeDefinition } from '../contract/media/mediaType.ts'
import type { AnyReply } from '../contract/reply.ts'
import { collectBytes } from '../http/chunks.ts'
import { isSetCookie, splitHeaderList } from '../http/headerFields.ts'
import { HttpError } from '../http/httpError.ts'
import { getEssence, type ParsedMediaType, parseMediaType } from '../http/mediaTypeParser.ts'
import { createProblem, type Problem, type ProblemError } from '../http/problemDetails.ts'
import { decodeUtf8 } from '../http/utf8.ts'
import { encodePointerStep, isParseError, ParseError } from '../json-schema/parseError.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import { type Cancellation, onAbort } from './cancellation.ts'
import * as failure from './clientErrorMessages.ts'
import { markDeclared } from './declaredError.ts'
import { ConnectionError, getCauseMessage, StreamInterruptedError, UnexpectedResponseError } from './errors.ts'

// What is wrong with a body, in words: those of its schema, since a client need not carry a second set.

/** The issues of a schema, as they are. */
export const toBodyParseError: ToParseError = (issues) =>
  new ParseError(
    issues.map(({ message, path = [] }) => ({
      pointer: path.map((step) => encodePointerStep(typeof step === 'object' ? step.key : step)).join(''),
      detail: message,
    })),
  )

/** The first flaw of a refused body; `place` is where in the answer the refused value stands. */
export function describeBodyIssue({ issues: [first] }: ParseError, place = ''): string {
  return failure.responseBodyIssue(place + (first?.pointer ?? ''), first?.detail ?? '')
}

// An answer that is no success, as the error that a call throws.

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isText = (value: unknown): boolean => typeof value === 'string'

function isProblemError(value: unknown): value is ProblemError {
  if (!isRecord(value)) return false
  const { in: place, detail, name = '', pointer = '' } = value
  return [place, detail, name, pointer].every(isText)
}

/** Problem details (RFC 9457). A member of another type than the RFC gives it is left out (§3.1); members of one's own are kept. */
function parseProblem(status: number, value: unknown): Problem | undefined {
  if (!isRecord(value)) return undefined
  const { type, title, detail, instance, requestId, errors, ...others } = value
  const texts = Object.entries({ type, title, detail, instance, requestId }).filter(([, member]) => isText(member))
  return {
    ...others,
    ...createProblem(status, {
      ...Object.fromEntries(texts),
      ...(Array.isArray(errors) ? { errors: errors.filter(isProblemError) } : {}),
    }),
  }
}

/** A body that nobody declared: a JSON value, text or bytes, as its type says; undefined where there is none. */
function readUndeclaredBody(type: ParsedMediaType | undefined, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = type && isUtf8Charset(type) ? decodeUtf8(bytes) : undefined
  if (text === undefined) return bytes
  try {
    return /[/+]json$/.test(type?.essence ?? '') ? JSON.parse(text) : text
  } catch {
    return text
  }
}

/** The value of a declared body, or a `ParseError` where the answer has not its form. */
function readDeclaredBody({ content }: AnyReply, type: ParsedMediaType | undefined, bytes: Uint8Array, hasProblem: boolean): unknown {
  const none = new ParseError([])
  if (content === undefined) return hasProblem || bytes.length === 0 ? undefined : none
  const decode = type && isUtf8Charset(type) ? createBodyDecoders(content, toBodyParseError).get(type.essence) : undefined
  return decode === undefined ? none : decode(bytes)
}

/** The error that an answer stands for. It is a declared one (see `raised`) only where status and body both have the declared form. */
export async function createErrorFromResponse(
  endpoint: AnyEndpoint,
  { response, url }: ReceivedResponse,
  bytes: Uint8Array,
): Promise<HttpError> {
  const { status, statusText, headers } = response
  const type = parseMediaType(headers.get('content-type') ?? '')
  const value = readUndeclaredBody(type, bytes)
  const told = type?.essence === 'application/problem+json' ? parseProblem(status, value) : undefined
  const cookies = headers.getSetCookie()
  const error = (body: unknown): HttpError =>
    new HttpError(status, {
      body,
      headers: { ...Object.fromEntries(headers), ...(cookies[1] && { 'set-cookie': cookies }) },
      received: { route: endpoint.route, url, problem: told },
      reason: statusText || undefined,
      detail: told?.detail,
      errors: told?.errors,
    })
  for (const reply of endpoint.errors.filter((one) => one.status === status)) {
    const body = await readDeclaredBody(reply, type, bytes, told !== undefined)
    if (!isParseError(body)) return markDeclared(error(body), reply)
  }
  return error(told === undefined ? value : undefined)
}

// The pieces of a body, read as they are asked for: whoever reads slowly slows the server down.

/** Leaves a body. What comes of that is nobody's business any more, and need not be waited for. */
export const cancelBody = (body: Pick<ReadableStream, 'cancel'> | null): void => void body?.cancel().catch(() => undefined)

/**
 * Reads to the end, or until the call is ended early. Whoever leaves before the end is told to the server. `held` counts the bytes that the reader
 * has made nothing of so far: it begins again whenever the reader sets it to 0.
 *
 * @throws What the adapter says; UnexpectedAnswer for more bytes than may be held.
 */
export async function* readChunks(
  { call, response, cancellation: { signal }, limit }: ReceivedResponse,
  held: { bytes: number } = { bytes: 0 },
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (reader === undefined) return
  // Not every `fetch` heeds a signal.
  const leave = onAbort(signal, () => cancelBody(reader))
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      held.bytes += piece.value.length
      yield piece.value
      if (held.bytes > limit) throw new UnexpectedResponseError(call, response, failure.responseTooLarge(limit))
    }
    // A body that was left looks like one that ended.
    signal.throwIfAborted()
  } finally {
    leave()
    cancelBody(reader)
  }
}

// The items of a streamed answer, each as soon as it is there.

/** Reads a stream: its items, then its end. @throws StreamInterrupted, UnexpectedAnswer; while it is walked. */
export type ResponseStreamReader = (answered: ReceivedResponse) => AsyncIterable<unknown>

/** Compiles the reader of a streamed content, in this medium; undefined where the medium is read whole. */
export function createStreamReader(
  { schema }: Content<unknown, unknown>,
  { streamReader }: MediaTypeDefinition<unknown>,
): ResponseStreamReader | undefined {
  if (streamReader === undefined) return undefined
  const read = streamReader(schema === undefined ? undefined : getJsonSchema(schema))
  const validated = createValidator(schema, toBodyParseError)

  async function* walked(answered: ReceivedResponse, leave: () => void): AsyncGenerator<unknown, void, undefined> {
    const { call, response, cancellation: ending } = answered
    let items = 0
    const held = { bytes: 0 }
    /** What stands in the stream; that it cannot be read any further is all that can go wrong here. */
    async function* raw(): AsyncGenerator<unknown, void, undefined> {
      try {
        yield* read(readChunks(answered, held))
      } catch (error) {
        ending.signal.throwIfAborted()
        if (error instanceof UnexpectedResponseError) throw error
        throw new StreamInterruptedError(call, items, error)
      }
    }
    try {
      for await (const value of raw()) {
        held.bytes = 0
        const item = await validated(value)
        // The items of a piece that has already come are no longer wanted either.
        ending.signal.throwIfAborted()
        if (isParseError(item)) throw new UnexpectedResponseError(call, response, describeBodyIssue(item, `/${items}`))
        yield item
        items += 1
      }
    } finally {
      leave()
    }
  }

  // What may end the call may end its stream.
  return (answered) => walked(answered, answered.cancellation.listen())
}

/** Reads the answers of one endpoint: to the value of success. @throws HttpError, UnexpectedAnswer, NoAnswer. */
export type ResponseReader = (answered: ReceivedResponse) => Promise<unknown>

async function readResponseBytes(answered: ReceivedResponse): Promise<Uint8Array> {
  const { call, cancellation: ending } = answered
  try {
    // A copy: what came without a socket is the server's own.
    return new Uint8Array(await collectBytes(readChunks(answered)))
  } catch (error) {
    ending.signal.throwIfAborted()
    if (error instanceof UnexpectedResponseError) throw error
    throw new ConnectionError(failure.responseCutOff(call, getCauseMessage(error)), { cause: error })
  }
}

/** The declared headers of an answer. */
function readResponseHeaders(declared: AnyReply['headers'], { call, response }: ReceivedResponse): Readonly<Record<string, unknown>> {
  const pairs = Object.entries(declared).map(([name, parameter]) => {
    const text = response.headers.get(name)
    const value: unknown = parameter.read({
      values:
        text === null ? [] : !parameter.repeats ? [text] : isSetCookie(name) ? response.headers.getSetCookie() : splitHeaderList(text),
      isPresent: text !== null,
    })
    if (!isParseError(value)) return [name, value] as const
    throw new UnexpectedResponseError(call, response, failure.responseHeaderIssue(name, value.issues[0]?.detail ?? '', text !== null))
  })
  return Object.fromEntries(pairs)
}

/** Compiles the reader of a body, by its Content-Type: to its value, or to the stream that it is. */
function createResponseBodyReader({ content }: AnyReply): (answered: ReceivedResponse) => unknown {
  if (content === undefined) return async (answered) => void (await readResponseBytes(answered))
  const readers = new Map<string, (answered: ReceivedResponse) => unknown>()
  for (const [essence, decode] of createBodyDecoders(content, toBodyParseError)) {
    readers.set(essence, async (answered) => {
      const value = await decode(await readResponseBytes(answered))
      if (isParseError(value)) throw new UnexpectedResponseError(answered.call, answered.response, describeBodyIssue(value))
      return value
    })
  }
  for (const medium of content.media) {
    const read = createStreamReader(content, medium)
    if (read !== undefined) for (const type of medium.types) readers.set(getEssence(type), read)
  }
  return (answered) => {
    const { call, response } = answered
    const sent = response.headers.get('content-type') ?? ''
    const type = parseMediaType(sent)
    const read = type && isUtf8Charset(type) && readers.get(type.essence)
    if (!read) throw new UnexpectedResponseError(call, response, failure.unexpectedContentType(sent, [...readers.keys()]))
    return read(answered)
  }
}

/** Compiles the reader of an endpoint's answers. */
export function createResponseReader(endpoint: AnyEndpoint): ResponseReader {
  const { response: success, errors } = endpoint
  const readBody = createResponseBodyReader(success)
  const hasHeaders = Object.keys(success.headers).length > 0
  const statuses = new Set([success, ...errors].map(({ status }) => status))
  return async (answered) => {
    const { call, response } = answered
    const { status } = response
    try {
      if (status === success.status) {
        // The headers first: a stream is not begun for an answer that is not as declared.
        const headers = hasHeaders ? readResponseHeaders(success.headers, answered) : undefined
        const body = await readBody(answered)
        return headers === undefined ? body : { body, headers }
      }
      if (status >= 300 || statuses.has(status)) throw await createErrorFromResponse(endpoint, answered, await readResponseBytes(answered))
      throw new UnexpectedResponseError(call, response, status ? failure.describedStatuses([...statuses]) : failure.opaqueRedirect())
    } catch (error) {
      // A body that nobody reads would hold on to its connection.
      cancelBody(response.body)
      throw error
    }
  }
}

// An answer, and what it is an answer to.

/** As `fetch` gave it. */
export interface ReceivedResponse {
  /** What was called: `GET http://127.0.0.1:8081/hello`. */
  readonly call: string
  /** The address without its query; that of the answer, where a redirection was followed. */
  readonly url: string
  readonly response: Response
  /** What ends the reading of it before its end. */
  readonly cancellation: Cancellation
  /** The most bytes to hold of it at once. */
  readonly limit: number
}
