/** Pages of Kysely queries: `keyset(query, page, by)` and `kyselySource(query, by)`. */
import { type Expression, type RawBuilder, type SelectQueryBuilder, type Simplify, type SqlBool, type StringReference, sql } from 'kysely'
import { checkFunctions } from '../http/functions.ts'
import type { NullOrder, OffsetSource, PageQuery, PageSource } from '../pagination/source.ts'

/** A column by its name, or an expression: `'colors.name'`, ``sql<number>`lower(name)` ``. */
export type Column<DB, Table extends keyof DB> = StringReference<DB, Table> | Expression<unknown>

/** The columns of the fields of a collection. */
export interface Keyset<DB, Table extends keyof DB, Field extends string> {
  readonly fields: { readonly [Name in Field]: Column<DB, Table> }
  /**
   * The column that distinguishes any two rows: the primary key. Create an index on (field, key) for each field. In SQLite there are two
   * cases in which the cost of a page grows with the number of equal values: a key that is the rowid (declare the table WITHOUT ROWID), and
   * a field that is an expression (make it a generated column).
   */
  readonly key: Column<DB, Table>
  /** The fields that can be null, and where null stands among their values. @default no field can be null */
  readonly nulls?: { readonly [Name in Field]?: NullOrder }
  /**
   * The size of a row in bytes, for rows of any size: ``sql<number>`octet_length(body)` ``. The pages of `kyselySource` then end before
   * `maxBytes`; each page costs one more query, which reads only the sizes. Without `size`, limit the length of your columns: the largest
   * row, times `maxLimit`, has to fit into memory.
   */
  readonly size?: Expression<number>
}

type ColumnReference = RawBuilder<unknown> | Expression<unknown>
type SqlCondition = RawBuilder<SqlBool>

