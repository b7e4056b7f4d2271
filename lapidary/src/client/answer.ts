/** Reads an answer as its endpoint declares it; what is declared nowhere is thrown, never passed off as a value. */
import { createBodyDecoders, isUtf8Charset } from '../describe/decode.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import * as failure from '../describe/failure.ts'
import { splitHeaderList } from '../describe/headerField.ts'
import { getEssence, parseMediaType } from '../describe/mediaType.ts'
import { ParseError } from '../describe/refusal.ts'
import type { AnyReply } from '../describe/reply.ts'
import { collectBytes } from '../describe/whole.ts'
import type { ReceivedResponse } from './answered.ts'
import { describeBodyIssue, toBodyParseError } from './flaw.ts'
import { ConnectionError, getCauseMessage } from './noAnswer.ts'
import { cancelBody, readChunks } from './pieces.ts'
import { createErrorFromResponse } from './received.ts'
import { createStreamReader } from './streamed.ts'
import { UnexpectedResponseError } from './unexpectedAnswer.ts'

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
    // A cookie may have commas in it.
    const value: unknown = parameter.read({
      values:
        text === null
          ? []
          : !parameter.repeats
            ? [text]
            : name.toLowerCase() === 'set-cookie'
              ? response.headers.getSetCookie()
              : splitHeaderList(text),
      isPresent: text !== null,
    })
    if (!(value instanceof ParseError)) return [name, value] as const
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
      if (value instanceof ParseError) throw new UnexpectedResponseError(answered.call, answered.response, describeBodyIssue(value))
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
