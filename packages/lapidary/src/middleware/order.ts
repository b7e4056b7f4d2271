/** Which middleware has to come before which. `serve` and `compose` refuse a list in which one would not do what it says. */
import * as middlewareErrors from '../messages/middlewareErrors.ts'

/**
 * What one middleware does, and another one has to be around: `errors` are responses that it makes itself in place of the handler,
 * `preflights` those to preflights, and `addresses` means that it acts on the address of the client.
 */
type Concern = 'errors' | 'preflights' | 'addresses'

/** What is known of a middleware of this package. */
interface MiddlewareTraits {
  /** What it does itself, so that others have to be around it. */
  readonly does?: readonly Concern[]
  /** What it has to be around. */
  readonly covers?: readonly Concern[]
  /** What is wrong where it comes after one that it has to be around. */
  readonly whyBefore?: (inner: string) => string
  /** What is wrong where a list has two of it. */
  readonly whyOnce?: string
}

const { orderReasons, twiceReasons } = middlewareErrors

/** In the order in which the pages list them. */
type MiddlewareName =
  | 'loadShedding'
  | 'trustProxy'
  | 'tracing'
  | 'requestId'
  | 'accessLog'
  | 'metrics'
  | 'cors'
  | 'securityHeaders'
  | 'csrf'
  | 'cacheControl'
  | 'compression'
  | 'decompression'
  | 'rateLimit'
  | 'timeout'

const traits: Readonly<Record<MiddlewareName, MiddlewareTraits>> = {
  loadShedding: {},
  trustProxy: { covers: ['addresses'], whyBefore: orderReasons.trustProxy, whyOnce: twiceReasons.trustProxy },
  tracing: { covers: ['errors', 'preflights'], whyBefore: orderReasons.tracing, whyOnce: twiceReasons.tracing },
  requestId: { covers: ['errors', 'preflights'], whyBefore: orderReasons.requestId, whyOnce: twiceReasons.requestId },
  accessLog: { covers: ['errors', 'preflights'], whyBefore: orderReasons.accessLog },
  metrics: { covers: ['errors', 'preflights'], whyBefore: orderReasons.metrics },
  cors: { does: ['preflights'], covers: ['errors'], whyBefore: orderReasons.cors, whyOnce: twiceReasons.cors },
  securityHeaders: { covers: ['errors'], whyBefore: orderReasons.securityHeaders },
  csrf: { does: ['errors'] },
  cacheControl: {},
  compression: {},
  decompression: {},
  rateLimit: { does: ['errors', 'addresses'] },
  timeout: { does: ['errors'] },
}

const names = new WeakMap<object, MiddlewareName>()

/** Remembers of which kind a middleware is, and returns it. */
export function withTraits<Middleware extends object>(name: MiddlewareName, middleware: Middleware): Middleware {
  names.set(middleware, name)
  return middleware
}

/**
 * Checks each pair of a list.
 *
 * @throws TypeError for one that has to come before another one and does not, and for two of which one is wrong
 */
export function checkOrder(place: string, list: readonly object[]): void {
  const known = list.flatMap((middleware) => {
    const name = names.get(middleware)
    return name === undefined ? [] : [{ middleware, name: `${name}()`, of: traits[name] }]
  })
  for (const [index, outer] of known.entries()) {
    for (const inner of known.slice(index + 1)) {
      if (inner.middleware === outer.middleware) throw new TypeError(middlewareErrors.sameMiddlewareTwice(place, inner.name))
      const { whyOnce, covers, whyBefore } = inner.of
      if (inner.name === outer.name && whyOnce !== undefined)
        throw new TypeError(middlewareErrors.middlewareTwice(place, inner.name, whyOnce))
      if (covers?.some((concern) => outer.of.does?.includes(concern)) === true)
        throw new TypeError(middlewareErrors.middlewareOutOfOrder(place, inner.name, outer.name, whyBefore?.(outer.name) ?? ''))
    }
  }
}
