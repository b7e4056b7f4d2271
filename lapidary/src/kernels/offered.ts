/** What an API offers at each of its paths, for kernels around it: methods, request headers and constant headers; and all its response headers. */
import { type Api, walk } from '../describe/api.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { percentDecoded } from '../describe/percent.ts'
import { type Router, router } from '../describe/router.ts'
import { constantHeaders } from '../server/constant.ts'
import { allowed } from '../server/serve.ts'

/** What may be asked of one path. */
export interface Offered {
  /** `any`: it is mounted, and whoever stands there decides. */
  readonly methods: readonly string[] | 'any'
  /** Request headers, besides those that browsers always may send. */
  readonly headers: readonly string[]
  /** The headers that every answer at this path carries, flat. */
  readonly always: readonly string[]
}

/** What any request may carry: conditions and ranges (RFC 9110 §13, §14), and what follows it through several services. */
const everywhere: readonly string[] = Object.freeze([
  ...['Authorization', 'Content-Type', 'Range'],
  ...['If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'If-Unmodified-Since'],
  ...['X-Request-Id', 'Traceparent', 'Tracestate', 'Baggage'],
])

/** What the toolkit or a kernel around it may say without being declared, and a program may want to read. */
const undeclared: readonly string[] = Object.freeze([
  ...['Accept-Ranges', 'Allow', 'Content-Range', 'ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
])

/** The request headers of an endpoint; an auth scheme says by its example which ones show its credentials. */
function headersOf({ headers, auth }: AnyEndpoint): readonly string[] {
  const shown = auth?.example === undefined ? {} : auth.headers?.(auth.example)
  return [...Object.keys(headers), ...Object.keys(shown ?? {})]
}

/** Each name once, whatever its case. */
const unique = (names: readonly string[]): readonly string[] => [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]

const offeredBy = (endpoints: readonly AnyEndpoint[]): Offered => ({
  methods: allowed(endpoints.map(({ method }) => method)),
  headers: unique([...everywhere, ...endpoints.flatMap(headersOf)]),
  always: constantHeaders(endpoints),
})

/** Tells what may be asked of a target; undefined where the API has nothing. */
export function offered(api: Api): (target: string) => Offered | undefined {
  const resources: Router<{ endpoints: readonly AnyEndpoint[]; offered: Offered }> = router()
  const mounts: Router<Offered> = router()
  for (const { operation } of walk(api)) {
    if (operation['~kind'] === 'mount') {
      mounts.at(operation.segments, () => ({ methods: 'any', headers: everywhere, always: [] }))
      continue
    }
    const resource = resources.at(operation.segments, () => ({ endpoints: [], offered: offeredBy([]) }))
    resource.endpoints = [...resource.endpoints, operation]
    resource.offered = offeredBy(resource.endpoints)
  }
  return (target) => {
    const [path = ''] = target.split('?', 1)
    if (percentDecoded(path) === undefined) return undefined
    return resources.find(path)?.leaf.offered ?? mounts.findPrefix(path)?.leaf
  }
}

/** Every response header that an API declares, and those that need no declaration. */
export const exposedHeaders = (api: Api): readonly string[] =>
  unique([
    ...walk(api).flatMap(({ operation }) =>
      operation['~kind'] === 'mount'
        ? []
        : [...[operation.response, ...operation.errors].flatMap(({ headers }) => Object.keys(headers)), ...Object.keys(operation.always)],
    ),
    ...undeclared,
  ])
