/** The two parts of an example answer: its body, and the headers that its reply declares. */
import * as complaint from '../describe/complaint.ts'
import type { Reply, WithHeaders } from '../describe/reply.ts'

type ExampleHeaders = Readonly<Record<string, unknown>>

/** An example is what the handler would return: with declared headers, body and headers together. `place` opens the complaint. @throws TypeError */
export function splitExample(reply: Reply<unknown, unknown>, example: unknown, place: string): WithHeaders<unknown, ExampleHeaders> {
  if (example === undefined || Object.keys(reply.headers).length === 0) return { body: example, headers: {} }
  if (typeof example !== 'object' || example === null || !('headers' in example))
    throw new TypeError(complaint.missingResponseHeaders(place))
  // What has headers was made by withHeaders(), as the endpoint's type asks.
  return example as WithHeaders<unknown, ExampleHeaders>
}
