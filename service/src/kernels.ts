/** The kernel of each deployment: its API, its handlers, and what they share. */
import { join } from 'node:path'
import { trace } from '@opentelemetry/api'
import { errors, type HttpError } from 'lapidary'
import { type Authenticator, authenticate, type ErrorListener, type HttpHandler, type ServeOptions, serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import type { Logger } from 'pino'
import { verifier } from './accounts/credentials.ts'
import { TooManyLogins } from './accounts/password.ts'
import { TooManyAttempts } from './accounts/tooManyAttempts.ts'
import { docs, main, pagination, people } from './api.ts'
import { documentation } from './documentation.ts'
import { colors } from './handlers/colors.ts'
import { echo } from './handlers/echo.ts'
import { file } from './handlers/file.ts'
import { founders } from './handlers/founders.ts'
import { headers } from './handlers/headers.ts'
import { health } from './handlers/health.ts'
import { hello } from './handlers/hello.ts'
import { marketing } from './handlers/marketing.ts'
import { openapi } from './handlers/openapi.ts'
import { pages } from './handlers/pages.ts'
import { persons } from './handlers/persons.ts'
import { position } from './handlers/position.ts'
import { products } from './handlers/products.ts'
import { secrets, tokenCheck } from './handlers/secrets.ts'
import { users } from './handlers/users.ts'
import { harmlessTarget } from './observe/harmlessTarget.ts'
import type { Watch } from './observe/watch.ts'
import type { Deployment, Settings } from './settings.ts'
import type { Store } from './store/store.ts'
import { StoreUnavailable } from './store/storeUnavailable.ts'

/** Pages among the static files load what is served beside them, may have styles of their own, and stand in no foreign frame. */
const staticPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"

/** What the kernels are made of. */
export interface Parts {
  readonly settings: Settings
  readonly store: Store
  readonly log: Logger
  /** Whether the service is shutting down. */
  readonly isClosing: () => boolean
  /** Told of failed logins. Default: nobody. */
  readonly watch?: Watch | undefined
}

/** Errors of ours that have an answer. What they say themselves is for the log. */
function translate(error: unknown, log: Logger): HttpError | undefined {
  if (error instanceof TooManyAttempts) {
    return errors.tooManyRequests({
      detail: 'Too many failed attempts. Wait, then try again.',
      headers: { 'Retry-After': `${error.retryAfter}` },
    })
  }
  if (error instanceof TooManyLogins) {
    return errors.serviceUnavailable({
      detail: 'Too many logins are being checked right now. Try again in a moment.',
      headers: { 'Retry-After': `${error.retryAfter}` },
    })
  }
  if (!(error instanceof StoreUnavailable)) return undefined
  log.error({ err: error }, 'the database is not available')
  return errors.serviceUnavailable({
    detail: 'The database is not available right now. Try again in a moment.',
    headers: { 'Retry-After': `${error.retryAfter}` },
  })
}

/** The check of people's accounts. */
function accountCheck({ accounts }: Store): Authenticator {
  const verify = verifier(accounts)
  return authenticate(people, (credentials, { remoteAddress: remote }) => verify(credentials, remote))
}

/** The same check, of whose refusals somebody is told. */
function watched(one: Authenticator, watch: Watch | undefined): Authenticator {
  if (watch === undefined) return one
  const told = (user: unknown): unknown => {
    if (user === undefined) watch.loginFailed(one.scheme.name, 'wrong')
    return user
  }
  const refused = (error: unknown): never => {
    if (error instanceof TooManyAttempts) watch.loginFailed(one.scheme.name, 'limited')
    throw error
  }
  return authenticate(one.scheme, (credentials, incoming) => {
    const verdict = one.verify(credentials, incoming)
    return verdict instanceof Promise ? verdict.then(told, refused) : told(verdict)
  })
}

/** Writes what should not have happened to the log, and to the span that it happened in. */
export const reporter =
  (log: Logger): ErrorListener =>
  (error, { target, ...incident }) => {
    log.error({ err: error, ...incident, target: harmlessTarget(target) }, 'unexpected error')
    trace.getActiveSpan()?.recordException(error instanceof Error ? error : String(error))
  }

/** The kernel of each deployment that is to be started. */
export async function kernels({ settings, store, log, isClosing, watch }: Parts): Promise<Readonly<Record<Deployment, HttpHandler>>> {
  const shared: ServeOptions = {
    bodyLimit: settings.maxBodyBytes,
    mapError: (error) => translate(error, log),
    onError: reporter(log),
  }
  const paged = { colors: colors(store, settings.maxRangeLimit), health: health(store, isClosing) }
  const open = { position, hello, marketing: marketing(settings.senderAddress) }
  return Object.freeze({
    main: serve(
      main,
      {
        ...open,
        ...paged,
        ...users(store),
        ...founders,
        products: products(store),
        persons: persons(store),
        file: file(settings.workingDirectory),
        static: serveStatic(join(settings.workingDirectory, 'static-files'), { headers: { 'Content-Security-Policy': staticPolicy } }),
        headers,
        secrets: secrets(store),
        echo,
        openapi: openapi(),
        pages: pages(),
        empty: {},
      },
      { ...shared, auth: [accountCheck(store), tokenCheck(settings.secretToken)].map((one) => watched(one, watch)) },
    ),
    pagination: serve(pagination, paged, shared),
    docs: serve(docs, open, { ...shared, fallback: await documentation(docs) }),
  })
}
