/** A witness of a change: a request, or a response to one, with which a program of one description breaks at a server of the other. */
import { percentEncode } from 'lapidary/internal'

/** A header or a query parameter: its name and its value. */
export type NamedText = readonly [name: string, value: string]

/** A request that a program of one description may send. */
export interface WitnessRequest {
  readonly method: string
  /** Percent-encoded, without the query. */
  readonly path: string
  readonly query: readonly NamedText[]
  readonly headers: readonly NamedText[]
  /** As it is sent. Absent: the request has none. */
  readonly body?: string
}

/** A response that a server of one description may send. */
export interface WitnessResponse {
  readonly status: number
  readonly headers: readonly NamedText[]
  /** As it is sent. Absent: the response has none. */
  readonly body?: string
}

/** What shows that a change breaks programs. Plain data. */
export interface Witness {
  /** The description of the program that sends the request. The server has the other one. */
  readonly caller: 'old' | 'new'
  readonly request: WitnessRequest
  /** What the server may send, and the program does not expect. Absent: the server refuses the request. */
  readonly response?: WitnessResponse
}

/** The path and the query of a request, percent-encoded. */
export function formatWitnessTarget({ path, query }: WitnessRequest): string {
  const pairs = query.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

const formatMessage = (firstLine: string, headers: readonly NamedText[], body: string | undefined): string =>
  [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), ...(body === undefined ? [] : ['', body])].join('\n')

const formatWitnessResponse = ({ status, headers, body }: WitnessResponse): string => formatMessage(`HTTP/1.1 ${status}`, headers, body)

/**
 * Formats a witness: the request, and the response if the change is in it.
 *
 * @returns lines as HTTP/1.1 has them, without a line feed at the end
 * @example
 * ```ts
 * import { type Change, formatWitness } from '@lapidary/testing'
 *
 * declare const change: Change
 * if (change.witness !== undefined) console.log(formatWitness(change.witness))
 * ```
 */
export function formatWitness({ request, response }: Witness): string {
  const text = formatMessage(`${request.method} ${formatWitnessTarget(request)}`, request.headers, request.body)
  return response === undefined ? text : `${text}\n\n${formatWitnessResponse(response)}`
}
