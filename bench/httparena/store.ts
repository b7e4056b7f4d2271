/** The items of PostgreSQL, over a pool of connections. */
import { Pool } from 'pg'
import type { Change, Item, NewItem } from './api.ts'

type Row = Omit<Item, 'rating'> & { readonly rating_score: number; readonly rating_count: number }

const columns = 'id, name, category, price, quantity, active, tags, rating_score, rating_count'

const toItem = ({ rating_score, rating_count, ...row }: Row): Item => ({ ...row, rating: { score: rating_score, count: rating_count } })

/** Connects when the first query comes. A name makes pg prepare a statement once for each connection. */
export function openStore(connectionString: string, connections: number) {
  const pool = new Pool({ connectionString, max: connections })
  // An idle connection that the database has closed. The next query opens another one.
  pool.on('error', (error) => console.error(error.message))
  const select = async (name: string, text: string, values: readonly unknown[]): Promise<readonly Item[]> => {
    const { rows } = await pool.query<Row>({ name, text, values: [...values] })
    return rows.map(toItem)
  }
  return {
    search: (min: number, max: number, limit: number) =>
      select('search', `SELECT ${columns} FROM items WHERE price BETWEEN $1 AND $2 LIMIT $3`, [min, max, limit]),
    list: (category: string, limit: number, offset: number) =>
      select('list', `SELECT ${columns} FROM items WHERE category = $1 ORDER BY id LIMIT $2 OFFSET $3`, [category, limit, offset]),
    one: async (id: number) => (await select('one', `SELECT ${columns} FROM items WHERE id = $1`, [id]))[0],
    create: async ({ id, name, category, price, quantity }: NewItem) => {
      const [item] = await select(
        'create',
        `INSERT INTO items (${columns}) VALUES ($1, $2, $3, $4, $5, true, '[]', 0, 0)
         ON CONFLICT (id) DO UPDATE SET (name, category, price, quantity) = (EXCLUDED.name, EXCLUDED.category, EXCLUDED.price, EXCLUDED.quantity)
         RETURNING ${columns}`,
        [id, name, category, price, quantity],
      )
      return item as Item // the statement returns the row that it wrote
    },
    change: async (id: number, { name, category, price, quantity }: Change) =>
      (
        await select(
          'change',
          `UPDATE items SET name = $2, category = COALESCE($3, category), price = $4, quantity = $5 WHERE id = $1 RETURNING ${columns}`,
          [id, name, category, price, quantity],
        )
      )[0],
    close: () => pool.end(),
  }
}

export type Store = ReturnType<typeof openStore>
