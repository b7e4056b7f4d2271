/** An API: a record of endpoints, mounts and further records, which plain JavaScript composes. */
import {
  type Captures,
  checkCaptureNames,
  findForeignSegment,
  formatPath,
  getRestName,
  listCaptures,
  parsePath,
  type Segment,
} from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { checkSchemas } from './checkSchemas.ts'
import type { AnyEndpoint, Endpoint, TypeOf } from './endpoint.ts'
import { checkCodecs } from './endpointDefinition.ts'
import { type CaptureCodecs, checkParameters, completeParams } from './endpointParts.ts'
import type { CaptureValues, CodecsOfCaptures, WrittenCaptures } from './endpointTypes.ts'
import type { Simplify } from './parameters/parameter.ts'
import { createParameterPart, type ParameterGroup } from './parameters/parameterGroups.ts'
import type { RateLimitPolicy } from './rateLimit.ts'
import { type AnyWebhook, checkWebhookSchema, isWebhook } from './webhook.ts'

/** All paths below a prefix, by any method, for one request handler. Endpoints take precedence, those with a rest (`*path`) too. */
export interface Mount {
  readonly '~kind': 'mount'
  readonly prefix: string
  readonly segments: readonly Segment[]
  readonly description: string | undefined
  /** The policies of its groups. */
  readonly rateLimit: readonly RateLimitPolicy[]
}

const noPolicies: readonly RateLimitPolicy[] = Object.freeze([])

/** The segments of a path that ends without a slash; undefined for a malformed one. */
function parseSegments(path: string): readonly Segment[] | undefined {
  const segments = path.startsWith('/') && (path === '/' || !path.endsWith('/')) ? parsePath(path) : undefined
  return segments === undefined || findForeignSegment(segments) !== undefined ? undefined : segments
}

/** @throws TypeError for a malformed path, and for one with captures. */
function parseMountPath(path: string): readonly Segment[] {
  const segments = parseSegments(path)
  if (segments === undefined || listCaptures(segments).length > 0) throw new TypeError(developerErrors.invalidMountPath(path))
  return segments
}

/** @throws TypeError for a malformed prefix, for one with a rest, and for two captures with one name. */
function parsePrefix(prefix: string): readonly Segment[] {
  const segments = parseSegments(prefix)
  if (segments === undefined || getRestName(segments) !== undefined) throw new TypeError(developerErrors.invalidPrefix(prefix))
  checkCaptureNames(prefix, listCaptures(segments))
  return segments
}

/**
 * Gives all requests below a prefix to a request handler, such as static files or another server. The handler gets the target without the
 * prefix. `mount('/')` is a fallback: it takes all paths that no endpoint has.
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
  Object.freeze({
    '~kind': 'mount' as const,
    prefix,
    segments: Object.freeze(parseMountPath(prefix)),
    description: options.description,
    rateLimit: noPolicies,
  })

/** A record of operations and webhooks, which can contain further records; `{}` is an API without operations. */
export interface Api {
  readonly [name: string]: AnyEndpoint | Mount | AnyWebhook | Api
}

/** An operation and its place in the API. */
export interface NamedOperation {
  /** The keys that lead to it: `['products', 'list']`. */
  readonly path: readonly string[]
  /** The keys, joined by dots: `products.list`. */
  readonly name: string
  readonly operation: AnyEndpoint | Mount
}

/** Whether a part of an API is an endpoint or a mount, and neither a record nor a webhook. */
export const isOperation = (value: AnyEndpoint | Mount | AnyWebhook | Api): value is AnyEndpoint | Mount =>
  typeof value['~kind'] === 'string' && !isWebhook(value)

/** Whether an operation is a mount, and not an endpoint. */
export const isMount = (operation: AnyEndpoint | Mount): operation is Mount => operation['~kind'] === 'mount'

/**
 * Lists the endpoints and mounts of an API with their names, in the order of declaration.
 *
 * @throws TypeError for a body whose schema has no JSON Schema. `endpoint` does not convert schemas: a page with five hundred endpoints would
 * wait for it, and a schema can refer to one that is declared after it.
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
    if (isWebhook(value)) return []
    if (!isOperation(value)) return operations(value, keys)
    if (!isMount(value)) checkSchemas(value)
    return [{ path: keys, name, operation: value }]
  })
}

/** A webhook and its place in the API. */
export interface NamedWebhook {
  /** The keys that lead to it: `['orders', 'paid']`. */
  readonly path: readonly string[]
  /** The keys, joined by dots: `orders.paid`. */
  readonly key: string
  readonly webhook: AnyWebhook
}

const collectWebhooks = (api: Api, path: readonly string[]): readonly NamedWebhook[] =>
  Object.entries(api).flatMap(([key, value]): readonly NamedWebhook[] => {
    const keys = [...path, key]
    if (isWebhook(value)) return [{ path: keys, key: keys.join('.'), webhook: value }]
    return isOperation(value) ? [] : collectWebhooks(value, keys)
  })

