/** Which middleware has to come before which. `serve` and `compose` refuse a list in which one would not do what it says. */
import * as middlewareErrors from '../messages/middlewareErrors.ts'

/**
 * What one middleware does, and another one has to be around: `errors` are responses that it makes itself in place of the handler,
 * `preflights` those to preflights, and `addresses` means that it acts on the address of the client.
 */
type Concern = 'errors' | 'preflights' | 'addresses'

/** What is known of a middleware of this package. */
export interface MiddlewareTraits {
  /** As it is called: `timeout()`. */
  readonly name: string
  /** What it does itself, so that others have to be around it. */
  readonly does?: readonly Concern[]
  /** What it has to be around. */
  readonly covers?: readonly Concern[]
  /** What is wrong where it comes after another one that it has to be around. */
  readonly whyBefore?: (inner: string) => string
  /** What is wrong where a list has two of it. */
  readonly whyOnce?: string
}

const traitsOf = new WeakMap<object, MiddlewareTraits>()

/** Remembers the traits of a middleware, and returns it. */
export function withTraits<Middleware extends object>(traits: MiddlewareTraits, middleware: Middleware): Middleware {
  traitsOf.set(middleware, traits)
  return middleware
}

/**
 * Checks each pair of a list.
 *
 * @throws TypeError for one that has to come before another one and does not, and for two of which one is wrong
 */
export function checkOrder(place: string, list: readonly object[]): void {
  const known = list.flatMap((middleware) => {
    const traits = traitsOf.get(middleware)
    return traits === undefined ? [] : [{ middleware, traits }]
  })
  for (const [index, { middleware, traits: outer }] of known.entries()) {
    for (const { middleware: other, traits: inner } of known.slice(index + 1)) {
      if (other === middleware) throw new TypeError(middlewareErrors.sameMiddlewareTwice(place, inner.name))
      if (inner.name === outer.name && inner.whyOnce !== undefined)
        throw new TypeError(middlewareErrors.middlewareTwice(place, inner.name, inner.whyOnce))
      if (inner.covers?.some((concern) => outer.does?.includes(concern)) === true)
        throw new TypeError(middlewareErrors.middlewareOutOfOrder(place, inner.name, outer.name, inner.whyBefore?.(outer.name) ?? ''))
    }
  }
}
