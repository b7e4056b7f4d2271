/** The HTTP handler of each deployment: its API, its handlers and its middleware. */
import { trace } from '@opentelemetry/api'
import { type Api, errors, type HttpError, isHttpError } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import {
  compression,
  cors,
  decompression,
  loadShedding,
  type Middleware,
  rateLimit,
  securityHeaders,
  timeout,
  trustProxy,
} from 'lapidary/middleware'
import { tracing } from 'lapidary/opentelemetry'
import { type Authenticator, authenticate, type ErrorListener, type HttpHandler, type ServeOptions, serve } from 'lapidary/server'
import type { Logger } from 'pino'
import { createVerifier } from './accounts/credentials.ts'
import { people } from './api/users.ts'
import { docs, main, pagination } from './api.ts'
import { authenticateSecret, createHandlers, type HandlerContext } from './handlers.ts'
import type { Metrics } from './observability/metrics.ts'
import { type Observers, observeOverload, observeRequests } from './observability/requests.ts'
import { redactTarget } from './redact.ts'
import type { Deployment, Settings } from './settings.ts'
import { StoreUnavailable } from './store/errors.ts'

const introductions = [
  {
    title: 'Welcome',
    paragraphs: [
      'This is the documentation of the example web service, made from the same description as the service itself.',
      'Every example body below is the output of the encoders that answer your requests.',
    ],
  },
]

/** Answers every request with 200 and the Markdown documentation of the API. */
async function documentationFallback(api: Api): Promise<HttpHandler> {
  const response = Object.freeze({
    status: 200,
    headers: Object.freeze(['Content-Type', 'text/plain', 'X-Content-Type-Options', 'nosniff']),
    body: markdown(await outline(api, { introductions })),
  })
  return () => response
}

/** The response while the database is not available. The message of the error goes to the log only. */
function mapError(error: unknown, log: Logger): HttpError | undefined {
  if (!(error instanceof StoreUnavailable)) return undefined
  log.error({ err: error }, 'the database is not available')
  const detail = 'The database is not available right now. Try again in a moment.'
  return errors.serviceUnavailable({ detail, headers: { 'Retry-After': `${error.retryAfter}` } })
}

/** Counts the rejected credentials of an authenticator. */
function countRejected({ scheme, verify }: Authenticator, metrics: Metrics | undefined): Authenticator {
  const countWrong = (user: unknown): unknown => {
    if (user === undefined) metrics?.onLoginFailure(scheme.name, 'wrong')
    return user
  }
  const countLimited = (error: unknown): never => {
    if (isHttpError(error) && error.status === 429) metrics?.onLoginFailure(scheme.name, 'limited')
    throw error
  }
  return authenticate(scheme, (credentials, request) => {
    const user = verify(credentials, request)
    return user instanceof Promise ? user.then(countWrong, countLimited) : countWrong(user)
  })
}

/** Logs unexpected errors, and records them in the active span. */
export const reportError =
  (log: Logger): ErrorListener =>
  (error, { target, ...incident }) => {
    log.error({ err: error, ...incident, target: redactTarget(target) }, 'unexpected error')
    trace.getActiveSpan()?.recordException(error instanceof Error ? error : String(error))
  }

/** What is left out of the security headers: the proxy that has the TLS says for how long, and static pages may be framed here (`frame-ancestors`). */
const browserHeaders = { 'Strict-Transport-Security': false, 'X-Frame-Options': false } as const

/** The middleware of each deployment. */
type DeploymentMiddleware = Readonly<Partial<Record<Deployment, readonly Middleware[]>>>

/** The HTTP handlers of the deployments. Throws `MissingAssetError`. */
export async function createServers(
  context: HandlerContext & Observers,
  middleware: DeploymentMiddleware = {},
): Promise<Readonly<Record<Deployment, HttpHandler>>> {
  const { settings, store, log, metrics } = context
  const options: ServeOptions = {
    maxBodySize: settings.maxBodyBytes,
    mapError: (error) => mapError(error, log),
    onError: reportError(log),
  }
  const verify = createVerifier(store.accounts)
  const authenticators = [
    authenticate(people, (credentials, { remoteAddress: remote }) => verify(credentials, remote)),
    authenticateSecret(settings.secretToken),
  ]
  const handlers = createHandlers(context)
  return Object.freeze({
    main: serve(main, handlers.main, {
      ...options,
      auth: authenticators.map((one) => countRejected(one, metrics)),
      middleware: middleware.main ?? [],
    }),
    pagination: serve(pagination, handlers.pagination, { ...options, middleware: middleware.pagination ?? [] }),
    docs: serve(docs, handlers.docs, {
      ...options,
      fallback: await documentationFallback(docs),
      middleware: middleware.docs ?? [],
    }),
  })
}

/** Returns the middleware of each deployment. CORS is around the time limit, so that a page can read that a response came too late. */
export function createMiddleware(
  { handlerTimeout, corsOrigins, trustedProxies, maxWait, rateLimit: policy, compression: isCompressing }: Settings,
  observers: Observers,
): DeploymentMiddleware {
  const overloadObservers = new Map<Api, () => void>([
    [main, observeOverload('main', observers)],
    [pagination, observeOverload('pagination', observers)],
    [docs, observeOverload('docs', observers)],
  ])
  // The deployments share the event loop, and so one queue.
  const shedding = loadShedding({
    maxWait,
    onReject: (_request, { api }) => overloadObservers.get(api)?.(),
  })
  // They share the quota of an address as well.
  const limits = policy === undefined ? [] : [rateLimit({ policies: policy })]
  const listMiddleware = (deployment: Deployment): readonly Middleware[] => [
    shedding,
    trustProxy(trustedProxies ?? []),
    tracing(),
    ...observeRequests(deployment, observers),
    ...(corsOrigins === undefined ? [] : [cors({ origins: corsOrigins })]),
    securityHeaders(browserHeaders),
    ...(isCompressing ? [compression(), decompression()] : []),
    ...limits,
    timeout(handlerTimeout),
  ]
  return Object.freeze({ main: listMiddleware('main'), pagination: listMiddleware('pagination'), docs: listMiddleware('docs') })
}