/**
 * Lists the webhooks of an API, in the order of declaration.
 *
 * @throws TypeError for two webhooks with one name, and for a body whose schema has no JSON Schema.
 */
export function listWebhooks(api: Api): readonly NamedWebhook[] {
  const all = collectWebhooks(api, [])
  const keys = new Map<string, string>()
  for (const { key, webhook } of all) {
    const other = keys.get(webhook.name)
    if (other !== undefined) throw new TypeError(developerErrors.duplicateWebhook(other, key, webhook.name))
    keys.set(webhook.name, key)
    checkWebhookSchema(webhook)
  }
  return all
}

/** What a prefix adds to each operation below it. */
interface PrefixParts {
  readonly segments: readonly Segment[]
  readonly params: CaptureCodecs
  readonly groups: readonly ParameterGroup[]
}

function addPrefix(value: AnyEndpoint | Mount | AnyWebhook | Api, prefix: PrefixParts): AnyEndpoint | Mount | AnyWebhook | Api {
  if (isWebhook(value)) return value
  if (!isOperation(value))
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, addPrefix(part, prefix)])))
  const segments = Object.freeze([...prefix.segments, ...value.segments])
  const path = formatPath(segments)
  if (isMount(value)) {
    if (listCaptures(prefix.segments).length > 0) throw new TypeError(developerErrors.mountBelowCapture(path))
    return Object.freeze({ ...value, segments, prefix: path })
  }
  const route = `${value.method} ${path}`
  checkCaptureNames(route, listCaptures(segments))
  const params = Object.freeze({ ...prefix.params, ...value.params })
  const parameterGroups = { ...value.parameterGroups, params: [...prefix.groups, ...value.parameterGroups.params] }
  return Object.freeze({ ...value, segments, route, params, parameterGroups })
}

/** A prefix has no rest: it would take the paths of its endpoints. */
type PrefixPath<Path extends string> = Path extends `${string}/*${string}`
  ? 'a prefix has no rest: write *path in the route of an endpoint'
  : Path

/** The types of an endpoint below a prefix with captures. The parts without input have an index signature, which `params` would break. */
interface PrefixedTypes<T, Params, Written> {
  input: WithParams<TypeOf<T, 'input'>, Params>
  call: WithParams<TypeOf<T, 'call'>, Written>
  response: TypeOf<T, 'response'>
  errors: TypeOf<T, 'errors'>
}
type WithParams<Parts, Params> = string extends keyof Parts ? { readonly params: Params } : Simplify<{ readonly params: Params } & Parts>

/** An API below a prefix with captures. */
export type Prefixed<A, Params, Written = Params> = {
  readonly [Name in keyof A]: '~types' extends keyof A[Name]
    ? Endpoint<PrefixedTypes<A[Name]['~types'], Params, Written>>
    : keyof Mount extends keyof A[Name]
      ? 'a mount cannot be below a prefix with captures: move it out of the prefix'
      : '~sends' extends keyof A[Name]
        ? A[Name]
        : Prefixed<A[Name], Params, Written>
}

/**
 * The same API, with a prefix before each path. The captures of a prefix belong to every endpoint below it.
 *
 * @param params A codec or a schema for each capture that is more than text, or one schema of an object for all of them.
 * @throws TypeError, with the cure, for a malformed prefix, a capture that an endpoint has too, and a mount below a capture.
 * @example
 * ```ts
 * import { collection, endpoint, int, ok, prefix, text } from 'lapidary'
 * import { z } from 'zod'
 *
 * const Product = z.object({ name: z.string() })
 * const api = {
 *   products: prefix('/products', collection(Product)),
 *   shops: prefix('/shops/:shop', { shop: int }, { name: endpoint('GET /name', { response: ok(text) }) }),
 * }
 * ```
 */
export function prefix<const Path extends `/${string}`, A extends Api>(
  path: PrefixPath<Path>,
  api: A,
): [Captures<Path>] extends [never] ? A : Prefixed<A, CaptureValues<Path, unknown>>
export function prefix<const Path extends `/${string}`, Params extends object, A extends Api>(
  path: PrefixPath<Path>,
  params: CodecsOfCaptures<Path, Params>,
  api: A,
): Prefixed<A, CaptureValues<Path, Params>, WrittenCaptures<Path, Params>>
export function prefix(path: string, ...parts: readonly [api: Api] | readonly [params: CaptureCodecs, api: Api]): unknown {
  const [params, api] = parts.length === 1 ? [undefined, parts[0]] : parts
  const segments = parsePrefix(path)
  if (params !== undefined) checkCodecs(path, 'params', params)
  const part = createParameterPart(`${path}: params`, params ?? {}, false)
  const codecs = completeParams(path, segments, part)
  checkParameters(path, 'params', codecs)
  return addPrefix(api, { segments, params: codecs, groups: part.groups })
}
