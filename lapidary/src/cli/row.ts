/** What `lapidary routes` says of one endpoint or mount. */
import type { Walked } from '../describe/api.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Content } from '../describe/medium.ts'
import type { Mount } from '../describe/mount.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import type { AnyReply } from '../describe/reply.ts'
import { protectionOf } from '../docs/protection.ts'
import { mediaWords } from './mediaWord.ts'
import { typeWord } from './typeWord.ts'

/** A value that stands under a name. */
export interface Value {
  readonly name: string
  /** `integer`, `age|name`, `list of text`. */
  readonly type: string
  readonly required: boolean
}

/** One answer. */
export interface Reply {
  readonly status: number
  /** The media of its body, in short words; empty where it has none. */
  readonly body: readonly string[]
  readonly headers: readonly Value[]
}

/** One endpoint or mount. Plain data, all of it JSON. */
export interface Row {
  /** The keys that lead to it: `users.list`. */
  readonly name: string
  /** null: any method, and everything under `path`. */
  readonly method: string | null
  readonly path: string
  readonly summary: string
  /** null: open to all. */
  readonly auth: { readonly name: string; readonly scheme: string } | null
  readonly captures: readonly Value[]
  readonly query: readonly Value[]
  readonly headers: readonly Value[]
  readonly body: readonly string[]
  /** The answer of success, then the declared errors; none for a mount. */
  readonly answers: readonly Reply[]
}

const valuesOf = (parameters: Readonly<Record<string, AnyParameter>>): readonly Value[] =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, type: typeWord(parameter), required: parameter.required }))

const bodyOf = (content: Content<unknown, unknown> | undefined): readonly string[] =>
  content === undefined ? [] : mediaWords(content.media)

const replyOf = ({ status, content, headers }: AnyReply): Reply => ({ status, body: bodyOf(content), headers: valuesOf(headers) })

function authOf({ auth }: AnyEndpoint): Row['auth'] {
  if (auth === undefined) return null
  const { name, scheme } = protectionOf(auth)
  return { name, scheme }
}

const endpointRow = (name: string, endpoint: AnyEndpoint): Row => ({
  name,
  method: endpoint.method,
  path: endpoint.route.slice(endpoint.method.length + 1),
  summary: endpoint.summary ?? '',
  auth: authOf(endpoint),
  captures: valuesOf(endpoint.params),
  query: valuesOf(endpoint.query),
  headers: valuesOf(endpoint.headers),
  body: bodyOf(endpoint.body),
  answers: [endpoint.response, ...endpoint.errors].map(replyOf),
})

const mountRow = (name: string, { prefix, description }: Mount): Row => ({
  name,
  method: null,
  path: prefix,
  summary: description ?? '',
  auth: null,
  captures: [],
  query: [],
  headers: [],
  body: [],
  answers: [],
})

/** The row of one leaf of an API. */
export const rowOf = ({ name, operation }: Walked): Row =>
  operation['~kind'] === 'mount' ? mountRow(name, operation) : endpointRow(name, operation)
