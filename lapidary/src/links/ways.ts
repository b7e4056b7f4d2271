/** The ways through an API: its endpoints by path and method, each ready to read URLs. The router and the readers are those that its server uses. */
import { type Api, isOperation, walk } from '../describe/api.ts'
import { captureReader } from '../describe/captureReader.ts'
import * as complaint from '../describe/complaint.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { queryReader } from '../describe/queryReader.ts'
import type { Reading } from '../describe/reading.ts'
import { pathOf } from '../describe/route.ts'
import { type Router, router } from '../describe/router.ts'

/** The way to one endpoint. */
export interface Way {
  /** The keys that lead to the endpoint, joined; empty for an endpoint on its own. */
  readonly name: string
  readonly endpoint: AnyEndpoint
  readonly captures: (texts: readonly string[]) => Reading
  readonly query: (search: string) => Reading
}

/** By path, then by method. */
export type Ways = Router<Map<string, Way>>

function compiled(described: Api | AnyEndpoint): Ways {
  const ways: Ways = router()
  const all = isOperation(described) ? [{ name: '', operation: described }] : walk(described)
  for (const { name, operation } of all) {
    if (operation['~kind'] === 'mount') continue
    const { segments, method, params, query } = operation
    const here = ways.at(segments, () => new Map())
    const other = here.get(method)
    if (other !== undefined) throw new TypeError(complaint.sameRoute(other.name, name, `${method} ${pathOf(segments)}`))
    here.set(method, { name, endpoint: operation, captures: captureReader(params), query: queryReader(query) })
  }
  return ways
}

const known = new WeakMap<Api | AnyEndpoint, Ways>()

/** The ways through an API, or to one endpoint, compiled when they are first asked for. @throws TypeError for two endpoints at one route. */
export function waysOf(described: Api | AnyEndpoint): Ways {
  const found = known.get(described) ?? compiled(described)
  known.set(described, found)
  return found
}
