/** `mock(api)`: a server of nothing but the description. Everything but the handlers is what `serve` makes of it. */
import { type Api, walk } from '../describe/api.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { notFound } from '../describe/errors.ts'
import type { Precondition } from '../describe/etag.ts'
import { mocked } from '../describe/message.ts'
import type { Mount } from '../describe/mount.ts'
import { Refusal } from '../describe/refusal.ts'
import type { WithHeaders } from '../describe/reply.ts'
import { type Check, check } from '../server/guard.ts'
import type { Kernel } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { serve } from '../server/serve.ts'
import { collectionHandles } from './collections.ts'
import { draw, wordOf } from './draw.ts'
import { delayed, faulty } from './faults.ts'
import type { Given, Handle } from './handle.ts'
import { checkOptions, type LooseOptions, type MockOptions } from './options.ts'
import { pagedHandle } from './paged.ts'
import { keepingSent, type Sent } from './sent.ts'
import { type Named, placeOf, shapesIn } from './shapes.ts'
import { standingIn } from './standIn.ts'
import { replyOf, successMaking } from './success.ts'

/** Whatever credentials a scheme can read are right. */
const trusting = (all: readonly Named[], given: readonly Check[]): readonly Check[] => {
  const schemes = new Set(all.flatMap(({ endpoint: { auth } }) => (auth === undefined ? [] : [auth])))
  for (const { scheme } of given) schemes.delete(scheme)
  return [...given, ...[...schemes].map((scheme) => check(scheme, (credentials: unknown) => credentials))]
}

/** The handler that answers with what the description shows, or allows. */
function described({ name, endpoint }: Named, seed: number): Handle {
  const make = successMaking(endpoint)
  return ({ params, query }) => make(draw(seed, name, wordOf(params, query)), params)
}

/** A request of a GET without anything but its captures. */
function plainly({ query }: AnyEndpoint, { params, user }: Given): Given {
  const values = Object.entries(query).map(([name, parameter]) => {
    const value: unknown = parameter.read({ texts: [], named: false })
    return [name, value instanceof Refusal ? undefined : value] as const
  })
  return { params, query: Object.fromEntries(values), headers: {}, body: undefined, user }
}

/** The same handler of a change, made on the condition that what the GET of its path answers is what the request takes it for. */
function conditional(handle: Handle, got: Named | undefined, current: Handle | undefined): Handle {
  if (got === undefined || current === undefined) return handle
  const hasHeaders = Object.keys(replyOf(got.endpoint).headers).length > 0
  const check = (precondition: Precondition, value: unknown): void =>
    precondition(hasHeaders ? (value as WithHeaders<unknown, unknown>).body : value)
  return (given, incoming) => {
    const { precondition } = given
    if (precondition === undefined) return handle(given, incoming)
    const value = current(plainly(got.endpoint, given), incoming)
    // Where nothing is waited for, nobody can write in between.
    if (isPromise(value))
      return value.then((late) => {
        check(precondition, late)
        return handle(given, incoming)
      })
    check(precondition, value)
    return handle(given, incoming)
  }
}

/** A handler of one's own gets the body as any handler does. */
const withRead =
  (own: Handle): Handle =>
  (given, incoming) =>
    own({ ...given, body: (given.body as Sent).read }, incoming)

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
  const { seed = 1, answers = {}, mounts = {}, delay, faults, ...serving } = options as LooseOptions
  const walked = walk(api)
  const all = walked.flatMap(({ name, operation }): readonly Named[] =>
    operation['~kind'] === 'mount' ? [] : [{ name, endpoint: answers[name] === undefined ? standingIn(operation) : operation }],
  )
  const mounted = walked.flatMap(({ name, operation }) => (operation['~kind'] === 'mount' ? [[name, operation] as const] : []))
  checkOptions(options as LooseOptions, { endpoints: new Set(all.map(({ name }) => name)), mounts: new Set(mounted.map(([name]) => name)) })

  const kept = new Map<string, Handle>()
  const keeping = new Set<string>()
  for (const shape of shapesIn(all)) {
    for (const [name, handle] of collectionHandles(shape, seed)) kept.set(name, handle)
    for (const one of [shape.create, shape.replace, shape.change]) if (one !== undefined) keeping.add(one.name)
  }
  const isSent = ({ name, endpoint }: Named): boolean => keeping.has(name) && endpoint.body?.schema !== undefined

  const handles = new Map<string, Handle>()
  for (const one of all) {
    const own = answers[one.name] as Handle | undefined
    const handle = own && isSent(one) ? withRead(own) : own
    handles.set(one.name, handle ?? kept.get(one.name) ?? pagedHandle(one, seed) ?? described(one, seed))
  }

  const { failing, cutting } = faulty(faults, seed)
  const gets = new Map(all.filter(({ endpoint }) => endpoint.method === 'GET').map((one) => [placeOf(one.endpoint.segments), one]))
  const handlerOf = (one: Named): Handle => {
    const got = gets.get(placeOf(one.endpoint.segments))
    const handle = handles.get(one.name) as Handle // one for each
    const whole = typeof one.endpoint.etag === 'string' ? conditional(handle, got, got && handles.get(got.name)) : handle
    return failing(one.name, one.endpoint, whole)
  }

  // Flat: under its whole name, each of them is called as it is in the API.
  const served: Api = Object.fromEntries([
    ...all.map((one) => [one.name, isSent(one) ? keepingSent(one.endpoint) : one.endpoint] as const),
    ...mounted,
  ])
  const handlers = Object.fromEntries([
    ...all.map((one) => [one.name, handlerOf(one)] as const),
    ...mounted.map(([name, operation]) => [name, mounts[name] ?? unmounted(operation)] as const),
  ])
  const kernel = cutting(serve(served, handlers as never, { ...serving, auth: trusting(all, serving.auth ?? []) }))
  return delay === undefined ? kernel : delayed(kernel, delay, seed)
}
