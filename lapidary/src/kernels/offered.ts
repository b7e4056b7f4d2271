/** What an API offers to pages of other origins: the methods and request headers of each of its paths, and its response headers. */
import { type Api, walk } from '../describe/api.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { percentDecoded } from '../describe/percent.ts'
import { type Router, router } from '../describe/router.ts'
import { allowed } from '../server/serve.ts'

/** What may be asked of one path. */
export interface Offered {
  /** `any`: it is mounted, and whoever stands there decides. */
  readonly methods: readonly string[] | 'any'
  /** Request headers, besides those that browsers always may send. */
  readonly headers: readonly string[]
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

/** Tells what may be asked of a target; undefined where the API has nothing. */
export function offered(api: Api): (target: string) => Offered | undefined {
  const resources: Router<AnyEndpoint[]> = router()
  const mounts: Router<Offered> = router()
  for (const { operation } of walk(api)) {
    if (operation['~kind'] === 'mount') mounts.at(operation.segments, () => ({ methods: 'any', headers: everywhere }))
    else resources.at(operation.segments, () => []).push(operation)
  }
  return (target) => {
    const [path = ''] = target.split('?', 1)
    if (percentDecoded(path) === undefined) return undefined
    const endpoints = resources.find(path)?.leaf
    if (endpoints === undefined) return mounts.findPrefix(path)?.leaf
    const methods = allowed(endpoints.map(({ method }) => method))
    return { methods, headers: unique([...everywhere, ...endpoints.flatMap(headersOf)]) }
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
