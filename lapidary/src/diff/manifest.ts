/** `manifest(api)`: what an API is on the wire, as plain data that can be kept and compared. */
import { type Api, walk } from '../describe/api.ts'
import type { Auth } from '../describe/auth.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { elementsOf } from '../describe/headerField.ts'
import type { JsonSchema } from '../describe/jsonSchema.ts'
import type { Content, MediumDefinition } from '../describe/medium.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import type { AnyReply } from '../describe/reply.ts'
import { pathOf } from '../describe/route.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { canonical, sorted } from './canonical.ts'

/** What stands under a name as text: a capture, a query parameter, a header. */
export interface ParameterManifest {
  /** The name of its codec: `integer`, `list of text`. */
  readonly codec: string
  readonly required: boolean
  readonly repeats: boolean
  readonly schema: JsonSchema
}

/** One encoding of a body. */
export interface MediumManifest {
  /** The media types that name it. */
  readonly types: readonly string[]
  /** How the toolkit reads it: as a whole, item after item, or not at all. */
  readonly read: 'whole' | 'items' | 'never'
}

/** A body. */
export interface ContentManifest {
  /** The preferred one first. */
  readonly media: readonly MediumManifest[]
  /** null: whatever the media can carry. Of a stream, the schema of one item. */
  readonly schema: JsonSchema | null
  /** Whether it is read item after item. */
  readonly streams: boolean
}

/** A declared answer. */
export interface ReplyManifest {
  readonly status: number
  /** null: it has none. */
  readonly body: ContentManifest | null
  readonly headers: Readonly<Record<string, ParameterManifest>>
}

/** How credentials stand in a request. */
export interface AuthManifest {
  readonly name: string
  /** The OpenAPI security scheme, which says where the credentials stand. */
  readonly kind: Readonly<Record<string, unknown>>
  readonly challenge: string
}

/** One endpoint. */
export interface EndpointManifest {
  readonly method: string
  /** With its captures: `/users/:id`. */
  readonly path: string
  readonly captures: Readonly<Record<string, ParameterManifest>>
  readonly query: Readonly<Record<string, ParameterManifest>>
  readonly headers: Readonly<Record<string, ParameterManifest>>
  /** null: open to all. */
  readonly auth: AuthManifest | null
  readonly body: ContentManifest | null
  readonly response: ReplyManifest
  /** In the order of their statuses. */
  readonly errors: readonly ReplyManifest[]
  readonly etag: true | 'optional' | 'required' | null
  /** Headers that every answer carries, with their values. */
  readonly always: Readonly<Record<string, string>>
  /** The fields that it has ranges of; null: it has none. */
  readonly ranges: readonly string[] | null
}

/**
 * An API on the wire. Its members stand in the order of this declaration; those of records and of JSON Schemas in the order of the alphabet, save
 * captures, which stand as in the path. Words for people (summaries, descriptions, examples) are left out: they change nothing for a program.
 */
export interface ApiManifest {
  /** The version of this format. */
  readonly manifest: 1
  readonly endpoints: Readonly<Record<string, EndpointManifest>>
  /** The prefixes of the mounts. */
  readonly mounts: Readonly<Record<string, string>>
}

const parameterOf = ({ name, required, repeats, jsonSchema }: AnyParameter): ParameterManifest => ({
  codec: name,
  required,
  repeats,
  schema: canonical(jsonSchema),
})

const each = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

const readingOf = ({ reader, streamReader }: MediumDefinition<unknown>): MediumManifest['read'] => {
  if (streamReader !== undefined) return 'items'
  return reader === undefined ? 'never' : 'whole'
}

function contentOf(content: Content<unknown, unknown> | undefined): ContentManifest | null {
  if (content === undefined) return null
  const media = content.media.map((medium) => ({ types: [...medium.types], read: readingOf(medium) }))
  return {
    media,
    schema: content.schema === undefined ? null : canonical(jsonSchemaOf(content.schema)),
    streams: media.some(({ read }) => read === 'items'),
  }
}

const replyOf = ({ status, content, headers }: AnyReply): ReplyManifest => ({
  status,
  body: contentOf(content),
  headers: sorted(each(headers, parameterOf)),
})

const authOf = (auth: Auth<unknown, unknown> | undefined): AuthManifest | null =>
  auth === undefined ? null : { name: auth.name, kind: sorted(auth.openapi), challenge: auth.challenge }

/** What a field is called stands in `Accept-Ranges` of every answer. */
function rangesOf({ always, query }: AnyEndpoint): readonly string[] | null {
  const fields = Object.entries(always).find(([name]) => name.toLowerCase() === 'accept-ranges')?.[1]
  return fields === undefined || query['range']?.name !== 'range' ? null : elementsOf(fields)
}

const endpointOf = (endpoint: AnyEndpoint): EndpointManifest => ({
  method: endpoint.method,
  path: pathOf(endpoint.segments),
  captures: each(endpoint.params, parameterOf),
  query: sorted(each(endpoint.query, parameterOf)),
  headers: sorted(each(endpoint.headers, parameterOf)),
  auth: authOf(endpoint.auth),
  body: contentOf(endpoint.body),
  response: replyOf(endpoint.response),
  errors: endpoint.errors.map(replyOf).toSorted((one, other) => one.status - other.status),
  etag: endpoint.etag ?? null,
  always: sorted(endpoint.always),
  ranges: rangesOf(endpoint),
})

/**
 * The manifest of an API: equal for APIs that are the same on the wire, in whatever order they were written.
 *
 * @throws TypeError when a schema cannot give its JSON Schema.
 */
export function manifest(api: Api): ApiManifest {
  const leaves = walk(api)
  const endpoints = leaves.flatMap(({ name, operation }) =>
    operation['~kind'] === 'endpoint' ? [[name, endpointOf(operation)] as const] : [],
  )
  const mounts = leaves.flatMap(({ name, operation }) => (operation['~kind'] === 'mount' ? [[name, operation.prefix] as const] : []))
  // Through JSON, so that a manifest in memory is the same as one that was kept.
  return JSON.parse(
    JSON.stringify({ manifest: 1, endpoints: sorted(Object.fromEntries(endpoints)), mounts: sorted(Object.fromEntries(mounts)) }),
  ) as ApiManifest
}
