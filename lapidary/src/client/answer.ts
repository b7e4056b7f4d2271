/** Reads an answer as its endpoint declares it; what is declared nowhere is thrown, never passed off as a value. */
import { decoders, isUtf8 } from '../describe/decode.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import * as failure from '../describe/failure.ts'
import { elementsOf } from '../describe/headerField.ts'
import { essenceOf, mediaType } from '../describe/mediaType.ts'
import { Refusal } from '../describe/refusal.ts'
import type { AnyReply } from '../describe/reply.ts'
import { whole } from '../describe/whole.ts'
import type { Answered } from './answered.ts'
import { flawIn, refusedBody } from './flaw.ts'
import { NoAnswer, reasonIn } from './noAnswer.ts'
import { left, pieces } from './pieces.ts'
import { received } from './received.ts'
import { streamedReader } from './streamed.ts'
import { UnexpectedAnswer } from './unexpectedAnswer.ts'

/** Reads the answers of one endpoint: to the value of success. @throws HttpError, UnexpectedAnswer, NoAnswer. */
export type AnswerReader = (answered: Answered) => Promise<unknown>

async function bytesOf(answered: Answered): Promise<Uint8Array> {
  const { call, ending } = answered
  try {
    // A copy: what came without a socket is the server's own.
    return new Uint8Array(await whole(pieces(answered)))
  } catch (error) {
    ending.signal.throwIfAborted()
    if (error instanceof UnexpectedAnswer) throw error
    throw new NoAnswer(failure.cutOff(call, reasonIn(error)), { cause: error })
  }
}

/** The declared headers of an answer. */
function headersOf(declared: AnyReply['headers'], { call, response }: Answered): Readonly<Record<string, unknown>> {
  const pairs = Object.entries(declared).map(([name, parameter]) => {
    const text = response.headers.get(name)
    // A cookie may have commas in it.
    const value: unknown = parameter.read({
      texts:
        text === null
          ? []
          : !parameter.repeats
            ? [text]
            : name.toLowerCase() === 'set-cookie'
              ? response.headers.getSetCookie()
              : elementsOf(text),
      named: text !== null,
    })
    if (!(value instanceof Refusal)) return [name, value] as const
    throw new UnexpectedAnswer(call, response, failure.header(name, value.flaws[0]?.detail ?? '', text !== null))
  })
  return Object.fromEntries(pairs)
}

/** Compiles the reader of a body, by its Content-Type: to its value, or to the stream that it is. */
function bodyReader({ content }: AnyReply): (answered: Answered) => unknown {
  if (content === undefined) return async (answered) => void (await bytesOf(answered))
  const readers = new Map<string, (answered: Answered) => unknown>()
  for (const [essence, decode] of decoders(content, refusedBody)) {
    readers.set(essence, async (answered) => {
      const value = await decode(await bytesOf(answered))
      if (value instanceof Refusal) throw new UnexpectedAnswer(answered.call, answered.response, flawIn(value))
      return value
    })
  }
  for (const medium of content.media) {
    const read = streamedReader(content, medium)
    if (read !== undefined) for (const type of medium.types) readers.set(essenceOf(type), read)
  }
  return (answered) => {
    const { call, response } = answered
    const sent = response.headers.get('content-type') ?? ''
    const type = mediaType(sent)
    const read = type && isUtf8(type) && readers.get(type.essence)
    if (!read) throw new UnexpectedAnswer(call, response, failure.type(sent, [...readers.keys()]))
    return read(answered)
  }
}

/** Compiles the reader of an endpoint's answers. */
export function answerReader(endpoint: AnyEndpoint): AnswerReader {
  const { response: success, errors } = endpoint
  const readBody = bodyReader(success)
  const hasHeaders = Object.keys(success.headers).length > 0
  const statuses = new Set([success, ...errors].map(({ status }) => status))
  return async (answered) => {
    const { call, response } = answered
    const { status } = response
    try {
      if (status === success.status) {
        // The headers first: a stream is not begun for an answer that is not as declared.
        const headers = hasHeaders ? headersOf(success.headers, answered) : undefined
        const body = await readBody(answered)
        return headers === undefined ? body : { body, headers }
      }
      if (status >= 300 || statuses.has(status)) throw await received(endpoint, answered, await bytesOf(answered))
      throw new UnexpectedAnswer(call, response, status ? failure.statuses([...statuses]) : failure.hidden())
    } catch (error) {
      // A body that nobody reads would hold on to its connection.
      left(response.body)
      throw error
    }
  }
}
