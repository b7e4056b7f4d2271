/** `keyset(query, page, by)`: one page of a Kysely query, found by an index however far into the collection it is. */

import { type Expression, type RawBuilder, type SelectQueryBuilder, type Simplify, type SqlBool, type StringReference, sql } from 'kysely'
import type { NullOrder, PageQuery, PageSource } from './source.ts'

/** A column by its name, or an expression: `'colors.name'`, ``sql<number>`lower(name)` ``. */
export type Column<DB, Table extends keyof DB> = StringReference<DB, Table> | Expression<unknown>

/** Which columns the fields of a collection are. */
export interface Keyset<DB, Table extends keyof DB, Field extends string> {
  readonly fields: { readonly [Name in Field]: Column<DB, Table> }
  /**
   * The column that tells any two rows apart: the primary key. Each field wants an index on (field, key). Two things that SQLite does not see through cost
   * as much as there are equal values: a key that is the rowid (declare the table WITHOUT ROWID), and a field that is an expression (make it a generated column).
   */
  readonly key: Column<DB, Table>
  /** The fields that may be null, and where null stands among their values. The others are never null. */
  readonly nulls?: { readonly [Name in Field]?: NullOrder }
}

type ColumnReference = RawBuilder<unknown> | Expression<unknown>
type SqlCondition = RawBuilder<SqlBool>

/** What a page is ordered by. */
interface KeysetOrdering {
  readonly field: ColumnReference
  readonly key: ColumnReference
  readonly order: PageQuery['order']
  /** Whether the field is a column rather than an expression. */
  readonly isColumn: boolean
  /** undefined: there are no nulls. */
  readonly nullsFirst: boolean | undefined
}

const toReference = (column: string | Expression<unknown>): ColumnReference => (typeof column === 'string' ? sql.ref(column) : column)

function createOrdering<DB, Table extends keyof DB, Field extends string>(
  { fields, key, nulls }: Keyset<DB, Table, Field>,
  field: Field,
  order: PageQuery['order'],
): KeysetOrdering {
  return {
    field: toReference(fields[field]),
    key: toReference(key),
    order,
    isColumn: typeof fields[field] === 'string',
    nullsFirst: nulls?.[field] === undefined ? undefined : (nulls[field] === 'lowest') === (order === 'asc'),
  }
}

/** Every row, from the first one on. */
const createAllConditions = ({ field, nullsFirst }: KeysetOrdering): readonly SqlCondition[] =>
  nullsFirst === undefined ? [] : [sql`${field} is null`, sql`${field} is not null`]

/** The rows behind an anchor: conditions of which no two hold for one row, each of them one seek in an index. */
function createAfterConditions(
  { field, key, order, isColumn, nullsFirst }: KeysetOrdering,
  { value, key: at }: NonNullable<PageQuery['after']>,
): readonly SqlCondition[] {
  const beyond = sql.raw(order === 'asc' ? '>' : '<')
  if (value === null) {
    const nulls: readonly SqlCondition[] = at === undefined ? [] : [sql`${field} is null and ${key} ${beyond} ${at}`]
    const found: readonly SqlCondition[] = nullsFirst === true ? [...nulls, sql`${field} is not null`] : nulls
    return found.length === 0 ? [sql`1 = 0`] : found
  }
  const position: SqlCondition = sql`(${field}, ${key}) ${beyond} (${value}, ${at})`
  // SQLite seeks by rows of columns alone: for an expression its half is said once more.
  const exactly: SqlCondition = isColumn ? position : sql`${position} and ${field} ${beyond}= ${value}`
  const values: SqlCondition = at === undefined ? sql`${field} ${beyond} ${value}` : exactly
  return nullsFirst === false ? [values, sql`${field} is null`] : [values]
}

/**
 * Adds to a query the condition, the order, the limit and the offset of one page: the rows strictly behind a value, or behind the exact position
 * (value, key). Its cost grows with the page and its offset, not with the table. The query must have no order and no limit of its own.
 *
 * A field that is never null takes one seek, `(field, key) > (value, key)`. Nulls are beyond comparison, and databases do not agree on where they
 * stand: a field that may be null takes up to two seeks, one on either side of the border, and the outer query sorts the page's worth that each found.
 */
export function keyset<DB, Table extends keyof DB, Row, Field extends string>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { field: name, order, after, offset, limit }: PageQuery<NoInfer<Field>>,
  by: Keyset<DB, Table, Field>,
): SelectQueryBuilder<DB, Table, Row> {
  const ordering = createOrdering(by, name, order)
  const { field, key, nullsFirst } = ordering
  const [first, second] = after === undefined ? createAllConditions(ordering) : createAfterConditions(ordering, after)
  const page = query.limit(limit).offset(offset)
  if (first === undefined) return page.orderBy(field, order).orderBy(key, order)
  if (second === undefined) return page.where(first).orderBy(field, order).orderBy(key, order)
  const enough = Math.min(offset + limit, Number.MAX_SAFE_INTEGER)
  const keys = (part: SqlCondition): Expression<unknown> =>
    query.clearSelect().select(sql`${key}`.as('key')).where(part).orderBy(field, order).orderBy(key, order).limit(enough)
  return page
    .where(sql<SqlBool>`${key} in (select * from ${keys(first)} as one union all select * from ${keys(second)} as other)`)
    .orderBy(sql`${field} is null`, nullsFirst ? 'desc' : 'asc')
    .orderBy(field, order)
    .orderBy(key, order)
}

// `kyselySource(query, by)`: a Kysely query as the source of pages.

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
