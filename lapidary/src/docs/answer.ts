/** What documentation says of one answer: that of success, a declared error, or a refusal of the toolkit. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Reply } from '../describe/reply.ts'
import { isBodiless, reasonOf } from '../describe/status.ts'
import type { Step } from '../describe/steps.ts'
import { type Encoding, encodingsOf } from '../examples/encoding.ts'
import { parted } from '../examples/parted.ts'
import { constantsOf, type Field, fieldOf } from './field.ts'

/** One answer. Plain data. */
export interface Answer {
  status: number
  /** The reason phrase: `OK`, `Not Found`. */
  reason: string
  /** Empty where there is none. */
  description: string
  headers: Field[]
  /** Whether the body is problem details (RFC 9457), as that of an error is which declares no other. */
  problem: boolean
  /** Empty where there is no body, or where it is problem details. */
  encodings: Encoding[]
}

/** The answer that a reply declares, with an example where one is given; `place` opens the complaint about an example that does not fit. */
export async function answerOf(reply: Reply<unknown, unknown>, example: unknown, place: string): Promise<Answer> {
  const { body, headers } = parted(reply, example, place)
  return {
    status: reply.status,
    reason: reasonOf(reply.status),
    description: reply.description ?? '',
    headers: Object.entries(reply.headers).map(([name, parameter]) =>
      fieldOf(name, parameter, headers[name] === undefined ? [] : parameter.write(headers[name])),
    ),
    problem: false,
    encodings: await encodingsOf(reply.content, body, place),
  }
}

/** The answer that a declared error is. */
export const errorOf = async (reply: Reply<unknown, unknown>, place: string): Promise<Answer> => ({
  ...(await answerOf(reply, undefined, place)),
  problem: reply.content === undefined && !isBodiless(reply.status),
})

/** The answer by which the toolkit refuses a request to this endpoint. */
export function refusalOf({ status, description, headers }: Step, endpoint: AnyEndpoint): Answer {
  const fields = constantsOf(headers(endpoint))
  return {
    status,
    reason: reasonOf(status),
    description,
    // Of several headers, a refusal carries one.
    headers: fields.map((field) => ({ ...field, required: fields.length === 1 })),
    problem: true,
    encodings: [],
  }
}
