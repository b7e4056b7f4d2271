/** `match(api, url)`: the endpoint that a URL leads to, and what it says there; the inverse of `link`. */
import { isOperation } from '../contract/api.js'
import { getApiIndex } from '../contract/apiIndex.js'
import { isReadError } from '../contract/parameters/readers.js'
import { percentDecode } from '../http/percentEncoding.js'
import { resolveUrl } from './resolveUrl.js'
export function match(described, url, { base = '/', method = 'GET' } = {}) {
  const address = resolveUrl(base, url)
  if (address === undefined || percentDecode(address.path) === undefined) return undefined
  const isAlone = isOperation(described)
  const found = getApiIndex(described).find(address.path)
  const way = found?.leaf.get(isAlone ? described.method : method === 'HEAD' ? 'GET' : method)
  if (found === undefined || way === undefined) return undefined
  const params = way.readCaptures(found.captures)
  const query = way.readQuery(address.search)
  if (isReadError(params) || isReadError(query)) return undefined
  return isAlone ? { params, query } : { name: way.name, endpoint: way.endpoint, params, query }
}
