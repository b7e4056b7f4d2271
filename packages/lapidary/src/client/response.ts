/** Reads a response as its endpoint declares it. An undeclared response is thrown. */
import { createBodyDecoders, createItemValidator, isUtf8Charset, type ToParseError } from '../contract/bodyDecoders.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { getEssences } from '../contract/media/content.ts'
import type { Content, MediaTypeDefinition, SkippedListener } from '../contract/media/mediaType.ts'
import { type AnyReply, findReplies, getStatusKey } from '../contract/reply.ts'
import { collectBytes } from '../http/chunks.ts'
import { decodeUtf8 } from '../http/encodings.ts'
import { isSetCookie, splitHeaderList } from '../http/headerFields.ts'
import { createProblem, HttpError, type Problem, type ProblemError } from '../http/httpError.ts'
import { getByMediaType, getEssence, isInMediaRange, isJsonEssence, type ParsedMediaType, parseMediaType } from '../http/mediaTypes.ts'
import { encodePointer, getCause, isParseError, maxListedErrors, ParseError } from '../json-schema/parseError.ts'
import { getIssuePath, getJsonSchema } from '../json-schema/standardSchema.ts'
import { type Cancellation, onAbort } from './cancellation.ts'
import * as clientErrors from './clientErrorMessages.ts'
import { ConnectionError, declaredForms, getCauseMessage, StreamInterruptedError, UnexpectedResponseError } from './errors.ts'

/** A response of `fetch`, with the call that it belongs to. */
interface ReceivedResponse {
  /** What was called: `GET http://127.0.0.1:8081/hello`. */
  readonly call: string
  /** The URL without its query; after a redirect, that of the response. */
  readonly url: string
  readonly response: Response
  readonly cancellation: Cancellation
  /** How many bytes of the response may be buffered at once. */
  readonly limit: number
  /** The media type that the call asks for; then the body is its text. */
  readonly accept: string | undefined
  readonly onSkipped: SkippedListener | undefined
}

/** Reads the responses of one endpoint. @throws HttpError, UnexpectedResponseError, ConnectionError. */
export type ResponseReader = (received: ReceivedResponse) => Promise<unknown>

/** Compiles the reader of an endpoint's responses. */
export function createResponseReader(endpoint: AnyEndpoint): ResponseReader {
  const { responses, errors } = endpoint
  const hasStatus = responses.length > 1
  const readers = new Map(responses.map((reply) => [reply.status, createReplyReader(reply, hasStatus)]))
  const statuses = new Set([...responses, ...errors].map(getStatusKey))
  return async (received) => {
    const { call, response } = received
    const { status } = response
    try {
      // The header Range of a call asks for a part of a download.
      const readReply = readers.get(status === 206 && endpoint.download ? 200 : status)
      if (readReply !== undefined) return await readReply(received)
      if (status >= 300 || statuses.has(String(status)))
        throw await createErrorFromResponse(endpoint, received, await readResponseBytes(received))
      throw new UnexpectedResponseError(
        call,
        response,
        status ? clientErrors.declaredStatuses([...statuses]) : clientErrors.opaqueRedirect(),
      )
    } catch (error) {
      // A body that is not read would keep its connection.
      cancelBody(response.body)
      throw error
    }
  }
}

/** Compiles the reader of a reply: to its body, to `{ body, headers }`, or, of several replies, to that with its `status`. */
function createReplyReader(reply: AnyReply, hasStatus: boolean): ResponseReader {
  const readBody = createResponseBodyReader(reply)
  const hasHeaders = Object.keys(reply.headers).length > 0
  return async (received) => {
    // Headers first: a stream with invalid headers is not started.
    const values = readResponseHeaders(reply, received.response)
    if (typeof values === 'string') throw new UnexpectedResponseError(received.call, received.response, values)
    const headers = hasHeaders && { headers: values }
    const body = await readBody(received)
    if (hasStatus) return { status: reply.status, body, ...headers }
    return headers ? { body, ...headers } : body
  }
}

/** Reads the declared headers of a response; what is wrong with the first one that the reply does not allow, as a text. */
function readResponseHeaders(reply: AnyReply, { headers }: Response): Readonly<Record<string, unknown>> | string {
  const values: [name: string, value: unknown][] = []
  for (const [name, parameter] of Object.entries(reply.headers)) {
    const text = headers.get(name)
    const value: unknown = parameter.read({
      values: text === null ? [] : !parameter.repeats ? [text] : isSetCookie(name) ? headers.getSetCookie() : splitHeaderList(text),
      isPresent: text !== null,
    })
    if (isParseError(value)) return clientErrors.responseHeaderIssue(name, value.issues[0]?.detail ?? '', text !== null)
    values.push([name, value])
  }
  return Object.fromEntries(values)
}

