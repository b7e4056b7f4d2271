/** Answers of a collection's endpoints: with what is kept, where their replies have a place for it. */
import type { ParameterValues } from '../describe/reading.ts'
import { ParseError } from '../describe/refusal.ts'
import { type AnyReply, withHeaders } from '../describe/reply.ts'
import { drawNumber, toKey } from './draw.ts'
import type { MockInput } from './handle.ts'
import { type DetectedCollection, isItemSchema, isListSchema, type MockEndpoint } from './shapes.ts'
import { createHeadersMaker, createReplyMaker, getHandlerReply, getResponseExample } from './success.ts'

/** Puts an answer together; `location` is where an item was created. */
export type RespondWithItem = (value: unknown, given: MockInput, location?: string) => unknown

/** The headers with the Location that they declare, in whatever case. */
function addLocation(headers: ParameterValues, { headers: declared }: AnyReply, location: string | undefined): ParameterValues {
  const [name, parameter] = Object.entries(declared).find(([one]) => one.toLowerCase() === 'location') ?? []
  if (name === undefined || location === undefined) return headers
  const value: unknown = parameter?.read({ values: [location], isPresent: true })
  return value instanceof ParseError ? headers : { ...headers, [name]: value }
}

/** What an endpoint of a collection answers with a value; where its reply has another body, with whatever that allows. */
export function createItemResponder(
  one: MockEndpoint | undefined,
  { schema, identifier }: DetectedCollection,
  seed: number,
): RespondWithItem {
  if (one === undefined) return () => undefined
  const { name, endpoint } = one
  const reply = getHandlerReply(endpoint)
  const body = reply.content?.schema
  const isOfIts = reply.content === undefined || isItemSchema(body, schema, identifier) || isListSchema(body, schema)
  const other = createReplyMaker(endpoint.route, { ...reply, headers: {} })
  const headers = createHeadersMaker(reply)
  const shown = Object(getResponseExample(endpoint)).headers as ParameterValues | undefined
  const hasHeaders = Object.keys(reply.headers).length > 0
  return (value, { params }, location) => {
    const drawn = drawNumber(seed, name, toKey(params))
    const told = isOfIts ? (reply.content === undefined ? undefined : value) : other(drawn, params)
    return hasHeaders ? withHeaders(told, addLocation({ ...headers(drawn), ...shown }, reply, location)) : told
  }
}
