/** The table of products. Clients choose their identifiers. */
import type { Product } from '../../api/schemas.ts'
import type { Connection } from '../connection.ts'
import { createTable, hasChanged, type RowCheck } from '../rows.ts'

type ProductRow = readonly [productId: number, name: string | null]

export function productsTable(connection: Connection) {
  const insert = 'INSERT INTO products (product_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING product_id'
  const { replace, ...table } = createTable(connection, {
    table: 'products',
    key: 'product_id',
    columns: ['name'],
    texts: ['name'],
    // A product without a name has no such member.
    toItem: ([productId, name]: ProductRow): Product => (name === null ? { productId } : { productId, name }),
    toValues: ({ name }) => [name ?? null],
  })
  return {
    ...table,
    /** False: the identifier is in use, and nothing has changed. */
    add: ({ productId, name }: Product) => hasChanged(connection.write(insert, [productId, name ?? null])),
    /** Replaces the product with the same `productId`. False: there is none. */
    replace: (product: Product, check?: RowCheck<Product>) => replace(product.productId, product, check),
  }
}