/** Compiles the reader of a body, by its Content-Type. It returns the value, or an iterable for a stream. */
function createResponseBodyReader({ content }: AnyReply): (received: ReceivedResponse) => unknown {
  if (content === undefined) return async (received) => void (await readResponseBytes(received))
  const readers = new Map<string, (received: ReceivedResponse) => unknown>()
  for (const [essence, decode] of createBodyDecoders(content, toBodyParseError)) {
    readers.set(essence, async (received) => {
      const value = await decode(await readResponseBytes(received), received.response.headers.get('content-type') ?? undefined)
      if (isParseError(value))
        throw new UnexpectedResponseError(received.call, received.response, describeBodyIssue(value), value.issues[0])
      return value
    })
  }
  for (const mediaType of content.media) {
    const read = createStreamReader(content, mediaType)
    if (read !== undefined) for (const type of mediaType.types) readers.set(getEssence(type), read)
  }
  const essences = getEssences(content)
  return (received) => {
    const { call, response, accept } = received
    const contentType = response.headers.get('content-type') ?? ''
    const type = parseMediaType(contentType)
    // Where a reply does not have the media type that the call asks for, any type is better than none.
    const accepted = accept === undefined ? undefined : essences.includes(getEssence(accept)) ? [getEssence(accept)] : essences
    const isAccepted = accepted?.some((range) => type && isInMediaRange(type.essence, range))
    const read = accepted === undefined ? type && getByMediaType(readers, type.essence) : isAccepted && readText
    if (!read || !isUtf8Charset(type as ParsedMediaType))
      throw new UnexpectedResponseError(call, response, clientErrors.unexpectedContentType(contentType, accepted ?? [...readers.keys()]))
    return read(received)
  }
}

/** Reads a body as it is sent. */
async function readText(received: ReceivedResponse): Promise<string> {
  const text = decodeUtf8(await readResponseBytes(received))
  if (text !== undefined) return text
  throw new UnexpectedResponseError(received.call, received.response, clientErrors.responseNotText())
}

async function readResponseBytes(received: ReceivedResponse): Promise<Uint8Array> {
  const { call, cancellation } = received
  try {
    // A copy: without a socket, the bytes belong to the server.
    return new Uint8Array(await collectBytes(readChunks(received)))
  } catch (error) {
    cancellation.signal.throwIfAborted()
    if (error instanceof UnexpectedResponseError) throw error
    throw new ConnectionError(clientErrors.responseCutOff(call, getCauseMessage(error)), { cause: error })
  }
}

/** Cancels a body. The result does not matter, and is not awaited. */
export const cancelBody = (body: Pick<ReadableStream, 'cancel'> | null): void => void body?.cancel().catch(() => undefined)

/**
 * Reads a body chunk by chunk, as the caller asks for it, so that a slow caller slows the server down. A caller that stops early cancels
 * the body.
 *
 * @param buffer counts the bytes that the caller buffers: the caller sets the size to 0 when it has used them
 * @throws the error of `fetch`; UnexpectedResponseError if the caller buffers more than `limit` bytes.
 */
async function* readChunks(
  { call, response, cancellation: { signal }, limit }: StreamedResponse,
  buffer: { size: number } = { size: 0 },
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (reader === undefined) return
  // Some `fetch` ignore the signal.
  const removeListener = onAbort(signal, () => cancelBody(reader))
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      buffer.size += chunk.value.length
      yield chunk.value
      if (buffer.size > limit) throw new UnexpectedResponseError(call, response, clientErrors.responseTooLarge(limit))
    }
    // A cancelled body looks like one that ended.
    signal.throwIfAborted()
  } finally {
    removeListener()
    cancelBody(reader)
  }
}

/** A response whose body is read as a stream. */
export type StreamedResponse = Pick<ReceivedResponse, 'call' | 'response' | 'cancellation' | 'limit' | 'onSkipped'>

/** Reads a stream: its items, then its end. @throws StreamInterruptedError, UnexpectedResponseError while it is iterated. */
type ResponseStreamReader = (received: StreamedResponse) => AsyncIterable<unknown>

/** Compiles the reader of a streamed content in one media type; undefined if that type is read as a whole. */
function createStreamReader(
  { schema }: Content<unknown, unknown>,
  { streamReader }: MediaTypeDefinition<unknown>,
): ResponseStreamReader | undefined {
  if (streamReader === undefined) return undefined
  return createStreamItemReader(streamReader(schema && getJsonSchema(schema)), createItemValidator(schema, toBodyParseError))
}

/**
 * Creates the reader of a stream.
 *
 * @param readStream reads values from chunks
 * @param validate returns the item of a value, or a ParseError, or a promise of either
 */
