/** `match(api, url)`: the endpoint of a URL, with its captures and its query; the inverse of `link`. */
import { type Api, isOperation, type Mount } from '../contract/api.ts'
import { getApiIndex } from '../contract/apiIndex.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import { isReadError } from '../contract/parameters/readers.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import { resolveUrl } from './resolveUrl.ts'

/** Options of `match` for one endpoint. */
export interface MatchEndpointOptions {
  /**
   * The URL of the API, or its path at any origin. A URL that is not below it has no match.
   *
   * @default '/'
   */
  readonly base?: string | URL
}

/** Options of `match` for an API. */
export interface MatchOptions extends MatchEndpointOptions {
  /**
   * The method of the request. HEAD matches the endpoint of GET.
   *
   * @default 'GET'
   */
  readonly method?: string
}

/**
 * Reads the captures and the query of a URL as one endpoint declares them. It considers no other endpoint, whose literal segments might
 * take precedence.
 *
 * @returns undefined where the path is another, and where the captures or the query are invalid.
 * @throws TypeError where `base` is neither a URL nor a path.
 * @example
 * ```ts
 * import { endpoint, int, ok, text } from 'lapidary'
 * import { match } from 'lapidary/links'
 *
 * const position = endpoint('GET /position/:x/:y', { params: { x: int, y: int }, response: ok(text) })
 * console.log(match(position, '/position/1/2')?.params.x) // 1
 * ```
 */
export function match<E extends AnyEndpoint>(
  endpoint: E,
  url: string | URL,
  options?: MatchEndpointOptions,
): MatchedValues<PartOf<E, 'params'>, PartOf<E, 'query'>> | undefined
/**
 * Finds the endpoint that a request to a URL would reach, and reads its captures and its query. It never finds a mount. The API is compiled
 * at the first call.
 *
 * @param url an absolute URL, or a path; `match` parses it as `fetch` does and ignores its fragment.
 * @returns undefined where a server of the API would respond with 404, with 405, or with 400 for the path or the query.
 * @throws TypeError where `base` is neither a URL nor a path, where two endpoints of the API have the same route, and for a mount that no
 * request can reach.
 * @example
 * ```ts
 * import { endpoint, int, ok, text } from 'lapidary'
 * import { match } from 'lapidary/links'
 *
 * const api = { position: endpoint('GET /position/:x/:y', { params: { x: int, y: int }, response: ok(text) }) }
 * const found = match(api, '/position/1/2')
 * if (found?.name === 'position') console.log(found.params.x) // 1
 * ```
 */
export function match<A extends Api>(api: A, url: string | URL, options?: MatchOptions): Matches<A> | undefined
export function match(
  target: Api | AnyEndpoint,
  url: string | URL,
  { base = '/', method = 'GET' }: MatchOptions = {},
): MatchedValues<unknown, unknown> | Match<string, AnyEndpoint> | undefined {
  const location = resolveUrl(base, url)
  if (location === undefined || percentDecode(location.path) === undefined) return undefined
  const isEndpoint = isOperation(target)
  const found = getApiIndex(target).paths.find(location.path)
  const entry = found?.leaf.entries.get(isEndpoint ? target.method : method === 'HEAD' ? 'GET' : method)
  if (found === undefined || entry === undefined) return undefined
  const params = entry.readCaptures(found.captures)
  const query = entry.readQuery(location.search)
  if (isReadError(params) || isReadError(query)) return undefined
  return isEndpoint ? { params, query } : { name: entry.name, endpoint: entry.endpoint, params, query }
}

/** The values of a URL, as an endpoint declares them. */
export interface MatchedValues<Params, Query> {
  /** The captures, read by their codecs. */
  readonly params: Params
  /** The query parameters, read by their codecs. */
  readonly query: Query
}

/** An endpoint of an API and the values of a URL. `link(found.endpoint, found)` is the URL again. */
export interface Match<Name extends string, E extends AnyEndpoint> extends MatchedValues<PartOf<E, 'params'>, PartOf<E, 'query'>> {
  /** The keys that lead to the endpoint, joined by dots: `users.item`. */
  readonly name: Name
  readonly endpoint: E
}

/** A part of the input of a handler; empty where the endpoint does not declare it. */
type PartOf<E extends AnyEndpoint, Part extends string> = Part extends keyof TypeOf<E['~types'], 'input'>
  ? TypeOf<E['~types'], 'input'>[Part]
  : Record<never, never>

/** The matches of all endpoints of an API: a union with `name` as its discriminant. */
export type Matches<A, Prefix extends string = ''> = string extends keyof A
  ? Match<string, AnyEndpoint>
  : {
      [Key in keyof A & (string | number)]: A[Key] extends Mount
        ? never
        : A[Key] extends AnyEndpoint
          ? Match<`${Prefix}${Key}`, A[Key]>
          : Matches<A[Key], `${Prefix}${Key}.`>
    }[keyof A & (string | number)]
