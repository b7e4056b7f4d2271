/** The steps that a request goes through before its handler sees it, in their order: which endpoints have them, and how they refuse. */
import { essencesOf } from './content.ts'
import * as documentation from './documentation.ts'
import type { AnyEndpoint } from './endpoint.ts'

/** One step. */
export interface Step {
  /** Whether requests to this endpoint go through it. */
  readonly has: (endpoint: AnyEndpoint) => boolean
  /** The status of its refusal. */
  readonly status: number
  /** When it refuses, for the documentation. */
  readonly description: string
  /** The header that its refusal carries, with a value to show; of several, one. */
  readonly headers: (endpoint: AnyEndpoint) => Readonly<Record<string, string>>
}

const none = (): Readonly<Record<string, string>> => ({})
const always = (): boolean => true
const hasBody = ({ body }: AnyEndpoint): boolean => body !== undefined

/** The steps of every request. The server compiles an endpoint by them, and documentation tells of them. */
export const steps: Readonly<Record<'credentials' | 'negotiation' | 'contentType' | 'reading' | 'size' | 'handler', Step>> = Object.freeze({
  credentials: {
    has: ({ auth }) => auth !== undefined,
    status: 401,
    description: documentation.noCredentials(),
    headers: ({ auth }) => ({ 'WWW-Authenticate': auth?.challenge ?? '' }),
  },
  negotiation: {
    has: ({ response }) => response.content !== undefined,
    status: 406,
    description: documentation.notAcceptable(),
    headers: () => ({ Vary: 'Accept' }),
  },
  contentType: {
    has: hasBody,
    status: 415,
    description: documentation.unsupported(),
    headers: ({ body }) => ({ Accept: body === undefined ? '' : essencesOf(body).join(', '), 'Accept-Encoding': 'identity' }),
  },
  // The path and the query of every request must be percent-encoded UTF-8, declared or not.
  reading: { has: always, status: 400, description: documentation.unreadable(), headers: none },
  size: { has: hasBody, status: 413, description: documentation.bodyTooLarge(), headers: none },
  handler: { has: always, status: 500, description: documentation.unexpected(), headers: none },
})

/** Everything that the toolkit itself may answer in place of the handler, by status. All of it is problem details. */
export const refusalsOf = (endpoint: AnyEndpoint): readonly Step[] =>
  Object.values(steps)
    .filter((step) => step.has(endpoint))
    .toSorted((one, other) => one.status - other.status)
