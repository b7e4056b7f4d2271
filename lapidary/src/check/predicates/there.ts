/** What is there, and what may be sent in its place. */
import { isDeepStrictEqual } from 'node:util'
import { jsonSchemaOf } from '../../describe/schema.ts'
import type { Call } from '../../generate/calls.ts'
import type { Answered } from '../exchange.ts'
import type { Subject } from '../predicate.ts'
import { valueIn } from './body.ts'

/** Whether what is sent to one endpoint is what another answers with, as far as their schemas say. */
export function isSame({ endpoint: { body } }: Subject, { endpoint: { response } }: Subject): boolean {
  const [sent, got] = [body?.schema, response.content?.schema]
  return sent !== undefined && got !== undefined && isDeepStrictEqual(jsonSchemaOf(sent), jsonSchemaOf(got))
}

/** The same call with what is there as its body, where that is what the endpoint takes. */
export async function asItIs(call: Call, subject: Subject, at: Subject, seen: Answered): Promise<Call> {
  const value = isSame(subject, at) ? await valueIn(at.endpoint.response, seen) : undefined
  return value === undefined || call.body === undefined ? call : { ...call, body: { ...call.body, value } }
}

/** The headers of a call, without the conditions among them. */
export const withoutConditions = (headers: Call['headers']): Call['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, texts]) => [name, /^if-/i.test(name) ? [] : texts]))
