/** What documentation says of one answer: that of success, or a declared error. */
import { complaint } from '../describe/message.ts'
import type { Reply, WithHeaders } from '../describe/reply.ts'
import { reasonOf } from '../describe/status.ts'
import { text } from '../describe/text.ts'
import { type Encoding, encodingsOf } from '../examples/encoding.ts'
import { type Field, fieldOf } from './field.ts'

/** One answer. Plain data. */
export interface Answer {
  status: number
  /** The reason phrase: `OK`, `Not Found`. */
  reason: string
  /** Empty where there is none. */
  description: string
  headers: Field[]
  /** Empty where there is no body. */
  encodings: Encoding[]
}

type Values = Readonly<Record<string, unknown>>

/** An example is what the handler would return: with declared headers, body and headers together. */
function parted(reply: Reply<unknown, unknown>, example: unknown, place: string): WithHeaders<unknown, Values> {
  if (example === undefined || Object.keys(reply.headers).length === 0) return { body: example, headers: {} }
  if (typeof example !== 'object' || example === null || !('headers' in example)) throw new TypeError(complaint.missingHeaders(place))
  // What has headers was made by withHeaders(), as the endpoint's type asks.
  return example as WithHeaders<unknown, Values>
}

/**
 * The answer that a reply declares, with an example where one is given. `always` are the headers that every answer of the endpoint carries;
 * `place` opens the complaint about an example that does not fit.
 */
export async function answerOf(
  reply: Reply<unknown, unknown>,
  example: unknown,
  always: Readonly<Record<string, string>>,
  place: string,
): Promise<Answer> {
  const { body, headers } = parted(reply, example, place)
  return {
    status: reply.status,
    reason: reasonOf(reply.status),
    description: reply.description ?? '',
    headers: [
      ...Object.entries(reply.headers).map(([name, parameter]) =>
        fieldOf(name, parameter, headers[name] === undefined ? [] : parameter.write(headers[name])),
      ),
      ...Object.entries(always).map(([name, value]) => fieldOf(name, text, [value])),
    ],
    encodings: await encodingsOf(reply.content, body, place),
  }
}
