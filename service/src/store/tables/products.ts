/** Products in SQLite. */

import { batches, batchSize } from '../batches.ts'
import type { Product, Products } from '../store.ts'
import type { Connection } from './connection.ts'

type Row = readonly [productId: number, name: string | null]

/** A product without a name has no such member, in the answer as in the request. */
const product = ([productId, name]: Row): Product => (name === null ? { productId } : { productId, name })

export function products({ columns, change }: Connection): Products {
  // An identifier may be any integer, so that the first page begins below all of them.
  const page = columns<Row>('SELECT product_id, name FROM products WHERE product_id > ? ORDER BY product_id LIMIT ?')
  const one = columns<Row>('SELECT product_id, name FROM products WHERE product_id = ?')
  const add = change('INSERT INTO products (product_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const replace = change('UPDATE products SET name = ? WHERE product_id = ?')
  const remove = change('DELETE FROM products WHERE product_id = ?')

  return Object.freeze({
    all: () =>
      batches(Number.MIN_SAFE_INTEGER - 1, (after) => {
        const rows = page.all(after, batchSize)
        return { rows: rows.map(product), last: rows.length < batchSize ? undefined : rows.at(-1)?.[0] }
      }),
    find: (id) => {
      const row = one.one(id)
      return row && product(row)
    },
    add: ({ productId, name }) => add(productId, name ?? null).changed,
    replace: ({ productId, name }) => replace(name ?? null, productId).changed,
    remove: (id) => remove(id).changed,
  } satisfies Products)
}
