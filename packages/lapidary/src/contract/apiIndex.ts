/** The ways through an API: its endpoints by path and method, each ready to read URLs. The router and the readers are those that its server uses. */

import { formatPath } from '../http/route.ts'
import { createRouter, type Router } from '../http/router.ts'
import * as complaint from '../messages/developerErrors.ts'
import { type Api, isOperation, operations } from './api.ts'
import type { AnyEndpoint } from './endpoint.ts'
import type { ReadResult } from './parameters/readers.ts'
import { createCaptureReader, createQueryReader } from './parameters/readers.ts'

/** The way to one endpoint. */
export interface IndexedEndpoint {
  /** The keys that lead to the endpoint, joined; empty for an endpoint on its own. */
  readonly name: string
  readonly endpoint: AnyEndpoint
  readonly readCaptures: (texts: readonly string[]) => ReadResult
  readonly readQuery: (search: string) => ReadResult
}

/** By path, then by method. */
export type ApiIndex = Router<Map<string, IndexedEndpoint>>

function buildApiIndex(described: Api | AnyEndpoint): ApiIndex {
  const ways: ApiIndex = createRouter()
  const all = isOperation(described) ? [{ name: '', operation: described }] : operations(described)
  for (const { name, operation } of all) {
    if (operation['~kind'] === 'mount') continue
    const { segments, method, params, query } = operation
    const here = ways.getOrInsert(segments, () => new Map())
    const other = here.get(method)
    if (other !== undefined) throw new TypeError(complaint.duplicateRoute(other.name, name, `${method} ${formatPath(segments)}`))
    here.set(method, { name, endpoint: operation, readCaptures: createCaptureReader(params), readQuery: createQueryReader(query) })
  }
  return ways
}

const apiIndexCache = new WeakMap<Api | AnyEndpoint, ApiIndex>()

/** The ways through an API, or to one endpoint, compiled when they are first asked for. @throws TypeError for two endpoints at one route. */
export function getApiIndex(described: Api | AnyEndpoint): ApiIndex {
  const found = apiIndexCache.get(described) ?? buildApiIndex(described)
  apiIndexCache.set(described, found)
  return found
}
