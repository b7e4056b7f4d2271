/** An API: a record of endpoints, mounts and further records, which plain JavaScript composes. */

import { findForeignSegment, formatPath, parsePath, type Segment } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { completeEndpoint } from './completeEndpoint.ts'
import type { AnyEndpoint } from './endpoint.ts'

/** All paths below a prefix, by any method, for one request handler. Endpoints take precedence, those with a rest (`*path`) too. */
export interface Mount {
  readonly '~kind': 'mount'
  readonly prefix: string
  readonly segments: readonly Segment[]
  readonly description: string | undefined
}

/**
 * The literal segments of a prefix.
 *
 * @throws TypeError for a malformed prefix, and for one with captures.
 */
function parsePrefix(prefix: string): readonly Segment[] {
  const segments = prefix.startsWith('/') && (prefix === '/' || !prefix.endsWith('/')) ? parsePath(prefix) : undefined
  if (segments === undefined || findForeignSegment(segments) !== undefined || segments.some((segment) => 'capture' in segment))
    throw new TypeError(developerErrors.invalidPrefix(prefix))
  return segments
}

/**
 * Leaves all paths below a prefix to a request handler, such as files or another server. The handler gets the target without the prefix.
 *
 * @example
 * ```ts
 * import { mount } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { serveStatic } from 'lapidary/static'
 *
 * const server = serve({ files: mount('/static') }, { files: serveStatic('./public') })
 * ```
 */
export const mount = (prefix: `/${string}`, options: { readonly description?: string } = {}): Mount =>
  Object.freeze({ '~kind': 'mount' as const, prefix, segments: Object.freeze(parsePrefix(prefix)), description: options.description })

/** A record of operations, nested at will; `{}` is an API without any. */
export interface Api {
  readonly [name: string]: AnyEndpoint | Mount | Api
}

/** An operation and its place in the API. */
export interface NamedOperation {
  /** The keys that lead to it: `['products', 'list']`. */
  readonly path: readonly string[]
  /** The keys, joined by dots: `products.list`. */
  readonly name: string
  readonly operation: AnyEndpoint | Mount
}

/** Whether a part of an API is an endpoint or a mount, and not a record. */
export const isOperation = (value: AnyEndpoint | Mount | Api): value is AnyEndpoint | Mount => typeof value['~kind'] === 'string'

/**
 * Lists the endpoints and mounts of an API with their names, in the order of declaration.
 *
 * @example
 * ```ts
 * import { endpoint, noContent, operations } from 'lapidary'
 *
 * const api = { users: { remove: endpoint('DELETE /users/:id', { response: noContent }) } }
 * for (const { name } of operations(api)) console.log(name) // users.remove
 * ```
 */
export function operations(api: Api, path: readonly string[] = []): readonly NamedOperation[] {
  return Object.entries(api).flatMap(([key, value]): readonly NamedOperation[] => {
    const keys = [...path, key]
    const name = keys.join('.')
    if (typeof value !== 'object' || value === null) throw new TypeError(developerErrors.invalidApi(name))
    return isOperation(value)
      ? [{ path: keys, name, operation: value['~kind'] === 'endpoint' ? completeEndpoint(value) : value }]
      : operations(value, keys)
  })
}

function addPrefix(value: AnyEndpoint | Mount | Api, prefix: readonly Segment[]): AnyEndpoint | Mount | Api {
  if (!isOperation(value))
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, addPrefix(part, prefix)])))
  const segments = Object.freeze([...prefix, ...value.segments])
  const path = formatPath(segments)
  return value['~kind'] === 'mount'
    ? Object.freeze({ ...value, segments, prefix: path })
    : Object.freeze({ ...value, segments, route: `${value.method} ${path}` })
}

/** A prefix has no captures: they belong to the endpoints that use them. */
type LiteralPrefix<Prefix extends string> = Prefix extends `${string}:${string}` | `${string}/*${string}`
  ? 'a prefix has no captures: write them in the route of each endpoint'
  : Prefix

/**
 * The same API, with a prefix before each path.
 *
 * @example
 * ```ts
 * import { collection, prefix } from 'lapidary'
 * import { z } from 'zod'
 *
 * const Product = z.object({ name: z.string() })
 * const api = { products: prefix('/products', collection(Product)) }
 * ```
 */
export const prefix = <const Prefix extends `/${string}`, A extends Api>(prefix: LiteralPrefix<Prefix>, api: A): A =>
  // Only paths change, and the types do not contain them.
  addPrefix(api, parsePrefix(prefix)) as A
