/** The ways through an API: its endpoints by path and method, each ready to read URLs. The router and the readers are those that its server uses. */
import { formatPath } from '../http/route.js'
import { createRouter } from '../http/router.js'
import * as complaint from '../messages/developerErrors.js'
import { isOperation, operations } from './api.js'
import { createCaptureReader, createQueryReader } from './parameters/readers.js'

function buildApiIndex(described) {
  const ways = createRouter()
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
const apiIndexCache = new WeakMap()
/** The ways through an API, or to one endpoint, compiled when they are first asked for. @throws TypeError for two endpoints at one route. */
export function getApiIndex(described) {
  const found = apiIndexCache.get(described) ?? buildApiIndex(described)
  apiIndexCache.set(described, found)
  return found
}
