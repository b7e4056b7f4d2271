/** `match(api, url)`: the endpoint that a URL leads to, and what it says there; the inverse of `link`. */

import { type Api, isOperation, type Mount } from '../contract/api.ts'
import { getApiIndex } from '../contract/apiIndex.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import { isReadError } from '../contract/parameters/readers.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import { resolveUrl } from './resolveUrl.ts'

/** How URLs are read. */
export interface MatchBase {
  /** Where the API is: an address with or without a path, or a path at any origin; URLs that are not below it lead nowhere. Default: `/`. */
  readonly base?: string | URL
}

/** How an endpoint is looked for. */
export interface MatchOptions extends MatchBase {
  /** The method of the request, as it is sent. HEAD asks for what GET does. Default: `GET`. */
  readonly method?: string
}

/**
 * What a URL says to one endpoint: `match(api.position, '/position/1/2')?.params.x` is 1. Undefined where it says something else, or something that
 * cannot be read. The endpoint is on its own here: nothing is known of others, whose literal segments may come first.
 *
 * @throws TypeError when `base` is neither an address nor a path.
 */
export function match<E extends AnyEndpoint>(
  endpoint: E,
  url: string | URL,
  options?: MatchBase,
): MatchedValues<PartOf<E, 'params'>, PartOf<E, 'query'>> | undefined
/**
 * The endpoint that a request to a URL reaches, with its captures and its query: `const found = match(api, '/position/1/2')`; then
 * `if (found?.name === 'position') found.params.x`. Undefined where a server of the API would answer 404, 405, or 400 for the path or the query.
 * Mounts are never found: what there is below one, the description does not say.
 *
 * `url` is absolute, or a path that begins with `/`; it is read as `fetch` reads it, and its fragment does not matter.
 * The API is compiled when it is first matched, and remembered for as long as it lives.
 *
 * @throws TypeError when `base` is neither an address nor a path, or when two endpoints of the API have one route.
 */
export function match<A extends Api>(api: A, url: string | URL, options?: MatchOptions): Matches<A> | undefined
export function match(
  described: Api | AnyEndpoint,
  url: string | URL,
  { base = '/', method = 'GET' }: MatchOptions = {},
): MatchedValues<unknown, unknown> | Match<string, AnyEndpoint> | undefined {
  const address = resolveUrl(base, url)
  if (address === undefined || percentDecode(address.path) === undefined) return undefined
  const isAlone = isOperation(described)
  const found = getApiIndex(described).paths.find(address.path)
  const entry = found?.leaf.entries.get(isAlone ? described.method : method === 'HEAD' ? 'GET' : method)
  if (found === undefined || entry === undefined) return undefined
  const params = entry.readCaptures(found.captures)
  const query = entry.readQuery(address.search)
  if (isReadError(params) || isReadError(query)) return undefined
  return isAlone ? { params, query } : { name: entry.name, endpoint: entry.endpoint, params, query }
}

// What `match` finds, as types: they cost nothing until somebody asks.

/** What a URL says to an endpoint. */
export interface MatchedValues<Params, Query> {
  /** The captures, read by their codecs. */
  readonly params: Params
  /** The query parameters, read by their codecs. */
  readonly query: Query
}

/** One endpoint of an API, and what a URL says to it. It can be linked to again: `link(found.endpoint, found)`. */
export interface Match<Name extends string, E extends AnyEndpoint> extends MatchedValues<PartOf<E, 'params'>, PartOf<E, 'query'>> {
  /** The keys that lead to the endpoint, joined: `users.item`. */
  readonly name: Name
  readonly endpoint: E
}

/** A part of the input of a handler; empty where the endpoint does not declare it. */
export type PartOf<E extends AnyEndpoint, Part extends string> = Part extends keyof TypeOf<E['~types'], 'input'>
  ? TypeOf<E['~types'], 'input'>[Part]
  : Record<never, never>

/** Every endpoint of an API that a URL may lead to: a union that is told apart by `name`. */
export type Matches<A, Prefix extends string = ''> = string extends keyof A
  ? Match<string, AnyEndpoint>
  : {
      [Key in keyof A & (string | number)]: A[Key] extends Mount
        ? never
        : A[Key] extends AnyEndpoint
          ? Match<`${Prefix}${Key}`, A[Key]>
          : Matches<A[Key], `${Prefix}${Key}.`>
    }[keyof A & (string | number)]
