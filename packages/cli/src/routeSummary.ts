/** Summaries of endpoints and mounts, as plain data. */
import type { AnyEndpoint, AnyParameter, AnyReply, Content, NamedOperation, StatusRange } from 'lapidary'
import { getEssence, getSentContent, isMount, type NamedWebhook, parseByteSize } from 'lapidary/internal'

/** A parameter in a summary. */
export interface ParameterSummary {
  readonly name: string
  /** `integer`, `age|name`, `list of text`. */
  readonly type: string
  readonly required: boolean
}

/** An auth scheme in a summary. */
export interface AuthSummary {
  readonly name: string
  /** The first word of its challenge: `Basic`, `Bearer`. */
  readonly scheme: string
  readonly scopes: readonly string[]
}

/** A reply in a summary. */
export interface ReplySummary {
  readonly status: number
  /** Absent where it has one status: `4XX`, `5XX` or `default`. */
  readonly range?: StatusRange
  /** The media types of the body, as short words; empty without a body. */
  readonly body: readonly string[]
  readonly headers: readonly ParameterSummary[]
}

/** An endpoint, a mount or a webhook, as JSON. */
export interface RouteSummary {
  /** The keys that lead to the operation: `users.list`. */
  readonly name: string
  /** `null` for a mount, which takes every method and everything below its path; `WEBHOOK` for a webhook, which the server sends. */
  readonly method: string | null
  /** The path; of a webhook, the name that receivers know. */
  readonly path: string
  readonly summary: string
  readonly deprecated: boolean
  /** The alternatives, each with all that a request needs; an empty one: credentials are optional. `null` for a public endpoint. */
  readonly auth: readonly (readonly AuthSummary[])[] | null
  readonly captures: readonly ParameterSummary[]
  readonly query: readonly ParameterSummary[]
  readonly headers: readonly ParameterSummary[]
  readonly cookies: readonly ParameterSummary[]
  readonly body: readonly string[]
  /** Whether a request can leave its body out; absent where it cannot. */
  readonly bodyOptional?: true
  /** The largest body, in bytes; absent where the server decides. */
  readonly maxBodySize?: number
  /** The longest time until a response begins, in milliseconds; absent where the description sets no limit. */
  readonly timeout?: number
  /** How many requests a client may make, and in how many seconds; absent where the description sets no limit. */
  readonly rateLimit?: readonly { readonly name: string; readonly quota: number; readonly window: number }[]
  /** The reply of success, and the declared errors; empty for a mount. */
  readonly responses: readonly ReplySummary[]
}

/** Labels the type of a parameter: `integer`, `age|name` for a choice, `list of age|name` for several. */
export function labelType({ name, jsonSchema, repeats }: AnyParameter): string {
  const { items } = jsonSchema
  const choices = (typeof items === 'object' ? items : jsonSchema).enum?.map(String).join('|')
  if (choices === undefined) return name
  return repeats ? `list of ${choices}` : choices
}

const mediaTypeLabels: ReadonlyMap<string, string> = new Map([
  ['application/json', 'JSON'],
  ['application/problem+json', 'problem'],
  ['application/x-ndjson', 'NDJSON'],
  ['application/jsonl', 'NDJSON'],
  ['text/event-stream', 'events'],
  ['application/x-www-form-urlencoded', 'form'],
  ['application/octet-stream', 'bytes'],
  ['text/plain', 'text'],
  ['text/html', 'HTML'],
])

/** Labels the media types of a body, each once: `JSON` for `application/json;charset=utf-8`. A type without a short word keeps its name. */
const labelBody = (content: Content<unknown, unknown> | undefined): readonly string[] => {
  const essences = (content?.media ?? []).map(({ types }) => getEssence(types[0]))
  return [...new Set(essences.map((essence) => mediaTypeLabels.get(essence) ?? essence))]
}

const summarizeParameters = (parameters: Readonly<Record<string, AnyParameter>>): readonly ParameterSummary[] =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, type: labelType(parameter), required: parameter.required }))

const summarizeReply = ({ status, range, content, headers }: AnyReply): ReplySummary => ({
  status,
  ...(range && { range }),
  body: labelBody(content),
  headers: summarizeParameters(headers),
})

const summarizeAuth = ({ auth }: AnyEndpoint): RouteSummary['auth'] =>
  auth?.map((requirements) =>
    requirements.map(({ scheme: { name, challenge }, scopes }) => ({ name, scheme: challenge.split(' ', 1)[0] ?? '', scopes })),
  ) ?? null

const noParts = { auth: null, captures: [], query: [], headers: [], cookies: [], body: [], responses: [] } as const

/** Summarizes an endpoint or a mount. */
export function summarizeRoute({ name, operation }: NamedOperation): RouteSummary {
  if (isMount(operation)) {
    const { prefix: path, description: summary = '' } = operation
    return { name, method: null, path, summary, deprecated: false, ...noParts }
  }
  const maxBodySize = parseByteSize(operation.maxBodySize)
  const { method, route, summary = '', params, query, headers, cookies, body, timeout, rateLimit, responses, errors } = operation
  return {
    name,
    method,
    path: route.slice(method.length + 1),
    summary,
    deprecated: operation.deprecated !== undefined,
    auth: summarizeAuth(operation),
    captures: summarizeParameters(params),
    query: summarizeParameters(query),
    headers: summarizeParameters(headers),
    cookies: summarizeParameters(cookies),
    body: labelBody(body),
    ...(body?.isOptional && { bodyOptional: true }),
    ...(maxBodySize !== undefined && { maxBodySize }),
    ...(timeout !== undefined && timeout < Number.POSITIVE_INFINITY && { timeout }),
    ...(rateLimit.length > 0 && { rateLimit: rateLimit.map(({ name, quota, window }) => ({ name, quota, window })) }),
    responses: [...responses, ...errors].map(summarizeReply),
  }
}

/** Summarizes a webhook. Its body is what the server sends. */
export const summarizeWebhook = ({ key, webhook }: NamedWebhook): RouteSummary => ({
  name: key,
  method: 'WEBHOOK',
  path: webhook.name,
  summary: webhook.summary ?? '',
  deprecated: webhook.deprecated === true,
  ...noParts,
  body: labelBody(getSentContent(webhook)),
})
