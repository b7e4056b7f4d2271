/** The table of products. */

import { mapped } from '../awaitable.ts'
import { batches, batchSize } from '../batches.ts'
import { changed } from '../changed.ts'
import type { Connection } from '../connection.ts'
import type { Awaitable, Product, Products } from '../store.ts'

type Row = readonly [productId: number, name: string | null]

/** A product without a name has no such member, in the answer as in the request. */
const product = ([productId, name]: Row): Product => (name === null ? { productId } : { productId, name })

export function products({ query, change }: Connection): Products {
  // An identifier may be any integer, so that the first page begins below all of them.
  const page = query<Row>('SELECT product_id, name FROM products WHERE product_id > ? ORDER BY product_id LIMIT ?')
  const one = query<Row>('SELECT product_id, name FROM products WHERE product_id = ?')
  const add = change('INSERT INTO products (product_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const replace = change('UPDATE products SET name = ? WHERE product_id = ?')
  const replaceAsRead = change('UPDATE products SET name = ? WHERE product_id = ? AND name IS NOT DISTINCT FROM ?')
  const remove = change('DELETE FROM products WHERE product_id = ?')
  const removeAsRead = change('DELETE FROM products WHERE product_id = ? AND name IS NOT DISTINCT FROM ?')
  const find = (id: number): Awaitable<Product | undefined> => mapped(one.one(id), (row) => row && product(row))

  return Object.freeze({
    all: () =>
      batches(Number.MIN_SAFE_INTEGER - 1, (after) =>
        mapped(page.all(after, batchSize), (rows) => ({
          rows: rows.map(product),
          last: rows.length < batchSize ? undefined : rows.at(-1)?.[0],
        })),
      ),
    find,
    add: ({ productId, name = null }) => add(productId, name),
    replace: ({ productId, name = null }, check) =>
      changed(check, {
        read: () => find(productId),
        write: () => replace(name, productId),
        writeAsRead: (row) => replaceAsRead(name, productId, row.name ?? null),
      }),
    remove: (id, check) =>
      changed(check, {
        read: () => find(id),
        write: () => remove(id),
        writeAsRead: (row) => removeAsRead(id, row.name ?? null),
      }),
  } satisfies Products)
}
