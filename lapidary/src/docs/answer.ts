/** What documentation says of one answer: that of success, a declared error, or a refusal of the toolkit. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Reply } from '../describe/reply.ts'
import { getReasonPhrase, isNullBodyStatus } from '../describe/status.ts'
import type { RequestStep } from '../describe/steps.ts'
import { createEncodings, type Encoding } from '../examples/encoding.ts'
import { splitExample } from '../examples/parted.ts'
import { documentConstants, documentParameter, type Field } from './field.ts'

/** One answer. Plain data. */
export interface DocumentedResponse {
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
export async function documentResponse(reply: Reply<unknown, unknown>, example: unknown, place: string): Promise<DocumentedResponse> {
  const { body, headers } = splitExample(reply, example, place)
  return {
    status: reply.status,
    reason: getReasonPhrase(reply.status),
    description: reply.description ?? '',
    headers: Object.entries(reply.headers).map(([name, parameter]) =>
      documentParameter(name, parameter, headers[name] === undefined ? [] : parameter.write(headers[name])),
    ),
    problem: false,
    encodings: await createEncodings(reply.content, body, place),
  }
}

/** The answer that a declared error is. */
export const documentError = async (reply: Reply<unknown, unknown>, place: string): Promise<DocumentedResponse> => ({
  ...(await documentResponse(reply, undefined, place)),
  problem: reply.content === undefined && !isNullBodyStatus(reply.status),
})

/** The answer by which the toolkit refuses a request to this endpoint. */
export function documentBuiltInError({ status, description, headers }: RequestStep, endpoint: AnyEndpoint): DocumentedResponse {
  const fields = documentConstants(headers(endpoint))
  return {
    status,
    reason: getReasonPhrase(status),
    description,
    // Of several headers, a refusal carries one.
    headers: fields.map((field) => ({ ...field, required: fields.length === 1 })),
    problem: true,
    encodings: [],
  }
}
