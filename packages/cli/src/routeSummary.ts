/** What `lapidary routes` says of one endpoint or mount. */

import type { AnyEndpoint, AnyReply, Content, MediaTypeDefinition, Mount, NamedOperation } from 'lapidary'
import { type AnyParameter, documentSecurity, getEssence } from 'lapidary/internal'

// The short word for what a parameter takes.

/** `integer`; `age|name` for a choice, `list of age|name` for many. */
export function labelType({ name, jsonSchema, repeats }: AnyParameter): string {
  const { items } = jsonSchema
  const choices = (typeof items === 'object' ? items : jsonSchema).enum?.map(String).join('|')
  if (choices === undefined) return name
  return repeats ? `list of ${choices}` : choices
}

// The short word for a media type, as people say it.

const mediaTypeLabels: ReadonlyMap<string, string> = new Map([
  ['application/json', 'JSON'],
  ['application/x-ndjson', 'NDJSON'],
  ['application/jsonl', 'NDJSON'],
  ['application/x-www-form-urlencoded', 'form'],
  ['application/octet-stream', 'bytes'],
  ['text/plain', 'text'],
  ['text/html', 'HTML'],
])

/** `JSON` for `application/json;charset=utf-8`; a type that has no short word stands for itself, without its parameters. */
export function labelMediaType(type: string): string {
  const essence = getEssence(type)
  return mediaTypeLabels.get(essence) ?? essence
}

/** The words for media, each once, in their order. A medium is called by the type that it is sent as. */
export const labelMediaTypes = (media: readonly MediaTypeDefinition<unknown>[]): readonly string[] => [
  ...new Set(media.map(({ types }) => labelMediaType(types[0]))),
]

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
