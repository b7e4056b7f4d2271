/** Middleware of one's own: with options, with the API, by itself and in lists. Read by the compiler alone. */
import { type Api, endpoint, ok, operations, text } from 'lapidary'
import {
  type AccessLogEntry,
  accessLog,
  appendHeader,
  compose,
  cors,
  isAlreadySent,
  loadShedding,
  type Middleware,
  type MiddlewareContext,
  requestId,
  timeout,
  trustProxy,
} from 'lapidary/middleware'
import { getTraceId, tracing } from 'lapidary/opentelemetry'
import { type HttpHandler, type HttpRequest, type Middleware as MiddlewareOfServer, serve } from 'lapidary/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

yes<Same<Middleware, MiddlewareOfServer>>()
yes<Same<Middleware, (next: HttpHandler, context: MiddlewareContext) => HttpHandler>>()
yes<Same<MiddlewareContext['api'], Api>>()

const sendHeader =
  (name: string, value: string): Middleware =>
  (next) =>
  async (request) => {
    yes<Same<typeof request, HttpRequest>>()
    const response = await next(request)
    return isAlreadySent(response) ? response : { ...response, headers: appendHeader(response.headers, name, value) }
  }

const countRoutes =
  (onCount: (count: number) => void): Middleware =>
  (next, { api }) => {
    onCount(operations(api).length)
    return next
  }

const closed: Middleware = () => () => ({ status: 503, headers: [], body: null })
/** Without the type: it is inferred. */
const plain = (next: HttpHandler): HttpHandler => next

declare const log: (entry: AccessLogEntry) => void
const isLogged: boolean = process.env['LOG'] === '1'

const middleware: readonly Middleware[] = [
  loadShedding({ maxWait: 100, onReject: ({ target }, { api }) => log as never as [typeof target, typeof api] }),
  trustProxy(['10.0.0.0/8']),
  tracing({ attributes: { 'url.scheme': 'https' } }),
  requestId(),
  ...(isLogged ? [accessLog(log)] : []),
  accessLog({ onStart: getTraceId, onEnd: (_entry, traceId) => yes<Same<typeof traceId, string | undefined>>() }),
  cors({ origins: ['https://example.org'] }),
  timeout(),
  timeout(5_000, { retryAfter: 2 }),
  sendHeader('Server', 'Lapidary'),
  countRoutes(() => {}),
  closed,
  plain,
]

const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
export const server = serve(api, { hello: (_input, { id }) => `${id}` }, { middleware })
export const mutable = serve(api, { hello: () => 'Hello' }, { middleware: [plain, (next) => (request) => next(request)] })
yes<Same<ReturnType<typeof compose>, HttpHandler>>()
export const handler = compose([requestId(), plain], () => ({ status: 204, headers: [], body: null }))
