/** An API: a record of endpoints, mounts and further records. Composition is plain JavaScript. */

import * as complaint from './complaint.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { type Mount, prefixSegments } from './mount.ts'
import { pathOf, type Segment } from './route.ts'

/** A record of operations, nested at will; `{}` is an API without any. */
export interface Api {
  readonly [name: string]: AnyEndpoint | Mount | Api
}

/** One leaf of an API. */
export interface Walked {
  /** The keys that lead to it: `['products', 'list']`. */
  readonly path: readonly string[]
  /** The same, joined: `products.list`. */
  readonly name: string
  readonly operation: AnyEndpoint | Mount
}

/** Whether this part of an API is a leaf. */
export const isOperation = (value: AnyEndpoint | Mount | Api): value is AnyEndpoint | Mount => typeof value['~kind'] === 'string'

/** Every endpoint and mount of an API with its name, in the order of declaration. */
export function walk(api: Api, path: readonly string[] = []): readonly Walked[] {
  return Object.entries(api).flatMap(([key, value]): readonly Walked[] => {
    const here = [...path, key]
    const name = here.join('.')
    if (typeof value !== 'object' || value === null) throw new TypeError(complaint.notAnApi(name))
    return isOperation(value) ? [{ path: here, name, operation: value }] : walk(value, here)
  })
}

function moved(value: AnyEndpoint | Mount | Api, prefix: readonly Segment[]): AnyEndpoint | Mount | Api {
  if (!isOperation(value))
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, below]) => [key, moved(below, prefix)])))
  const segments = Object.freeze([...prefix, ...value.segments])
  const path = pathOf(segments)
  return value['~kind'] === 'mount'
    ? Object.freeze({ ...value, segments, prefix: path })
    : Object.freeze({ ...value, segments, route: `${value.method} ${path}` })
}

/** A prefix is literal: a capture belongs to the endpoints that use it. */
type LiteralPrefix<Prefix extends string> = Prefix extends `${string}:${string}`
  ? 'a prefix has no captures: write them in the route of each endpoint'
  : Prefix

/** The same API with every path below a prefix: `under('/products', collection(Product))`. */
export const under = <const Prefix extends `/${string}`, A extends Api>(prefix: LiteralPrefix<Prefix>, api: A): A =>
  // What changes is the paths, which the types do not hold.
  moved(api, prefixSegments(prefix)) as A
