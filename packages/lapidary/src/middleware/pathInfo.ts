/** What an API offers at each of its paths, for kernels around it: methods, request headers and constant headers; and all its response headers. */
import { type Api, operations } from '../contract/api.ts'
import { collectConstantHeaders } from '../contract/constantHeaders.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import { createRouter, type Router } from '../http/router.ts'
import { getAllowedMethods } from '../server/serve.ts'

/** What may be asked of one path. */
export interface PathInfo {
  /** `any`: it is mounted, and whoever stands there decides. */
  readonly methods: readonly string[] | 'any'
  /** Request headers, besides those that browsers always may send. */
  readonly headers: readonly string[]
  /** The headers that every answer at this path carries, flat. */
  readonly constantHeaders: readonly string[]
}

/** What any request may carry: conditions and ranges (RFC 9110 §13, §14), and what follows it through several services. */
const commonRequestHeaders: readonly string[] = Object.freeze([
  ...['Authorization', 'Content-Type', 'Range'],
  ...['If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'If-Unmodified-Since'],
  ...['X-Request-Id', 'Traceparent', 'Tracestate', 'Baggage'],
])

/** What the toolkit or a kernel around it may say without being declared, and a program may want to read. */
const commonResponseHeaders: readonly string[] = Object.freeze([
  ...['Accept-Ranges', 'Allow', 'Content-Range', 'ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
])

/** The request headers of an endpoint; an auth scheme says by its example which ones show its credentials. */
function getEndpointHeaders({ headers, auth }: AnyEndpoint): readonly string[] {
  const shown = auth?.example === undefined ? {} : auth.headers?.(auth.example)
  return [...Object.keys(headers), ...Object.keys(shown ?? {})]
}

/** Each name once, whatever its case. */
const dedupeNames = (names: readonly string[]): readonly string[] => [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]

const createPathInfo = (endpoints: readonly AnyEndpoint[]): PathInfo => ({
  methods: getAllowedMethods(endpoints.map(({ method }) => method)),
  headers: dedupeNames([...commonRequestHeaders, ...endpoints.flatMap(getEndpointHeaders)]),
  constantHeaders: collectConstantHeaders(endpoints),
})

/** Tells what may be asked of a target; undefined where the API has nothing. */
export function createPathIndex(api: Api): (target: string) => PathInfo | undefined {
  const resources: Router<{ endpoints: readonly AnyEndpoint[]; offered: PathInfo }> = createRouter()
  const mounts: Router<PathInfo> = createRouter()
  for (const { operation } of operations(api)) {
    if (operation['~kind'] === 'mount') {
      mounts.getOrInsert(operation.segments, () => ({ methods: 'any', headers: commonRequestHeaders, constantHeaders: [] }))
      continue
    }
    const resource = resources.getOrInsert(operation.segments, () => ({ endpoints: [], offered: createPathInfo([]) }))
    resource.endpoints = [...resource.endpoints, operation]
    resource.offered = createPathInfo(resource.endpoints)
  }
  return (target) => {
    const [path = ''] = target.split('?', 1)
    if (percentDecode(path) === undefined) return undefined
    return resources.find(path)?.leaf.offered ?? mounts.findPrefix(path)?.leaf
  }
}

/** Every response header that an API declares, and those that need no declaration. */
export const getExposedHeaders = (api: Api): readonly string[] =>
  dedupeNames([
    ...operations(api).flatMap(({ operation }) =>
      operation['~kind'] === 'mount'
        ? []
        : [
            ...[operation.response, ...operation.errors].flatMap(({ headers }) => Object.keys(headers)),
            ...Object.keys(operation.responseHeaders),
          ],
    ),
    ...commonResponseHeaders,
  ])
