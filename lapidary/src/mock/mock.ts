/** `mock(api)`: a server of nothing but the description. Everything but the handlers is what `serve` makes of it. */
import { type Api, walk } from '../describe/api.ts'
import { notFound } from '../describe/errors.ts'
import { mocked } from '../describe/message.ts'
import type { Mount } from '../describe/mount.ts'
import { type Check, check } from '../server/guard.ts'
import type { Kernel } from '../server/kernel.ts'
import { serve } from '../server/serve.ts'
import { delayed, faulty } from './faults.ts'
import type { Handle } from './handle.ts'
import { handled } from './handles.ts'
import { checkOptions, type LooseOptions, type MockOptions } from './options.ts'
import type { Named } from './shapes.ts'
import { standingIn } from './standIn.ts'

/** What stands in an API, by kinds. */
interface Parts {
  readonly endpoints: readonly Named[]
  readonly mounts: ReadonlyMap<string, Mount>
}

function partsOf(api: Api): Parts {
  const [endpoints, mounts]: [Named[], Map<string, Mount>] = [[], new Map()]
  for (const { name, operation } of walk(api)) {
    if (operation['~kind'] === 'mount') mounts.set(name, operation)
    else endpoints.push({ name, endpoint: operation })
  }
  return { endpoints, mounts }
}

/** The checks that were given; of every other scheme, whatever credentials it can read are right. */
const checksOf = (endpoints: readonly Named[], given: readonly Check[]): readonly Check[] => {
  const schemes = new Set(endpoints.flatMap(({ endpoint: { auth } }) => (auth === undefined ? [] : [auth])))
  for (const { scheme } of given) schemes.delete(scheme)
  return [...given, ...[...schemes].map((scheme) => check(scheme, (credentials: unknown) => credentials))]
}

const unmounted =
  ({ prefix }: Mount): Kernel =>
  () => {
    throw notFound({ detail: mocked.notMounted(prefix) })
  }

/**
 * Serves an API of nothing but its description: `listen(mock(api), { port: 8081 })`. Requests are read and refused as by any server of it, and
 * answered with the examples of the description or with values that its schemas allow, the same for the same request. What has the shape of a
 * `collection` keeps what it is given, until the program ends.
 *
 * @throws TypeError as `serve` does, and for options that cannot be meant.
 */
export function mock<const A extends Api>(api: A, options: MockOptions<NoInfer<A>> = {}): Kernel {
  // What their types say of this very API is between them and their author.
  const loose = options as LooseOptions
  const { seed = 1, answers = {}, mounts: kernels = {}, delay, faults, ...serving } = loose
  const { endpoints, mounts } = partsOf(api)
  checkOptions(loose, { endpoints: new Set(endpoints.map(({ name }) => name)), mounts: new Set(mounts.keys()) })

  const own = new Map(Object.entries(answers).filter((named): named is [string, Handle] => named[1] !== undefined))
  const all = handled(
    endpoints.map(({ name, endpoint }) => ({ name, endpoint: own.has(name) ? endpoint : standingIn(endpoint) })),
    own,
    seed,
  )
  const { failing, cutting } = faulty(faults, seed)
  const mounted = [...mounts].map(([name, mount]) => [name, kernels[name] ?? unmounted(mount)] as const)
  // Flat: under its whole name, each of them is called as it is in the API.
  const served = Object.fromEntries([...all.map(({ name, endpoint }) => [name, endpoint] as const), ...mounts]) as Api
  const handlers = Object.fromEntries([
    ...all.map(({ name, endpoint, handle }) => [name, failing(name, endpoint, handle)] as const),
    ...mounted,
  ])
  const kernel = cutting(serve(served, handlers as never, { ...serving, auth: checksOf(endpoints, serving.auth ?? []) }))
  return delay === undefined ? kernel : delayed(kernel, delay, seed)
}
