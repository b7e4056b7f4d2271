/** `match(api, url)`: the endpoint of a URL, with its captures and its query; the inverse of `link`. */
import { type Api, isOperation, type Mount } from '../contract/api.ts'
import { getApiIndex } from '../contract/apiIndex.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import { isReadError } from '../contract/parameters/readers.ts'
import type { AnyWebhook } from '../contract/webhook.ts'
import { memoize } from '../http/memoize.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** The parts of a URL that determine the endpoint. */
interface UrlParts {
  /** Undefined for a path, which can be at any origin. */
  readonly origin: string | undefined
  readonly path: string
  /** The text after `?`, percent-encoded. */
  readonly search: string
}

/** The origin for parsing a path. It goes in front of the text, so that `//example.org` stays a path. */
const placeholderOrigin = 'http://anywhere.invalid'

/** The parts of an absolute HTTP URL or of a path; undefined for any other text. */
function parseUrl(text: string): UrlParts | undefined {
  const isPath = text.startsWith('/')
  // After an origin, every path can be parsed.
  if (!isPath && !URL.canParse(text)) return undefined
  const { protocol, origin, pathname, search } = new URL(isPath ? placeholderOrigin + text : text)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return { origin: isPath ? undefined : origin, path: pathname, search: search.slice(1) }
}

/**
 * The origin and the path of an API, without a trailing slash.
 *
 * @throws TypeError for a text that is neither a URL nor a path, and for one with a query or a fragment.
 */
const parseMatchBase = memoize((base: string): Pick<UrlParts, 'origin' | 'path'> => {
  const address = /[?#]/.test(base) ? undefined : parseUrl(base)
  if (address === undefined) throw new TypeError(developerErrors.invalidMatchBase(base))
  return { origin: address.origin, path: address.path.replace(/\/+$/, '') }
})

/**
 * The path of a URL below `base`, and its query; undefined for a URL that is not below it.
 *
 * @throws TypeError for a base that is neither a URL nor a path, and for one with a query or a fragment.
 */
export function resolveUrl(base: string | URL, url: string | URL): Pick<UrlParts, 'path' | 'search'> | undefined {
  const place = parseMatchBase(String(base))
  const address = parseUrl(String(url))
  if (address === undefined || !address.path.startsWith(`${place.path}/`)) return undefined
  const isElsewhere = place.origin !== undefined && address.origin !== undefined && place.origin !== address.origin
  return isElsewhere ? undefined : { path: address.path.slice(place.path.length), search: address.search }
}

/** Options of `match` for one endpoint. */
interface MatchEndpointOptions {
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
 * Reads the captures and the query of a URL as one endpoint declares them. It does not consider other endpoints, although their literal
 * segments might take precedence.
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
      [Key in keyof A & (string | number)]: A[Key] extends Mount | AnyWebhook
        ? never
        : A[Key] extends AnyEndpoint
          ? Match<`${Prefix}${Key}`, A[Key]>
          : Matches<A[Key], `${Prefix}${Key}.`>
    }[keyof A & (string | number)]
