/** What an API offers at each of its paths, for kernels around it: methods, request headers and constant headers; and all its response headers. */
import { operations } from '../contract/api.js'
import { collectConstantHeaders } from '../contract/constantHeaders.js'
import { percentDecode } from '../http/percentEncoding.js'
import { createRouter } from '../http/router.js'
import { getAllowedMethods } from '../server/serve.js'

/** What any request may carry: conditions and ranges (RFC 9110 §13, §14), and what follows it through several services. */
const commonRequestHeaders = Object.freeze([
  ...['Authorization', 'Content-Type', 'Range'],
  ...['If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'If-Unmodified-Since'],
  ...['X-Request-Id', 'Traceparent', 'Tracestate', 'Baggage'],
])
/** What the toolkit or a kernel around it may say without being declared, and a program may want to read. */
const commonResponseHeaders = Object.freeze([
  ...['Accept-Ranges', 'Allow', 'Content-Range', 'ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
])
/** The request headers of an endpoint; an auth scheme says by its example which ones show its credentials. */
function getEndpointHeaders({ headers, auth }) {
  const shown = auth?.example === undefined ? {} : auth.headers?.(auth.example)
  return [...Object.keys(headers), ...Object.keys(shown ?? {})]
}
/** Each name once, whatever its case. */
const dedupeNames = (names) => [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
const createPathInfo = (endpoints) => ({
  methods: getAllowedMethods(endpoints.map(({ method }) => method)),
  headers: dedupeNames([...commonRequestHeaders, ...endpoints.flatMap(getEndpointHeaders)]),
  constantHeaders: collectConstantHeaders(endpoints),
})
/** Tells what may be asked of a target; undefined where the API has nothing. */
export function createPathIndex(api) {
  const resources = createRouter()
  const mounts = createRouter()
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
export const getExposedHeaders = (api) =>
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
