/** `manifest(api)`: an API on the wire, as plain data to store and compare. */
import {
  type AnyEndpoint,
  type AnyParameter,
  type AnyReply,
  type Api,
  type Content,
  type CookieRecord,
  type Delimiter,
  type JsonSchema,
  type MediaTypeDefinition,
  operations,
  type SetCookie,
  type StatusRange,
} from 'lapidary'
import {
  type AuthRequirement,
  formatPath,
  getDeprecationHeaders,
  getJsonSchema,
  getSentContent,
  getSetCookie,
  getStatusKey,
  idempotencyKeyHeader,
  isByteStream,
  isMount,
  listWebhooks,
  type NamedWebhook,
  parseByteSize,
  sortMembers,
  splitHeaderList,
} from 'lapidary/internal'
import { toCanonicalSchema } from './canonical.ts'
import { type DefinedSchema, type DefinitionTable, SharedDefinitions } from './sharedDefinitions.ts'

/** A capture, a query parameter, a header or a cookie. */
export interface ParameterManifest {
  /** The name of its codec: `integer`, `list of text`. */
  readonly codec: string
  readonly required: boolean
  /** Whether the name may occur more than once. */
  readonly repeats: boolean
  /** What stands between its values in one text of the query; absent: each value is a text of its own. */
  readonly delimiter?: Delimiter
  readonly schema: JsonSchema
  /** The value of a request without it, where there is one. */
  readonly default?: unknown
}

/** One encoding of a body. */
export interface MediaTypeManifest {
  /** The media types that name the encoding. */
  readonly types: readonly string[]
  /** How the toolkit reads it: as a whole, item by item, or not at all. */
  readonly read: 'whole' | 'items' | 'never'
}

/** A body. */
export interface ContentManifest {
  /** The default first. */
  readonly media: readonly MediaTypeManifest[]
  /** The schema of the value, of a stream that of one item; null: any value of the media types. */
  readonly schema: JsonSchema | null
  /** The table of `definitions` that the references of the schema lead to; undefined: they lead to its own `$defs`. */
  readonly definitions?: string
  /** Whether it is read item by item. */
  readonly streams: boolean
  /** Whether a request can leave it out; undefined: it cannot. */
  readonly optional?: true
  /** Whether it is a file, with ranges and conditions; undefined: it is not. */
  readonly download?: true
}

/** A cookie that a response sets. */
export interface SetCookieManifest extends ParameterManifest {
  /** As they are sent: `Max-Age=3600; Path=/; Secure`. */
  readonly attributes: string
}

/** A declared response. */
export interface ReplyManifest {
  readonly status: number
  /** Absent where it has one status. */
  readonly range?: StatusRange
  /** The type of its problem details; absent where they have none of their own. */
  readonly problem?: string
  /** null: it has no body. */
  readonly body: ContentManifest | null
  readonly headers: Readonly<Record<string, ParameterManifest>>
  /** The cookies that it sets; undefined: its header `Set-Cookie`, if it has one, is of a codec. */
  readonly cookies?: Readonly<Record<string, SetCookieManifest>>
}

/** The credentials of one scheme. */
export interface AuthManifest {
  readonly name: string
  /** The OpenAPI security scheme: where a request has the credentials. */
  readonly kind: Readonly<Record<string, unknown>>
  readonly challenge: string
  /** Sorted. */
  readonly scopes: readonly string[]
}

/** Pages by cursors or by numbers. */
export interface PagesManifest {
  readonly by: 'cursor' | 'page'
  /** The member of the body with the cursor of the next page; undefined: it is in `Link` alone. */
  readonly next?: string
}

/** One endpoint. */
export interface EndpointManifest {
  readonly method: string
  /** The path with its captures: `/users/:id`. */
  readonly path: string
  readonly captures: Readonly<Record<string, ParameterManifest>>
  readonly query: Readonly<Record<string, ParameterManifest>>
  readonly headers: Readonly<Record<string, ParameterManifest>>
  readonly cookies: Readonly<Record<string, ParameterManifest>>
  /** The alternatives, each with all that it needs; an empty one last: credentials are optional. null: it needs no credentials. */
  readonly auth: readonly (readonly AuthManifest[])[] | null
  /** Absent where wrong credentials get 401. */
  readonly invalidCredentials?: 'ignore'
  readonly body: ContentManifest | null
  /** The responses of success, sorted by status. */
  readonly responses: readonly ReplyManifest[]
  /** The largest body in bytes; null: the server decides. */
  readonly maxBodySize: number | null
  /** The longest time until a response begins, in milliseconds; null: the description sets no limit. */
  readonly timeout: number | null
  /** Sorted by status. */
  readonly errors: readonly ReplyManifest[]
  readonly etag: true | 'optional' | 'required' | null
  /** Whether a request can or must have an `Idempotency-Key`, which is none of `headers`; null: it is ignored. */
  readonly idempotent: 'optional' | 'required' | null
  /** The headers of every response that say that it is deprecated, with their values; null: it is not deprecated. */
  readonly deprecated: Readonly<Record<string, string>> | null
  /** The other headers of every response, with their values. */
  readonly always: Readonly<Record<string, string>>
  /** The fields that it has ranges by; null: it has none. */
  readonly ranges: readonly string[] | null
  /** How a client gets from page to page; undefined: it has no pages by cursors or numbers. */
  readonly pages?: PagesManifest
}

