/** Answers of a collection's endpoints: with what is kept, where their replies have a place for it. */
import type { Values } from '../describe/reading.ts'
import { Refusal } from '../describe/refusal.ts'
import { type AnyReply, withHeaders } from '../describe/reply.ts'
import { draw, wordOf } from './draw.ts'
import type { Given } from './handle.ts'
import { isItem, isListOf, type Named, type Shape } from './shapes.ts'
import { exampleOf, headersMaking, replyMaking, replyOf } from './success.ts'

/** Puts an answer together; `location` is where an item was created. */
export type Answering = (value: unknown, given: Given, location?: string) => unknown

/** The headers with the Location that they declare, in whatever case. */
function located(headers: Values, { headers: declared }: AnyReply, location: string | undefined): Values {
  const [name, parameter] = Object.entries(declared).find(([one]) => one.toLowerCase() === 'location') ?? []
  if (name === undefined || location === undefined) return headers
  const value: unknown = parameter?.read({ texts: [location], named: true })
  return value instanceof Refusal ? headers : { ...headers, [name]: value }
}

/** What an endpoint of a collection answers with a value; where its reply has another body, with whatever that allows. */
export function answering(one: Named | undefined, { schema, identifier }: Shape, seed: number): Answering {
  if (one === undefined) return () => undefined
  const { name, endpoint } = one
  const reply = replyOf(endpoint)
  const body = reply.content?.schema
  const isOfIts = reply.content === undefined || isItem(body, schema, identifier) || isListOf(body, schema)
  const other = replyMaking(endpoint.route, { ...reply, headers: {} })
  const headers = headersMaking(reply)
  const shown = Object(exampleOf(endpoint)).headers as Values | undefined
  const hasHeaders = Object.keys(reply.headers).length > 0
  return (value, { params }, location) => {
    const drawn = draw(seed, name, wordOf(params))
    const told = isOfIts ? (reply.content === undefined ? undefined : value) : other(drawn, params)
    return hasHeaders ? withHeaders(told, located({ ...headers(drawn), ...shown }, reply, location)) : told
  }
}
