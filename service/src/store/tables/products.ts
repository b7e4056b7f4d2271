/** The table of products. Clients choose their identifiers. */

import type { Product } from '../../api/schemas.ts'
import { type Awaitable, type Connection, mapAwaitable } from '../connection.ts'
import { changeRow, type RowCheck, readById } from '../rows.ts'

type ProductRow = readonly [productId: number, name: string | null]

/** A product without a name has no such member. */
const toProduct = ([productId, name]: ProductRow): Product => (name === null ? { productId } : { productId, name })

export function productsTable({ query, change }: Connection) {
  const page = query<ProductRow>('SELECT product_id, name FROM products WHERE product_id > ? ORDER BY product_id LIMIT ?')
  const one = query<ProductRow>('SELECT product_id, name FROM products WHERE product_id = ?')
  const add = change('INSERT INTO products (product_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const replace = change('UPDATE products SET name = ? WHERE product_id = ?')
  const replaceAsRead = change('UPDATE products SET name = ? WHERE product_id = ? AND name IS NOT DISTINCT FROM ?')
  const remove = change('DELETE FROM products WHERE product_id = ?')
  const removeAsRead = change('DELETE FROM products WHERE product_id = ? AND name IS NOT DISTINCT FROM ?')
  const find = (id: number): Awaitable<Product | undefined> => mapAwaitable(one.one(id), (row) => row && toProduct(row))

  return {
    /** Every product, ascending by identifier. The first batch begins below the smallest integer. */
    all: () => readById(page, Number.MIN_SAFE_INTEGER - 1, toProduct),
    find,
    /** False: the identifier is in use, and nothing has changed. */
    add: ({ productId, name }: Product) => add(productId, name ?? null),
    /** Replaces the product with the same `productId`. False: there is none. */
    replace: ({ productId, name }: Product, check?: RowCheck<Product>) =>
      changeRow(check, {
        read: () => find(productId),
        write: () => replace(name ?? null, productId),
        writeAsRead: (row) => replaceAsRead(name ?? null, productId, row.name ?? null),
      }),
    /** False: there is no such product. */
    remove: (id: number, check?: RowCheck<Product>) =>
      changeRow(check, {
        read: () => find(id),
        write: () => remove(id),
        writeAsRead: (row) => removeAsRead(id, row.name ?? null),
      }),
  }
}