/** One webhook. */
export interface WebhookManifest {
  /** The body, in the media type that is sent. */
  readonly body: ContentManifest
  readonly deprecated: boolean
}

/**
 * An API on the wire. Its members are in the order of this declaration. Those of records and of JSON Schemas are sorted, except captures,
 * which are in the order of the path. Summaries, descriptions and examples are left out: they change nothing for a program.
 */
export interface ApiManifest {
  /** The version of this format: 2 where bodies share definitions, else 1. Both are read. */
  readonly manifest: 1 | 2
  readonly endpoints: Readonly<Record<string, EndpointManifest>>
  /** The prefixes of the mounts, by name. */
  readonly mounts: Readonly<Record<string, string>>
  /** The webhooks that the server sends, by the names that receivers know; undefined if there are none. */
  readonly webhooks?: Readonly<Record<string, WebhookManifest>>
  /**
   * Definitions that several bodies share, as the `$defs` of each body that names the table; undefined if they share none. Within a table,
   * references lead to `#/$defs/…`.
   */
  readonly definitions?: Readonly<Record<string, DefinitionTable>>
}

const toParameterManifest = ({ name, required, repeats, delimiter, jsonSchema }: AnyParameter): ParameterManifest => ({
  codec: name,
  required,
  repeats,
  ...(delimiter !== undefined && { delimiter }),
  schema: toCanonicalSchema(jsonSchema),
  ...(jsonSchema.default !== undefined && { default: jsonSchema.default }),
})

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

function getMediaReading(mediaType: MediaTypeDefinition<unknown>): MediaTypeManifest['read'] {
  // On the wire, bytes are the same whether they are read as a stream or not.
  if (isByteStream(mediaType)) return 'whole'
  if (mediaType.streamReader !== undefined) return 'items'
  return mediaType.reader === undefined ? 'never' : 'whole'
}

function toContentManifest(content: Content<unknown, unknown> | undefined, definitions: SharedDefinitions): ContentManifest | null {
  if (content === undefined) return null
  const media = content.media.map((medium) => ({ types: [...medium.types], read: getMediaReading(medium) }))
  const manifest: ContentManifest & DefinedSchema = {
    media,
    schema: null,
    streams: media.some(({ read }) => read === 'items'),
    ...(content.isOptional && { optional: true }),
    ...(content.isDownload && { download: true }),
  }
  if (content.schema !== undefined) definitions.place(manifest, getJsonSchema(content.schema))
  return manifest
}

function toSetCookieManifests({ cookies, attributes }: SetCookie<CookieRecord>): Readonly<Record<string, SetCookieManifest>> {
  const pairs = Object.entries(cookies).map(
    ([name, parameter]) => [name, { ...toParameterManifest(parameter), attributes: attributes[name] ?? '' }] as const,
  )
  return sortMembers(Object.fromEntries(pairs))
}

function toReplyManifest({ status, range, content, headers, problem }: AnyReply, definitions: SharedDefinitions): ReplyManifest {
  const setCookie = getSetCookie(headers)
  const others = Object.fromEntries(Object.entries(headers).filter(([, parameter]) => parameter !== setCookie))
  return {
    status,
    ...(range && { range }),
    ...(problem && { problem: problem.type }),
    body: toContentManifest(content, definitions),
    headers: sortMembers(mapValues(others, toParameterManifest)),
    ...(setCookie && { cookies: toSetCookieManifests(setCookie) }),
  }
}

/** The manifests of replies, sorted by status. */
const toReplyManifests = (replies: readonly AnyReply[], definitions: SharedDefinitions): readonly ReplyManifest[] =>
  replies.map((reply) => toReplyManifest(reply, definitions)).toSorted((one, other) => (getStatusKey(one) < getStatusKey(other) ? -1 : 1))

const toAuthManifest = ({ scheme: { name, openapi, challenge }, scopes }: AuthRequirement): AuthManifest => ({
  name,
  kind: sortMembers(openapi),
  challenge,
  scopes: scopes.toSorted(),
})

