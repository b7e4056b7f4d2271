/** `createMockHandler(api)`: a server of nothing but the description. Everything but the handlers is what `createApiHandler` makes of it. */
import { type Api, errors, type Mount, operations } from 'lapidary'
import { createApiHandler, mockDetail } from 'lapidary/internal'
import { type Authenticator, authenticate, type HttpHandler } from 'lapidary/server'
import type { MockEndpoint } from './detectCollections.ts'
import { createFaultInjector, withDelay } from './faults.ts'
import { createHandlers } from './handlers.ts'
import { type AnyMockOptions, checkMockOptions, type MockOptions } from './options.ts'
import type { AnyMockHandler } from './responses.ts'
import { withPlaceholderPage } from './responses.ts'

/** What stands in an API, by kinds. */
interface ApiParts {
  readonly endpoints: readonly MockEndpoint[]
  readonly mounts: ReadonlyMap<string, Mount>
}

function splitApi(api: Api): ApiParts {
  const [endpoints, mounts]: [MockEndpoint[], Map<string, Mount>] = [[], new Map()]
  for (const { name, operation } of operations(api)) {
    if (operation['~kind'] === 'mount') mounts.set(name, operation)
    else endpoints.push({ name, endpoint: operation })
  }
  return { endpoints, mounts }
}

/** The checks that were given; of every other scheme, whatever credentials it can read are right. */
const addAuthenticators = (endpoints: readonly MockEndpoint[], given: readonly Authenticator[]): readonly Authenticator[] => {
  const schemes = new Set(endpoints.flatMap(({ endpoint: { auth } }) => (auth === undefined ? [] : [auth])))
  for (const { scheme } of given) schemes.delete(scheme)
  return [...given, ...[...schemes].map((scheme) => authenticate(scheme, (credentials: unknown) => credentials))]
}

const rejectUnmounted =
  ({ prefix }: Mount): HttpHandler =>
  () => {
    throw errors.notFound({ detail: mockDetail.notMounted(prefix) })
  }

/**
 * Serves an API of nothing but its description: `listen(mock(api), { port: 8081 })`. Requests are read and refused as by any server of it, and
 * answered with the examples of the description or with values that its schemas allow, the same for the same request. What has the shape of a
 * `collection` keeps what it is given, until the program ends.
 *
 * @throws TypeError as `createApiHandler` does, and for options that cannot be meant.
 */
export function createMockHandler<const A extends Api>(api: A, options: MockOptions<NoInfer<A>> = {}): HttpHandler {
  // What their types say of this very API is between them and their author.
  const loose = options as AnyMockOptions
  const { seed = 1, handlers: answers = {}, mounts: kernels = {}, delay, faults, ...serving } = loose
  const { endpoints, mounts } = splitApi(api)
  checkMockOptions(loose, { endpoints: new Set(endpoints.map(({ name }) => name)), mounts: new Set(mounts.keys()) })

  const own = new Map(Object.entries(answers).filter((named): named is [string, AnyMockHandler] => named[1] !== undefined))
  const all = createHandlers(
    endpoints.map(({ name, endpoint }) => ({ name, endpoint: own.has(name) ? endpoint : withPlaceholderPage(endpoint) })),
    own,
    seed,
  )
  const { failHandler: failing, cutResponses: cutting } = createFaultInjector(faults, seed)
  const mounted = [...mounts].map(([name, mount]) => [name, kernels[name] ?? rejectUnmounted(mount)] as const)
  // Flat: under its whole name, each of them is called as it is in the API.
  const served = Object.fromEntries([...all.map(({ name, endpoint }) => [name, endpoint] as const), ...mounts]) as Api
  const handlers = Object.fromEntries([
    ...all.map(({ name, endpoint, handler: handle }) => [name, failing(name, endpoint, handle)] as const),
    ...mounted,
  ])
  const kernel = cutting(
    createApiHandler(served, handlers as never, { ...serving, auth: addAuthenticators(endpoints, serving.auth ?? []) }),
  )
  return delay === undefined ? kernel : withDelay(kernel, delay, seed)
}
