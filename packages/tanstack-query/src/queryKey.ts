/** Keys by links: the path of a call, segment by segment, and then what else tells its response from others. */
import type { DataTag } from '@tanstack/query-core'
import type { CallRoute, DeclaredErrorOf } from 'lapidary/client'
import { type ParameterValues, writeTexts } from 'lapidary/internal'
import { type AnyCall, type CallData, type CallError, type InputArguments, toCallFunction } from './calls.ts'

/** What tells the responses of one path from each other. TanStack Query compares it member by member: an empty one stands for all. */
export interface KeyParts {
  /** Absent for GET. */
  readonly method?: string
  /** The query of the URL: each parameter with its text, or with its texts. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** The declared headers of the request. */
  readonly headers?: unknown
  readonly body?: unknown
  /** What the data of the query is, if it is not the response: its pages, the items of a stream, or nothing yet. */
  readonly kind?: 'pages' | 'stream' | 'skipped'
}

/** The key of a query: `['books', '7', {}]` for `GET /books/7`. */
export type CallKey = readonly [...path: string[], parts: KeyParts]

/** The input of a key. Of the query, some parameters are enough. */
export type KeyInput<Input> = { readonly [Part in keyof Input]: Part extends 'query' ? Partial<Input[Part]> : Input[Part] }

/** The captures of an input, of which a path needs the first ones only. */
type PathInput<Input> = { readonly [Part in keyof Input as Part extends 'params' ? Part : never]?: Partial<Input[Part]> }

/** The parts of an input that a key has. */
export interface AnyInput {
  readonly params?: ParameterValues
  readonly query?: ParameterValues
  readonly headers?: unknown
  readonly body?: unknown
}

/** The segments of a path, up to the first capture that has no value. */
function writePath({ route, params = {} }: CallRoute<unknown, unknown, unknown>, values: ParameterValues | undefined): readonly string[] {
  const path: string[] = []
  for (const segment of route.replace(/^\S+ /, '').split('/').filter(Boolean)) {
    const [, sign, name = ''] = /^([:*])(.*)/s.exec(segment) ?? []
    if (sign === undefined) path.push(decodeURIComponent(segment))
    else {
      const texts = writeTexts(name, params[name], values)
      if (texts.length === 0) break
      path.push(...(sign === '*' ? texts.flatMap((text) => text.split('/')) : texts))
    }
  }
  return path
}

/** What JSON has no form for, and a list of its entries has. */
const listKinds = [Map, Set, FormData, URLSearchParams]
/** What JSON would make an empty object of: bytes, and what gives them, or items, one after the other. */
const bytesKinds = [ArrayBuffer, Blob]
const streamNames = [Symbol.iterator, Symbol.asyncIterator, 'getReader']

/** Returns a value as JSON has it. @throws TypeError for bytes, files and streams: no JSON tells one from another */
function toJson(route: string, value: unknown): unknown {
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === 'bigint') return String(member)
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    if (listKinds.some((kind) => member instanceof kind)) return [...(member as Iterable<unknown>)]
    if (ArrayBuffer.isView(member) || streamNames.some((name) => name in member) || bytesKinds.some((kind) => member instanceof kind))
      throw new TypeError(
        `${route}: a key cannot contain bytes, a file or a stream. Call this endpoint by a mutation, or give the query a queryKey of your own.`,
      )
    return member
  })
  return text === undefined ? undefined : JSON.parse(text)
}

/** The query of a URL, by the names of its parameters. */
function writeQuery({ query: codecs = {} }: CallRoute<unknown, unknown, unknown>, values: ParameterValues = {}): KeyParts['query'] {
  const pairs = Object.entries(codecs).flatMap(([name, codec]) => {
    const texts = writeTexts(name, codec, values)
    return texts.length === 0 ? [] : [[name, texts.length === 1 ? (texts[0] as string) : texts] as const]
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

/** Makes the key of a call. */
export function createKey(
  place: string,
  call: AnyCall<unknown, unknown, unknown>,
  input: AnyInput = {},
  kind?: NonNullable<KeyParts['kind']>,
): CallKey {
  toCallFunction(place, call)
  const described = call['~route']
  const method = described.route.replace(/ .*/s, '')
  const headers = toJson(described.route, input.headers)
  const members = {
    method: method === 'GET' ? undefined : method,
    query: writeQuery(described, input.query),
    headers: Object.keys(Object(headers)).length === 0 ? undefined : headers,
    body: toJson(described.route, input.body),
    kind,
  }
  return [...writePath(described, input.params), Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))]
}

/**
 * The key of a query: the path of its URL, segment by segment, and then an object with the query of the URL. The key of `GET /books/7` begins
 * as that of `PUT /books/7`, which changes it: they have one path.
 *
 * TanStack Query compares keys from their beginning, and objects member by member. So the key of a list without a query stands for all of its
 * pages and filters. Everything at `/books` and below it is `pathKey(call.books)`, which is `['books']`.
 *
 * @param input What the URL is made of. Of the query, some parameters are enough: then the key stands for all calls with them.
 * @returns a key that has the types of the data and of the error, for `getQueryData`, `setQueryData` and `getQueryState`
 * @throws TypeError for bytes, a file or a stream in the input.
 * @example
 * ```ts
 * import { queryKey } from '@lapidary/tanstack-query'
 * import { QueryClient } from '@tanstack/query-core'
 * import { endpoint, int, ok, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 *
 * const api = { stone: endpoint('GET /stones/:id', { params: { id: int }, response: ok(text) }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * const queryClient = new QueryClient()
 * const key = queryKey(call.stone, { params: { id: 7 } }) // ['stones', '7', {}]
 * queryClient.setQueryData(key, 'opal')
 * await queryClient.invalidateQueries({ queryKey: key })
 * ```
 */
export function queryKey<Input, Output, Replies>(
  call: AnyCall<Input, Output, Replies>,
  ...[input]: InputArguments<KeyInput<Input>, readonly []>
): DataTag<CallKey, CallData<Output>, CallError<DeclaredErrorOf<Replies>>> {
  return createKey('queryKey()', call, input) as DataTag<CallKey, CallData<Output>, CallError<DeclaredErrorOf<Replies>>>
}

/**
 * The key of everything at a path and below it: `['books', '7']` for `/books/7` and its reviews, with any query. The path ends before the
 * first capture without a value.
 *
 * @example
 * ```ts
 * import { pathKey } from '@lapidary/tanstack-query'
 * import { QueryClient } from '@tanstack/query-core'
 * import { endpoint, int, ok, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 *
 * const api = { stone: endpoint('GET /stones/:id', { params: { id: int }, response: ok(text) }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * // Every stone, and every list of stones: ['stones'].
 * await new QueryClient().invalidateQueries({ queryKey: pathKey(call.stone) })
 * ```
 */
export function pathKey<Input>(call: AnyCall<Input, unknown, unknown>, input?: PathInput<Input>): readonly string[] {
  toCallFunction('pathKey()', call)
  return writePath(call['~route'], (input as AnyInput | undefined)?.params)
}
