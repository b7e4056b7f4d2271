/** An API: a record of endpoints, mounts and further records. Composition is plain JavaScript. */

import { findForeignSegment, formatPath, parsePath, type Segment } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { AnyEndpoint } from './endpoint.ts'

// `mount('/static')`: everything under a prefix, any method, left to a handler that sees the request as it came.

/** A raw part of an API. Endpoints below the prefix win over it. */
export interface Mount {
  readonly '~kind': 'mount'
  readonly prefix: string
  readonly segments: readonly Segment[]
  readonly description: string | undefined
}

/** The literal segments of a prefix. @throws TypeError when it is malformed or has captures. */
export function parsePrefix(prefix: string): readonly Segment[] {
  const segments = prefix.startsWith('/') && (prefix === '/' || !prefix.endsWith('/')) ? parsePath(prefix) : undefined
  if (segments === undefined || findForeignSegment(segments) !== undefined || segments.some((segment) => 'capture' in segment))
    throw new TypeError(developerErrors.invalidPrefix(prefix))
  return segments
}

/** Everything under `prefix`; its handler is a kernel, which gets the target without the prefix. */
export const mount = (prefix: `/${string}`, options: { readonly description?: string } = {}): Mount =>
  Object.freeze({ '~kind': 'mount' as const, prefix, segments: Object.freeze(parsePrefix(prefix)), description: options.description })

/** A record of operations, nested at will; `{}` is an API without any. */
export interface Api {
  readonly [name: string]: AnyEndpoint | Mount | Api
}

/** One leaf of an API. */
export interface NamedOperation {
  /** The keys that lead to it: `['products', 'list']`. */
  readonly path: readonly string[]
  /** The same, joined: `products.list`. */
  readonly name: string
  readonly operation: AnyEndpoint | Mount
}

/** Whether this part of an API is a leaf. */
export const isOperation = (value: AnyEndpoint | Mount | Api): value is AnyEndpoint | Mount => typeof value['~kind'] === 'string'

/** Every endpoint and mount of an API with its name, in the order of declaration. */
export function operations(api: Api, path: readonly string[] = []): readonly NamedOperation[] {
  return Object.entries(api).flatMap(([key, value]): readonly NamedOperation[] => {
    const here = [...path, key]
    const name = here.join('.')
    if (typeof value !== 'object' || value === null) throw new TypeError(developerErrors.invalidApi(name))
    return isOperation(value) ? [{ path: here, name, operation: value }] : operations(value, here)
  })
}

function addPrefix(value: AnyEndpoint | Mount | Api, prefix: readonly Segment[]): AnyEndpoint | Mount | Api {
  if (!isOperation(value))
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, below]) => [key, addPrefix(below, prefix)])))
  const segments = Object.freeze([...prefix, ...value.segments])
  const path = formatPath(segments)
  return value['~kind'] === 'mount'
    ? Object.freeze({ ...value, segments, prefix: path })
    : Object.freeze({ ...value, segments, route: `${value.method} ${path}` })
}

/** A prefix is literal: a capture belongs to the endpoints that use it. */
type LiteralPrefix<Prefix extends string> = Prefix extends `${string}:${string}`
  ? 'a prefix has no captures: write them in the route of each endpoint'
  : Prefix

/** The same API with every path below a prefix: `prefix('/products', collection(Product))`. */
export const prefix = <const Prefix extends `/${string}`, A extends Api>(prefix: LiteralPrefix<Prefix>, api: A): A =>
  // What changes is the paths, which the types do not hold.
  addPrefix(api, parsePrefix(prefix)) as A
