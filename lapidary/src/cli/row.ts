/** What `lapidary routes` says of one endpoint or mount. */
import type { NamedOperation } from '../describe/api.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Content } from '../describe/medium.ts'
import type { Mount } from '../describe/mount.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import type { AnyReply } from '../describe/reply.ts'
import { documentSecurity } from '../docs/protection.ts'
import { labelMediaTypes } from './mediaWord.ts'
import { labelType } from './typeWord.ts'

/** A value that stands under a name. */
export interface ParameterSummary {
  readonly name: string
  /** `integer`, `age|name`, `list of text`. */
  readonly type: string
  readonly required: boolean
}

/** One answer. */
export interface ReplySummary {
  readonly status: number
  /** The media of its body, in short words; empty where it has none. */
  readonly body: readonly string[]
  readonly headers: readonly ParameterSummary[]
}

/** One endpoint or mount. Plain data, all of it JSON. */
export interface RouteSummary {
  /** The keys that lead to it: `users.list`. */
  readonly name: string
  /** null: any method, and everything under `path`. */
  readonly method: string | null
  readonly path: string
  readonly summary: string
  /** null: open to all. */
  readonly auth: { readonly name: string; readonly scheme: string } | null
  readonly captures: readonly ParameterSummary[]
  readonly query: readonly ParameterSummary[]
  readonly headers: readonly ParameterSummary[]
  readonly body: readonly string[]
  /** The answer of success, then the declared errors; none for a mount. */
  readonly responses: readonly ReplySummary[]
}

const summarizeParameters = (parameters: Readonly<Record<string, AnyParameter>>): readonly ParameterSummary[] =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, type: labelType(parameter), required: parameter.required }))

const labelBody = (content: Content<unknown, unknown> | undefined): readonly string[] =>
  content === undefined ? [] : labelMediaTypes(content.media)

const summarizeReply = ({ status, content, headers }: AnyReply): ReplySummary => ({
  status,
  body: labelBody(content),
  headers: summarizeParameters(headers),
})

function summarizeAuth({ auth }: AnyEndpoint): RouteSummary['auth'] {
  if (auth === undefined) return null
  const { name, scheme } = documentSecurity(auth)
  return { name, scheme }
}

const summarizeEndpoint = (name: string, endpoint: AnyEndpoint): RouteSummary => ({
  name,
  method: endpoint.method,
  path: endpoint.route.slice(endpoint.method.length + 1),
  summary: endpoint.summary ?? '',
  auth: summarizeAuth(endpoint),
  captures: summarizeParameters(endpoint.params),
  query: summarizeParameters(endpoint.query),
  headers: summarizeParameters(endpoint.headers),
  body: labelBody(endpoint.body),
  responses: [endpoint.response, ...endpoint.errors].map(summarizeReply),
})

const summarizeMount = (name: string, { prefix, description }: Mount): RouteSummary => ({
  name,
  method: null,
  path: prefix,
  summary: description ?? '',
  auth: null,
  captures: [],
  query: [],
  headers: [],
  body: [],
  responses: [],
})

/** The row of one leaf of an API. */
export const summarizeRoute = ({ name, operation }: NamedOperation): RouteSummary =>
  operation['~kind'] === 'mount' ? summarizeMount(name, operation) : summarizeEndpoint(name, operation)
