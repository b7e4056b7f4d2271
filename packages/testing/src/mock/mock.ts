/** A server that needs nothing but a description. */
import { type Api, errors, type Mount, operations } from 'lapidary'
import { isMount, listAuthSchemes, listScopeRequirements, toWireEndpoint } from 'lapidary/internal'
import { type ApiServer, type Authenticator, type HttpHandler, serve, toFetch } from 'lapidary/server'
import { mockDetail } from '../testingMessages.ts'
import { wrongCredentials } from '../wrongCredentials.ts'
import { respondAsDeclared } from './declaredErrors.ts'
import type { MockEndpoint } from './detectCollections.ts'
import { createFaultInjector, withDelay } from './faults.ts'
import { createHandlers } from './handlers.ts'
import { type AnyMockOptions, checkMockOptions, type MockOptions } from './options.ts'
import { type AnyMockHandler, withPlaceholderPage } from './responses.ts'

/** Splits an API into its endpoints and its mounts. */
function splitApi(api: Api): { readonly endpoints: readonly MockEndpoint[]; readonly mounts: ReadonlyMap<string, Mount> } {
  const [endpoints, mounts]: [MockEndpoint[], Map<string, Mount>] = [[], new Map()]
  for (const { name, operation } of operations(api)) {
    if (isMount(operation)) mounts.set(name, operation)
    else endpoints.push({ name, endpoint: operation, described: operation })
  }
  return { endpoints, mounts }
}

/** Adds an authenticator for each other auth scheme, which accepts all credentials that the scheme can read but one, with all scopes. */
const addAuthenticators = (endpoints: readonly MockEndpoint[], given: readonly Authenticator[]): readonly Authenticator[] => {
  const all = endpoints.flatMap(({ endpoint: { auth = [] } }) => auth)
  const schemes = new Set(listAuthSchemes(all))
  for (const { scheme } of given) schemes.delete(scheme)
  const scopes = listScopeRequirements(all).flatMap((requirement) => requirement.scopes)
  const verify = (credentials: unknown): unknown => (credentials === wrongCredentials ? undefined : credentials)
  return [...given, ...[...schemes].map((scheme) => ({ scheme, verify, scopes: () => scopes }))]
}

const rejectMount =
  ({ prefix }: Mount): HttpHandler =>
  () => {
    throw errors.notFound({ detail: mockDetail.notMounted(prefix) })
  }

/** Creates the handler of a mock. @throws TypeError as `mock` does */
function createMock(api: Api, options: AnyMockOptions): ApiServer {
  const { seed = 1, handlers = {}, mounts: mountHandlers = {}, delay, faults, ...serveOptions } = options
  const { endpoints, mounts } = splitApi(api)
  checkMockOptions(options, { endpoints: new Set(endpoints.map(({ name }) => name)), mounts: new Set(mounts.keys()) })

  const given = new Map(Object.entries(handlers).filter((entry): entry is [string, AnyMockHandler] => entry[1] !== undefined))
  const handled = createHandlers(
    endpoints.map((operation) =>
      given.has(operation.name) ? operation : { ...operation, endpoint: withPlaceholderPage(toWireEndpoint(operation.endpoint)) },
    ),
    given,
    seed,
  )
  const { failHandler, cutResponses } = createFaultInjector(faults, seed)
  // The served API is flat: each operation keeps its full name.
  const servedApi = Object.fromEntries([...handled.map(({ name, endpoint }) => [name, endpoint] as const), ...mounts]) as Api
  const servedHandlers = Object.fromEntries([
    ...handled.map(({ name, endpoint, handler }) => [name, failHandler(name, endpoint, handler)] as const),
    ...[...mounts].map(([name, mount]) => [name, mountHandlers[name] ?? rejectMount(mount)] as const),
  ])
  const auth = addAuthenticators(endpoints, serveOptions.auth ?? [])
  const server = serve(servedApi, servedHandlers as never, { ...serveOptions, auth })
  const described = respondAsDeclared(
    server,
    endpoints.map(({ endpoint }) => endpoint),
  )
  const cut = cutResponses(described)
  const handler = delay === undefined ? cut : withDelay(cut, delay, seed)
  return Object.assign(handler, { fetch: toFetch(handler), hasPath: server.hasPath })
}

/**
 * Serves an API from its description alone.
 *
 * The mock reads and refuses requests as the real server does. Its responses are examples of the description, or values that the schemas
 * allow: the same request gets the same response. A `collection` keeps the items that it is sent, until the program ends.
 *
 * @param api the description
 * @returns a server as `serve` creates it, with a `fetch`
 * @throws TypeError as `serve` does, and for unknown names and numbers out of range in the options
 * @example
 * ```ts
 * import { mock } from '@lapidary/testing'
 * import { endpoint, ok, text } from 'lapidary'
 * import { listen } from 'lapidary/node'
 *
 * const api = { greeting: endpoint('GET /greeting/:name', { response: ok(text), examples: { response: 'Hello, Ann!' } }) }
 * await listen(mock(api, { seed: 42 }), { port: 8081 })
 * ```
 */
export function mock<const A extends Api>(api: A, options: MockOptions<NoInfer<A>> = {}): ApiServer {
  return createMock(api, options as AnyMockOptions)
}
