/** What is there, and what may be sent in its place. */
import { isDeepStrictEqual } from 'node:util'
import { getJsonSchema } from '../../describe/schema.ts'
import type { Call } from '../../generate/calls.ts'
import type { WireResponse } from '../exchange.ts'
import type { EndpointUnderTest } from '../predicate.ts'
import { readResponseValue } from './body.ts'

/** Whether what is sent to one endpoint is what another answers with, as far as their schemas say. */
export function hasSameSchema({ endpoint: { body } }: EndpointUnderTest, { endpoint: { response } }: EndpointUnderTest): boolean {
  const [sent, got] = [body?.schema, response.content?.schema]
  return sent !== undefined && got !== undefined && isDeepStrictEqual(getJsonSchema(sent), getJsonSchema(got))
}

/** The same call with what is there as its body, where that is what the endpoint takes. */
export async function withCurrentBody(call: Call, subject: EndpointUnderTest, at: EndpointUnderTest, seen: WireResponse): Promise<Call> {
  const value = hasSameSchema(subject, at) ? await readResponseValue(at.endpoint.response, seen) : undefined
  return value === undefined || call.body === undefined ? call : { ...call, body: { ...call.body, value } }
}

/** The headers of a call, without the conditions among them. */
export const withoutConditionTexts = (headers: Call['headers']): Call['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, texts]) => [name, /^if-/i.test(name) ? [] : texts]))
