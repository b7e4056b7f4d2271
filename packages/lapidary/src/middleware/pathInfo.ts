/** What an API offers at each of its paths, for middleware: methods, request headers and constant response headers. */
import { type Api, isMount, operations } from '../contract/api.ts'
import { createApiIndex, type IndexedEndpoint, type IndexedPath } from '../contract/apiIndex.ts'
import { listAuthSchemes } from '../contract/auth/alternatives.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { dedupeNames } from '../http/headerFields.ts'
import { percentDecode } from '../http/percentEncoding.ts'

/** What one path offers. */
export interface PathInfo {
  /** `any` below a mount, whose handler decides. */
  readonly methods: readonly string[] | 'any'
  /** Request headers, besides those that browsers may always send. */
  readonly headers: readonly string[]
  /** The headers of all responses at this path, flat. */
  readonly responseHeaders: readonly string[]
}

/** What every request may carry: conditions and ranges (RFC 9110 §13, §14), and the headers of tracing. */
const commonRequestHeaders: readonly string[] = Object.freeze([
  ...['Authorization', 'Content-Type', 'Range'],
  ...['If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'If-Unmodified-Since'],
  ...['X-Request-Id', 'Traceparent', 'Tracestate', 'Baggage'],
])

/** What the toolkit or middleware sends without a declaration, and a page may want to read. */
const commonResponseHeaders: readonly string[] = Object.freeze([
  'Accept-Ranges',
  'Allow',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
])

/** Returns the request headers of an endpoint. The examples of its auth schemes tell which headers carry credentials. */
function getEndpointHeaders({ headers, auth }: AnyEndpoint): readonly string[] {
  const credentials = listAuthSchemes(auth).flatMap((scheme) =>
    scheme.example === undefined ? [] : Object.keys(scheme.headers?.(scheme.example) ?? {}),
  )
  // Browsers send cookies by themselves, and let no page set them.
  return [...Object.keys(headers), ...credentials.filter((name) => name.toLowerCase() !== 'cookie')]
}

/** An endpoint with the request headers that it reads. */
interface EndpointHeaders extends IndexedEndpoint {
  readonly headers: readonly string[]
}

const createPathInfo = ({ entries, allowedMethods, responseHeaders }: IndexedPath<EndpointHeaders>): PathInfo => ({
  methods: allowedMethods,
  headers: dedupeNames([...commonRequestHeaders, ...[...entries.values()].flatMap(({ headers }) => headers)]),
  responseHeaders,
})

const mountInfo: PathInfo = Object.freeze({ methods: 'any', headers: commonRequestHeaders, responseHeaders: [] })

/** Returns a function that finds what a request target offers; undefined if the API has nothing there. */
export function createPathIndex(api: Api): (target: string) => PathInfo | undefined {
  const { paths, mounts } = createApiIndex(operations(api), (endpoint, { name }) => ({
    name,
    endpoint,
    headers: getEndpointHeaders(endpoint),
  }))
  const infos = new WeakMap<IndexedPath<EndpointHeaders>, PathInfo>()
  const getPathInfo = (path: IndexedPath<EndpointHeaders>): PathInfo => {
    const info = infos.get(path) ?? createPathInfo(path)
    infos.set(path, info)
    return info
  }
  return (target) => {
    const [path = ''] = target.split('?', 1)
    if (percentDecode(path) === undefined) return undefined
    const match = paths.find(path)
    if (match !== undefined) return getPathInfo(match.leaf)
    return mounts.findPrefix(path) === undefined ? undefined : mountInfo
  }
}

/** Returns all response headers that an API declares, and those that need no declaration. */
export const getExposedHeaders = (api: Api): readonly string[] =>
  dedupeNames([
    ...operations(api).flatMap(({ operation }) =>
      isMount(operation)
        ? []
        : [
            ...[...operation.responses, ...operation.errors].flatMap(({ headers }) => Object.keys(headers)),
            ...Object.keys(operation.responseHeaders),
          ],
    ),
    ...commonResponseHeaders,
  ])
