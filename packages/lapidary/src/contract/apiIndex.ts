/** The index of an API by path and method. The server, `match` and the middleware find operations in it, so that all of them agree. */
import { formatPath, getRestName } from '../http/route.ts'
import { createRouter, type Router } from '../http/router.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type Api, isMount, isOperation, type NamedOperation, operations } from './api.ts'
import { getDeprecationHeaders } from './deprecation.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { getEssences } from './media/content.ts'
import { createCaptureReader, createQueryReader, type ReadResult } from './parameters/readers.ts'

/** What an index holds at least for an endpoint: the endpoint, and the keys that lead to it, joined by dots. */
export interface IndexedEndpoint {
  readonly name: string
  readonly endpoint: AnyEndpoint
}

/** The endpoints of one path. */
export interface IndexedPath<Entry extends IndexedEndpoint> {
  /** By method. */
  readonly entries: Map<string, Entry>
  /** The methods of the path, and those that they imply: OPTIONS always, HEAD with GET. */
  allowedMethods: readonly string[]
  /** The headers of all responses at this path, flat. A header on which the endpoints disagree is left out. */
  responseHeaders: readonly string[]
  /** `Accept-Patch` (RFC 5789 §3.1) with the media types of PATCH, flat; empty without a body of PATCH. */
  patchHeaders: readonly string[]
}

/** The operations of an API by path. */
export interface ApiIndex<Entry extends IndexedEndpoint> {
  readonly paths: Router<IndexedPath<Entry>>
  /** By prefix. Of two mounts with one prefix, the first. */
  readonly mounts: Router<NamedOperation>
}

/** Returns a path without endpoints. */
export const createIndexedPath = <Entry extends IndexedEndpoint>(): IndexedPath<Entry> => ({
  entries: new Map(),
  allowedMethods: [],
  responseHeaders: [],
  patchHeaders: [],
})

const methodOrder = ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Other methods stand before OPTIONS. */
const getMethodRank = (method: string): number => (methodOrder.includes(method) ? methodOrder.indexOf(method) : methodOrder.length - 1.5)

/** Returns the methods that a path allows, in their usual order, with those that they imply. */
function getAllowedMethods(methods: Iterable<string>): readonly string[] {
  const allowed = new Set(methods).add('OPTIONS')
  if (allowed.has('GET')) allowed.add('HEAD')
  return [...allowed].toSorted((one, other) => getMethodRank(one) - getMethodRank(other))
}

/** Returns the response headers on which all these endpoints agree, flat. A path is deprecated only where all of its endpoints are. */
function getSharedHeaders(endpoints: readonly AnyEndpoint[]): readonly string[] {
  const headers = new Map<string, readonly [name: string, value: string] | undefined>()
  const isDeprecated = endpoints.every(({ deprecated }) => deprecated !== undefined)
  for (const endpoint of endpoints) {
    const ofEndpoint = getDeprecationHeaders(endpoint)
    for (const [name, value] of Object.entries(endpoint.responseHeaders)) {
      if (!isDeprecated && Object.hasOwn(ofEndpoint, name)) continue
      const key = name.toLowerCase()
      const known = headers.get(key)
      headers.set(key, !headers.has(key) || known?.[1] === value ? (known ?? [name, value]) : undefined)
    }
  }
  return Object.freeze([...headers.values()].flatMap((header) => header ?? []))
}

/** @throws TypeError for a mount all of whose paths belong to the rest of an endpoint: endpoints take precedence. */
function checkReachableMounts(all: readonly NamedOperation[]): void {
  const rests = all.filter(({ operation }) => !isMount(operation) && getRestName(operation.segments) !== undefined)
  for (const { name, operation } of rests.length === 0 ? [] : all) {
    if (!isMount(operation)) continue
    const { segments, prefix } = operation
    const taking = rests.find(
      (rest) =>
        rest.operation.segments.length <= segments.length &&
        rest.operation.segments.every((segment, index) => {
          const counterpart = segments[index]
          return 'capture' in segment || (counterpart !== undefined && 'literal' in counterpart && counterpart.literal === segment.literal)
        }),
    )
    if (taking !== undefined) throw new TypeError(developerErrors.unreachableMount(name, taking.name, prefix))
  }
}

/**
 * Builds the index of an API.
 *
 * @param all the operations of the API
 * @param createEntry makes what the index holds for an endpoint at its path
 * @throws TypeError for two endpoints with one route, and for a mount that no request can reach.
 */
export function createApiIndex<Entry extends IndexedEndpoint>(
  all: readonly NamedOperation[],
  createEntry: (endpoint: AnyEndpoint, named: NamedOperation, path: IndexedPath<Entry>) => Entry,
): ApiIndex<Entry> {
  const paths: Router<IndexedPath<Entry>> = createRouter()
  const mounts: Router<NamedOperation> = createRouter()
  for (const named of all) {
    const { name, operation } = named
    const { segments } = operation
    if (isMount(operation)) {
      mounts.getOrInsert(segments, () => named)
      continue
    }
    const { method } = operation
    const path = paths.getOrInsert(segments, createIndexedPath)
    const other = path.entries.get(method)
    if (other !== undefined) throw new TypeError(developerErrors.duplicateRoute(other.name, name, `${method} ${formatPath(segments)}`))
    path.entries.set(method, createEntry(operation, named, path))
    if (method === 'PATCH' && operation.body !== undefined) path.patchHeaders = ['Accept-Patch', getEssences(operation.body).join(', ')]
    path.allowedMethods = getAllowedMethods(path.entries.keys())
    path.responseHeaders = getSharedHeaders([...path.entries.values()].map(({ endpoint }) => endpoint))
  }
  checkReachableMounts(all)
  return { paths, mounts }
}

/** An endpoint with the readers of its URLs. */
interface ReadableEndpoint extends IndexedEndpoint {
  readonly readCaptures: (captures: readonly (string | undefined)[]) => ReadResult
  readonly readQuery: (search: string) => ReadResult
}

const apiIndexCache = new WeakMap<Api | AnyEndpoint, ApiIndex<ReadableEndpoint>>()

/**
 * Returns the index of an API or of one endpoint, to match URLs by. It is built once for each.
 *
 * @throws TypeError for two endpoints with one route, and for a mount that no request can reach.
 */
export function getApiIndex(part: Api | AnyEndpoint): ApiIndex<ReadableEndpoint> {
  const cached = apiIndexCache.get(part)
  if (cached !== undefined) return cached
  const all = isOperation(part) ? [{ path: [], name: '', operation: part }] : operations(part)
  const index = createApiIndex(all, (endpoint, { name }) => ({
    name,
    endpoint,
    readCaptures: createCaptureReader(endpoint.params, endpoint.parameterGroups.params),
    readQuery: createQueryReader(endpoint.query, endpoint.parameterGroups.query),
  }))
  apiIndexCache.set(part, index)
  return index
}

/** Finds the endpoint for a method and a request target; undefined if there is none. */
export function findEndpoint(api: Api, { method, target }: { readonly method: string; readonly target: string }): AnyEndpoint | undefined {
  const [path = ''] = target.split('?', 1)
  const { entries } = getApiIndex(api).paths.find(path)?.leaf ?? {}
  return entries?.get(method === 'HEAD' ? 'GET' : method)?.endpoint
}
