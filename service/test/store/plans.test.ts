/** The plans of the databases: each page is one search of an index, independently of the rows before it. */

import { describe, expect, test } from 'vitest'
import { DatabaseSync } from '../../src/store/sqlite/module.ts'
import { colorPageSql } from '../../src/store/tables/colors.ts'
import { userPageSql } from '../../src/store/tables/users.ts'

import { type Database, kind, postgresOfTest } from '../support/databases/database.ts'
import { numbered, type PostgresDatabase } from '../support/databases/postgres.ts'
import { databaseOfTest, openedAt } from './scratch.ts'

/** A page query and values for its places. */
type Statement = readonly [sql: string, values: readonly (string | number)[]]

const value = { name: 'color 500', hex: '#00aa00', rgb: 300 }
const statements: readonly Statement[] = [
  ...(['name', 'hex', 'rgb'] as const).flatMap((field) =>
    (['asc', 'desc'] as const).flatMap((order): readonly Statement[] => [
      [colorPageSql(field, order, 'first'), [101, 0]],
      [colorPageSql(field, order, 'value'), [value[field], 101, 0]],
      [colorPageSql(field, order, 'position'), [value[field], 'color 500', 101, 0]],
    ]),
  ),
  ...(['age', 'name'] as const).flatMap((column): readonly Statement[] => {
    const [group, beyond] = userPageSql(column)
    const from = column === 'age' ? 4 : 'user 4'
    return [
      [group, [from, 9, 500]],
      [beyond, [from, 500]],
    ]
  }),
]

const rows = 20_000
const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})`

/** Vacuums the table of colours. @returns whether each of its pages is known to have visible rows alone */
async function vacuum(database: PostgresDatabase): Promise<boolean> {
  await database.run('VACUUM colors')
  const [[isVisible] = []] = await database.rows("SELECT relallvisible >= relpages FROM pg_class WHERE relname = 'colors'")
  return isVisible === true
}

/** Enough rows, with many of one age and one sum, that reading all of them and sorting would be the worse way. */
async function crowded(): Promise<Database> {
  // On PostgreSQL a database of its own: a transaction that is open elsewhere in the same one delays what a vacuum may say.
  const made = kind === 'postgres' ? await postgresOfTest() : await databaseOfTest()
  await openedAt(made.url)
  await made.run(`${numbers} INSERT INTO colors (name, red, green, blue, hex)
    SELECT 'color ' || n, n % 256, n % 7, n % 5, '#' || n FROM numbers`)
  await made.run(`${numbers} INSERT INTO users (name, age, email, registration_date)
    SELECT 'user ' || n % 9, n % 9, n, '2024-02-29' FROM numbers`)
  await made.run(kind === 'sqlite' ? 'ANALYZE' : 'ANALYZE colors, users')
  // PostgreSQL reads an index alone where all rows are known to be visible.
  if (kind === 'postgres') await expect.poll(() => vacuum(made as PostgresDatabase), { timeout: 30_000, interval: 200 }).toBe(true)
  return made
}

/** What SQLite would do, a line a step. */
function sqlitePlan({ url }: Database, [sql]: Statement): readonly string[] {
  const database = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true })
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1')}`).all() as { detail: string }[]
  database.close()
  return plan.map(({ detail }) => detail)
}

interface Node {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

/** What PostgreSQL would do with the prepared statement: its kinds of nodes from the outside in, and the innermost. */
async function postgresPlan(database: PostgresDatabase, [sql, values]: Statement, mode: string): Promise<readonly Node[]> {
  const literals = values.map((one) => (typeof one === 'number' ? one : `'${one}'`)).join(', ')
  const [[plan] = []] = await database.rows(
    `SET plan_cache_mode = ${mode}; PREPARE page AS ${numbered(sql)}; EXPLAIN (FORMAT JSON) EXECUTE page(${literals})`,
  )
  const nodes: Node[] = []
  for (let node = (plan as readonly { readonly Plan: Node }[])[0]?.Plan; node !== undefined; node = node.Plans?.[0]) nodes.push(node)
  return nodes
}

describe.runIf(kind === 'sqlite')('SQLite', () => {
  test('reads every page by one search of a covering index, without sorting', async () => {
    const database = await crowded()
    for (const statement of statements) {
      const [sql] = statement
      const how = sql.includes('WHERE') ? 'SEARCH' : 'SCAN'
      // By name the table of colours itself is the index: it is kept in the order of its primary key.
      const colors = sql.includes('ORDER BY name')
        ? `${how} colors( USING PRIMARY KEY .*)?`
        : `${how} colors USING COVERING INDEX colors_by_.*`
      const step = sql.includes('FROM users') ? 'SEARCH users USING INDEX users_by_(age|name) .*' : colors
      expect({ sql, plan: sqlitePlan(database, statement) }).toEqual({ sql, plan: [expect.stringMatching(new RegExp(`^${step}$`))] })
    }
  })
})

describe.runIf(kind === 'postgres')('PostgreSQL', () => {
  test.each(['force_custom_plan', 'force_generic_plan'])(
    'reads every page by one search of an index, without sorting, with a plan made with %s',
    async (mode) => {
      const database = (await crowded()) as PostgresDatabase
      for (const statement of statements) {
        const [sql] = statement
        const plan = await postgresPlan(database, statement, mode)
        const last = plan.at(-1)
        const scan = sql.includes('FROM colors') ? /^Index Only Scan$/ : /^Index Scan$/
        expect({
          sql,
          nodes: plan.map((node) => node['Node Type']),
          index: last?.['Index Name'],
          searched: last?.['Index Cond'] !== undefined,
        }).toEqual({
          sql,
          nodes: ['Limit', expect.stringMatching(scan)],
          index: expect.stringMatching(/^(users|colors)_(by_(age|name|hex|rgb)|pkey)$/),
          searched: sql.includes('WHERE'),
        })
      }
    },
  )
})