/** The fields of ranges, which `Accept-Ranges` of every response names. */
function listRangeFields({ responseHeaders, query }: AnyEndpoint): readonly string[] | null {
  const fields = Object.entries(responseHeaders).find(([name]) => name.toLowerCase() === 'accept-ranges')?.[1]
  return fields === undefined || query['range']?.name !== 'range' ? null : splitHeaderList(fields)
}

function toPagesManifest({ pagination }: AnyEndpoint): { readonly pages?: PagesManifest } {
  if (pagination === undefined || pagination.kind === 'range') return {}
  const { kind, body } = pagination
  return { pages: body?.next === undefined ? { by: kind } : { by: kind, next: body.next } }
}

/** The headers of every response but those of a deprecation. */
function omitDeprecation(endpoint: AnyEndpoint): Readonly<Record<string, string>> {
  const deprecation = getDeprecationHeaders(endpoint)
  return Object.fromEntries(Object.entries(endpoint.responseHeaders).filter(([name]) => !(name in deprecation)))
}

/** The request headers that the endpoint declares itself. */
const omitIdempotencyKey = ({ headers, idempotent }: AnyEndpoint): AnyEndpoint['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => idempotent === undefined || name !== idempotencyKeyHeader))

const toEndpointManifest = (endpoint: AnyEndpoint, definitions: SharedDefinitions): EndpointManifest => ({
  method: endpoint.method,
  path: formatPath(endpoint.segments),
  captures: mapValues(endpoint.params, toParameterManifest),
  query: sortMembers(mapValues(endpoint.query, toParameterManifest)),
  headers: sortMembers(mapValues(omitIdempotencyKey(endpoint), toParameterManifest)),
  cookies: sortMembers(mapValues(endpoint.cookies, toParameterManifest)),
  auth: endpoint.auth?.map((requirements) => requirements.map(toAuthManifest)) ?? null,
  ...(endpoint.invalidCredentials === 'ignore' && { invalidCredentials: 'ignore' as const }),
  body: toContentManifest(endpoint.body, definitions),
  maxBodySize: endpoint.maxBodySize === undefined ? null : (parseByteSize(endpoint.maxBodySize) ?? null),
  timeout: endpoint.timeout === Number.POSITIVE_INFINITY ? null : (endpoint.timeout ?? null),
  responses: toReplyManifests(endpoint.responses, definitions),
  errors: toReplyManifests(endpoint.errors, definitions),
  etag: endpoint.etag ?? null,
  idempotent: endpoint.idempotent ?? null,
  deprecated: endpoint.deprecated === undefined ? null : sortMembers(getDeprecationHeaders(endpoint)),
  always: sortMembers(omitDeprecation(endpoint)),
  ranges: listRangeFields(endpoint),
  ...toPagesManifest(endpoint),
})

const toWebhookManifest = ({ webhook }: NamedWebhook, definitions: SharedDefinitions): WebhookManifest => ({
  body: toContentManifest(getSentContent(webhook), definitions) as ContentManifest,
  deprecated: webhook.deprecated === true,
})

/**
 * Creates the manifest of an API. It is equal for APIs that are the same on the wire: the order of declaration does not matter.
 *
 * @param api the description
 * @returns plain data, ready for `JSON.stringify`
 * @throws TypeError where a schema cannot give its JSON Schema
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { manifest } from '@lapidary/testing'
 * import { endpoint, ok, text } from 'lapidary'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * await writeFile('api.json', JSON.stringify(manifest(api), null, 2))
 * ```
 */
export function manifest(api: Api): ApiManifest {
  const definitions = new SharedDefinitions()
  // In one order, so that the order of declaration does not matter for the names of tables.
  const byName = <Named>(all: readonly Named[], getName: (named: Named) => string): readonly Named[] =>
    all.toSorted((one, other) => (getName(one) < getName(other) ? -1 : 1))
  const leaves = byName(operations(api), ({ name }) => name)
  const endpoints = leaves.flatMap(({ name, operation }) =>
    isMount(operation) ? [] : [[name, toEndpointManifest(operation, definitions)] as const],
  )
  const mounts = leaves.flatMap(({ name, operation }) => (isMount(operation) ? [[name, operation.prefix] as const] : []))
  const webhooks = byName(listWebhooks(api), ({ webhook }) => webhook.name).map(
    (named) => [named.webhook.name, toWebhookManifest(named, definitions)] as const,
  )
  const shared = definitions.finish()
  // Through JSON, so that a manifest in memory equals one that was stored.
  return JSON.parse(
    JSON.stringify({
      manifest: shared === undefined ? 1 : 2,
      endpoints: sortMembers(Object.fromEntries(endpoints)),
      mounts: sortMembers(Object.fromEntries(mounts)),
      ...(webhooks.length > 0 && { webhooks: sortMembers(Object.fromEntries(webhooks)) }),
      ...(shared !== undefined && { definitions: shared }),
    }),
  ) as ApiManifest
}
