/** `kyselySource(query, by)`: a Kysely query as the source of pages. */
import { type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import type { PageSource } from '../ranges/source.ts'
import { type Keyset, keyset } from './keyset.ts'

/**
 * The rows of a query as the source of pages: `colorRanges.page(input, source(database.selectFrom('colors').selectAll(), by))`.
 * `count` says how many there are in all. Default: the database counts them, which takes longer the more there are; where that is too long, keep a counter.
 */
export function kyselySource<DB, Table extends keyof DB, Row, Field extends string>(
  query: SelectQueryBuilder<DB, Table, Row>,
  by: Keyset<DB, Table, Field>,
  count: PageSource<Row, Field>['count'] = () => countRows(query),
): PageSource<Simplify<Row>, Field> {
  return { count, page: (page) => keyset(query, page, by).execute() }
}

async function countRows<DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>): Promise<number> {
  const counting = query.clearSelect().select(sql`count(*)`.as('total')).$castTo<{ readonly total: number | string }>()
  const { total } = await counting.executeTakeFirstOrThrow()
  // PostgreSQL counts in 64 bits, which its drivers give as text.
  return Number(total)
}
