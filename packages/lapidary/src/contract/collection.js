/** `collection(User)`: the five operations of a collection of items with an integer identifier, written once. */
import { percentEncode } from '../http/percentEncoding.js'
import { endpoint } from './endpoint.js'
import { list } from './list.js'
import { int } from './parameters/int.js'
import { described } from './parameters/parameter.js'
import { text } from './parameters/text.js'
import { created, noContent, ok, reply } from './reply.js'
/** The operations on a collection of `item`, to be put under its path: `under('/products', collection(Product, { one: 'product', all: 'products' }))`. */
export function collection(item, { param, one = 'item', all = 'items', errors = [], etag } = {}) {
  const name = param ?? 'id'
  const byId = {
    params: { [name]: described(int, `The identifier of the ${one}.`, 1) },
    errors: [reply(404, undefined, { description: `There is no such ${one}.` }), ...errors],
  }
  const Location = described(text, `The path of the new ${one}.`, `/${percentEncode(all)}/1`)
  const operations = {
    list: endpoint('GET /', { response: ok(list(item)), errors, summary: `All ${all}.` }),
    create: endpoint('POST /', { body: item, response: created({ headers: { Location } }), errors, summary: `Adds a ${one}.` }),
    item: endpoint(`GET /:${name}`, { ...byId, response: ok(item), summary: `One ${one}.`, etag: etag && true }),
    replace: endpoint(`PUT /:${name}`, { ...byId, body: item, response: noContent, summary: `Replaces a ${one}.`, etag }),
    remove: endpoint(`DELETE /:${name}`, { ...byId, response: noContent, summary: `Removes a ${one}.`, etag }),
  }
  // What `etag` and `param` add to their types is not computed before it is known which ones were given.
  return operations
}
