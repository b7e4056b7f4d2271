/** Examples for documentation and tests: those of a parameter, and those that an endpoint states for its body and its replies. */
import { createExample } from '../json-schema/example.ts'
import { isParseError } from '../json-schema/parseError.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { removeDownloadHeaders } from './download.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { removeEtag } from './etag.ts'
import { isUnnamed, type NamedExample, type UnnamedExample } from './examples.ts'
import type { AnyParameter } from './parameters/parameter.ts'
import { toWireParameter } from './parameters/schemaParameter.ts'
import { type AnyReply, isStatusValue, statusKey, type WithHeaders } from './reply.ts'

/** The texts to show for a parameter: its own; without any, those of a value that its JSON Schema allows. */
export function getParameterExamples(parameter: AnyParameter): readonly string[] {
  if (parameter.examples.length > 0) return parameter.examples
  try {
    const values = toWireParameter(parameter).write(createExample(parameter.jsonSchema))
    // The schema may have rules that its JSON Schema does not tell.
    return isParseError(parameter.read({ values, isPresent: true })) ? [] : values
  } catch {
    return []
  }
}

/** An example, whichever way it is written. Without a name or a summary, that is the empty text. */
interface EndpointExample {
  readonly name: string
  readonly summary: string
  readonly body: unknown
  readonly response: unknown
}

/** Lists the examples of an endpoint, in the order of declaration. */
export function listExamples({ examples }: Pick<AnyEndpoint, 'examples'>): readonly EndpointExample[] {
  const entries: readonly (readonly [string, NamedExample<unknown, unknown>])[] = isUnnamed(examples)
    ? [['', examples as UnnamedExample<unknown, unknown>]]
    : Object.entries(examples)
  return entries.map(([name, { summary = '', body, response }]) => ({ name, summary, body, response }))
}

/** A value to encode as an example. */
export interface ExampleValue {
  readonly name: string
  readonly summary: string
  readonly value: unknown
}

/** Lists the examples of the request body. */
export const listBodyExamples = (endpoint: Pick<AnyEndpoint, 'examples'>): readonly ExampleValue[] =>
  listExamples(endpoint).flatMap(({ name, summary, body }) => (body === undefined ? [] : [{ name, summary, value: body }]))

/** An example of a response. */
export interface ResponseExample extends ExampleValue {
  readonly headers: Readonly<Record<string, unknown>>
}

/** Splits what a handler returns into the body and the headers. */
function splitResult(reply: AnyReply, result: unknown, place: string): WithHeaders<unknown, ResponseExample['headers']> {
  if (Object.keys(reply.headers).length === 0) return { body: result, headers: {} }
  if (typeof result !== 'object' || result === null || !('headers' in result))
    throw new TypeError(developerErrors.missingResponseHeaders(place, Object.keys(reply.headers).join(', '), reply.content !== undefined))
  // The endpoint's type asks for the result of withHeaders().
  return result as WithHeaders<unknown, ResponseExample['headers']>
}

/**
 * Lists the examples of one of the replies of success.
 *
 * @param place where the examples stand, for the message of an error
 * @throws TypeError where an example has no headers and the reply declares some
 */
export function listResponseExamples(endpoint: AnyEndpoint, reply: AnyReply, place: string): readonly ResponseExample[] {
  const isUsual = reply === endpoint.response
  // The server adds the ETag, and the headers of a file, to what a handler returns.
  const handlerReply = isUsual && endpoint.etag === true ? removeEtag(reply) : removeDownloadHeaders(reply)
  return listExamples(endpoint).flatMap(({ name, summary, response }): readonly ResponseExample[] => {
    const [isShown, result] = isStatusValue(response) ? [response[statusKey] === reply.status, response.value] : [isUsual, response]
    if (!isShown || response === undefined) return []
    const { body, headers } = splitResult(handlerReply, result, place)
    return [{ name, summary, value: body, headers }]
  })
}