/** The order of a page. */
interface KeysetOrdering {
  readonly field: ColumnReference
  readonly key: ColumnReference
  readonly order: PageQuery['order']
  /** Whether the field is a column, not an expression. */
  readonly isColumn: boolean
  /** undefined if the field is never null. */
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

/** Returns the conditions of all rows. */
const createAllConditions = ({ field, nullsFirst }: KeysetOrdering): readonly SqlCondition[] =>
  nullsFirst === undefined ? [] : [sql`${field} is null`, sql`${field} is not null`]

/** Returns the conditions of the rows after a position. No two of them hold for one row, and each is one seek in an index. */
function createAfterConditions(
  { field, key, order, isColumn, nullsFirst }: KeysetOrdering,
  { value, key: keyValue }: NonNullable<PageQuery['after']>,
): readonly SqlCondition[] {
  const beyond = sql.raw(order === 'asc' ? '>' : '<')
  if (value === null) {
    const nulls: readonly SqlCondition[] = keyValue === undefined ? [] : [sql`${field} is null and ${key} ${beyond} ${keyValue}`]
    const conditions: readonly SqlCondition[] = nullsFirst === true ? [...nulls, sql`${field} is not null`] : nulls
    return conditions.length === 0 ? [sql`1 = 0`] : conditions
  }
  const position: SqlCondition = sql`(${field}, ${key}) ${beyond} (${value}, ${keyValue})`
  // SQLite seeks by a row of columns only: for an expression, the condition on the field is repeated alone.
  const exactPosition: SqlCondition = isColumn ? position : sql`${position} and ${field} ${beyond}= ${value}`
  const condition: SqlCondition = keyValue === undefined ? sql`${field} ${beyond} ${value}` : exactPosition
  return nullsFirst === false ? [condition, sql`${field} is null`] : [condition]
}

/**
 * Adds the condition, the order, the limit and the offset of one page to a query: the rows strictly after a value, or after the exact
 * position (value, key). The cost grows with the page and its offset, not with the table. The query must have no order and no limit of its
 * own.
 *
 * A field that is never null needs one seek, `(field, key) > (value, key)`. Databases cannot compare null, and sort it differently. So a
 * field that can be null needs up to two seeks, one for nulls and one for values, and the outer query sorts the rows that both found.
 *
 * @param by the columns of the fields and of the key
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import { keyset } from 'lapidary/kysely'
 *
 * interface Database {
 *   readonly colors: { readonly name: string; readonly hex: string }
 * }
 * declare const database: Kysely<Database>
 * const by = { fields: { name: 'colors.name' }, key: 'colors.name' } as const
 * const page = { field: 'name', order: 'asc', offset: 0, limit: 50 } as const
 * const rows = await keyset(database.selectFrom('colors').selectAll(), page, by).execute()
 * ```
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
  const selectKeys = (condition: SqlCondition): Expression<unknown> =>
    query.clearSelect().select(sql`${key}`.as('key')).where(condition).orderBy(field, order).orderBy(key, order).limit(enough)
  return page
    .where(sql<SqlBool>`${key} in (select * from ${selectKeys(first)} as one union all select * from ${selectKeys(second)} as other)`)
    .orderBy(sql`${field} is null`, nullsFirst ? 'desc' : 'asc')
    .orderBy(field, order)
    .orderBy(key, order)
}

async function countRows<DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>): Promise<number> {
  // PostgreSQL rejects the order of rows that are counted.
  const counting = query.clearSelect().clearOrderBy().select(sql`count(*)`.as('total')).$castTo<{ readonly total: number | string }>()
  const { total } = await counting.executeTakeFirstOrThrow()
  // PostgreSQL counts in 64 bits, which its drivers return as text.
  return Number(total)
}

/**
 * Makes the source of pages of a query, for ranges and cursors:
 * `colorRanges.page(input, kyselySource(database.selectFrom('colors').selectAll(), by))`.
 *
 * @param by the columns of the fields and of the key
 * @param count returns how many rows there are. Default: the database counts them, which takes longer the more there are; keep a counter if
 * that is too slow.
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import { kyselySource } from 'lapidary/kysely'
 *
 * interface Database {
 *   readonly colors: { readonly name: string; readonly hex: string }
 * }
 * declare const database: Kysely<Database>
 * const by = { fields: { name: 'colors.name' }, key: 'colors.name' } as const
 * const source = kyselySource(database.selectFrom('colors').selectAll(), by)
 * ```
 */
export function kyselySource<DB, Table extends keyof DB, Row, Field extends string>(
  query: SelectQueryBuilder<DB, Table, Row>,
  by: Keyset<DB, Table, Field>,
  count?: PageSource<Row, Field>['count'],
): PageSource<Simplify<Row>, Field>
/**
 * Makes the source of numbered pages of a query with an order of its own:
 * `colorPages.page(input, kyselySource(database.selectFrom('colors').selectAll().orderBy('name')))`. Order by what distinguishes any two rows
 * at last. The query must have no limit of its own.
 *
 * @throws TypeError for a query without an order, whose pages could have any rows
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import { kyselySource } from 'lapidary/kysely'
 *
 * interface Database {
 *   readonly colors: { readonly name: string; readonly hex: string }
 * }
 * declare const database: Kysely<Database>
 * const source = kyselySource(database.selectFrom('colors').selectAll().orderBy('hex').orderBy('name'))
 * ```
 */
export function kyselySource<DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>): OffsetSource<Simplify<Row>>
export function kyselySource<DB, Table extends keyof DB, Row, Field extends string>(
  query: SelectQueryBuilder<DB, Table, Row>,
  by?: Keyset<DB, Table, Field>,
  count: PageSource<Row, Field>['count'] = () => countRows(query),
): PageSource<Simplify<Row>, Field> | OffsetSource<Simplify<Row>> {
  checkFunctions('kyselySource()', { count })
  if (by === undefined) {
    if (query.toOperationNode().orderBy === undefined)
      throw new TypeError(
        'kyselySource(): the query has no order, so that its pages could have any rows. Add .orderBy(…), by what distinguishes any two rows at last; or give the columns of its fields and of its key.',
      )
    const source: OffsetSource<Simplify<Row>> = { count, page: ({ offset, limit }) => query.offset(offset).limit(limit).execute() }
    return source
  }
  const source: PageSource<Simplify<Row>, Field> = { count, page: (page) => keyset(query, page, by).execute() }
  const { size } = by
  if (size === undefined) return source
  const sizes = query.clearSelect().select(sql`${size}`.as('size')).$castTo<{ readonly size: number | string | null }>()
  // PostgreSQL adds in 64 bits, which its drivers return as text.
  return { ...source, sizes: async (page) => (await keyset(sizes, page, by).execute()).map((row) => Number(row.size)) }
}