export function createStreamItemReader(
  readStream: ReturnType<NonNullable<MediaTypeDefinition<unknown>['streamReader']>>,
  validate: (value: unknown) => unknown,
): ResponseStreamReader {
  async function* readItems(received: StreamedResponse, removeListeners: () => void): AsyncGenerator<unknown, void, undefined> {
    const { call, response, cancellation, onSkipped } = received
    let items = 0
    const buffer = { size: 0 }
    const skip: SkippedListener = (fields) => {
      buffer.size = 0
      onSkipped?.(fields)
    }
    /** The items before they are validated. Only reading can fail here. */
    async function* readValues(): AsyncGenerator<unknown, void, undefined> {
      try {
        yield* readStream(readChunks(received, buffer), false, skip)
      } catch (error) {
        cancellation.signal.throwIfAborted()
        if (error instanceof UnexpectedResponseError) throw error
        throw new StreamInterruptedError(call, items, error)
      }
    }
    try {
      for await (const value of readValues()) {
        buffer.size = 0
        const item = await validate(value)
        // After a cancellation, not even the remaining items of a chunk are returned.
        cancellation.signal.throwIfAborted()
        if (isParseError(item)) throw new UnexpectedResponseError(call, response, describeBodyIssue(item, `/${items}`), item.issues[0])
        yield item
        items += 1
      }
    } finally {
      removeListeners()
    }
  }

  // What cancels the call cancels its stream.
  return (received) => readItems(received, received.cancellation.listen())
}

/** Keeps the messages of the schema: translated ones would add a second set of messages to the bundle of a client. */
const toBodyParseError: ToParseError = (issues) =>
  new ParseError(
    issues
      .slice(0, maxListedErrors)
      .map((issue) => ({ pointer: encodePointer(getIssuePath(issue)), detail: issue.message, ...getCause(issue) })),
  )

/**
 * Describes the first issue of a body.
 *
 * @param place the JSON Pointer of the value in the response
 */
function describeBodyIssue({ issues: [first] }: ParseError, place = ''): string {
  return clientErrors.responseBodyIssue(place + (first?.pointer ?? ''), first?.detail ?? '')
}

const isText = (value: unknown): boolean => typeof value === 'string'

function isProblemError(value: unknown): value is ProblemError {
  const { in: place, detail, name = '', pointer = '' } = Object(value) as Readonly<Record<string, unknown>>
  return [place, detail, name, pointer].every(isText)
}

/** Reads problem details (RFC 9457). A member of another type than the RFC's is left out (§3.1); further members are kept. */
function parseProblem(status: number, value: unknown): Problem | undefined {
  // `Object` wraps a primitive, and returns an object itself.
  if (Object(value) !== value) return undefined
  const { type, title, detail, instance, requestId, errors, ...others } = value as Readonly<Record<string, unknown>>
  const texts = Object.entries({ type, title, detail, instance, requestId }).filter(([, member]) => isText(member))
  return {
    ...others,
    ...createProblem(status, Object.fromEntries(texts)),
    ...(Array.isArray(errors) && { errors: errors.filter(isProblemError) }),
  }
}

/** Reads an error body that is not declared: a JSON value, text or bytes, by its type; undefined if it is empty. */
function readUndeclaredBody(type: ParsedMediaType | undefined, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = type && isUtf8Charset(type) ? decodeUtf8(bytes) : undefined
  if (text === undefined) return bytes
  try {
    return isJsonEssence(type?.essence ?? '') ? JSON.parse(text) : text
  } catch {
    return text
  }
}

/** Reads the body of a declared error; a ParseError if the response does not have its form. */
function readDeclaredBody({ content }: AnyReply, type: ParsedMediaType | undefined, bytes: Uint8Array, hasProblem: boolean): unknown {
  const mismatch = new ParseError([])
  if (content === undefined) return hasProblem || bytes.length === 0 ? undefined : mismatch
  const decode = type && isUtf8Charset(type) ? createBodyDecoders(content, toBodyParseError).get(type.essence) : undefined
  return decode === undefined ? mismatch : decode(bytes)
}

/**
 * Makes the HttpError of a response. It is a declared error (see `isDeclaredError`) only if its status, its headers and its body have the
 * declared form.
 */
async function createErrorFromResponse(endpoint: AnyEndpoint, { response, url }: ReceivedResponse, bytes: Uint8Array): Promise<HttpError> {
  const { status, statusText, headers } = response
  const type = parseMediaType(headers.get('content-type') ?? '')
  const value = readUndeclaredBody(type, bytes)
  const problem = type?.essence === 'application/problem+json' ? parseProblem(status, value) : undefined
  const cookies = headers.getSetCookie()
  const createError = (body: unknown, declaredHeaders?: object): HttpError =>
    new HttpError(status, {
      body,
      headers: { ...Object.fromEntries(headers), ...(cookies[1] && { 'set-cookie': cookies }), ...declaredHeaders },
      received: { route: endpoint.route, url, problem },
      reason: statusText || undefined,
      detail: problem?.detail,
      errors: problem?.errors,
    })
  const declared = findReplies(endpoint.errors, status)
  // Any problem is one without a type as well.
  for (const reply of [...declared.filter((error) => error.problem), ...declared.filter((error) => !error.problem)]) {
    const declaredHeaders = readResponseHeaders(reply, response)
    const body = await readDeclaredBody(reply, type, bytes, problem !== undefined)
    if (typeof declaredHeaders !== 'string' && !isParseError(body)) {
      const error = createError(body, declaredHeaders)
      declaredForms.set(error, reply)
      return error
    }
  }
  return createError(problem === undefined ? value : undefined)
}
