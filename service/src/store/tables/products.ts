/** The table of products. Clients choose their identifiers. */

import type { Product } from '../../api/schemas.ts'
import type { Connection } from '../connection.ts'
import { hasChanged, type RowCheck, readById, records } from '../rows.ts'

type ProductRow = readonly [productId: number, name: string | null]

/** A product without a name has no such member. */
const toProduct = ([productId, name]: ProductRow): Product => (name === null ? { productId } : { productId, name })

export function productsTable(connection: Connection) {
  const { find, replace, remove } = records(connection, {
    table: 'products',
    key: 'product_id',
    columns: ['name'],
    toItem: toProduct,
    toValues: ({ name }) => [name ?? null],
  })
  return {
    /** Every product, ascending by identifier. The first batch begins below the smallest integer. */
    all: () =>
      readById(
        connection,
        'SELECT product_id, name FROM products WHERE product_id > ? ORDER BY product_id LIMIT ?',
        Number.MIN_SAFE_INTEGER - 1,
        toProduct,
      ),
    find,
    /** False: the identifier is in use, and nothing has changed. */
    add: ({ productId, name }: Product) =>
      hasChanged(
        connection.write('INSERT INTO products (product_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING product_id', [
          productId,
          name ?? null,
        ]),
      ),
    /** Replaces the product with the same `productId`. False: there is none. */
    replace: (product: Product, check?: RowCheck<Product>) => replace(product.productId, product, check),
    remove,
  }
}
