/** What every measured server serves: the same users, the same email, the same rows. */
import { color } from '../ranges/colors.mjs'

/**
 * @typedef {object} User
 * @property {string} name
 * @property {number} age
 * @property {string} email
 * @property {string} registration_date  a calendar date, as it is sent
 */

const day = 86_400_000

/** So many users, always the same ones. @param {number} count @returns {User[]} */
export const users = (count) =>
  Array.from({ length: count }, (_, number) => ({
    name: `User Number ${number}`,
    age: 18 + (number % 70),
    email: `user.${number}@example.com`,
    registration_date: new Date(Date.UTC(2000, 0, 1) + number * day).toISOString().slice(0, 10),
  }))

export const hundred = users(100)
export const thousand = users(1_000)
const tenThousand = users(10_000)

/** Ten thousand users, one after the other, as they would come from somewhere else. */
export async function* many() {
  yield* tenThousand
}

/** The marketing email for one client. */
export const email = ({ clientName, clientEmail, clientAge, clientInterestedIn }) => ({
  from: 'great@company.com',
  to: clientEmail,
  subject: `Hey ${clientName}, we miss you!`,
  body: `Hi ${clientName},\n\nSince you've recently turned ${clientAge}, have you checked out our latest ${clientInterestedIn.join(', ')} products? Give us a visit!`,
})

/** @param {string | undefined} name */
export const greeting = (name) => ({ msg: `Hello, ${name ?? 'anonymous coward'}` })

/** How many colours there are, and how many make a page. */
const colors = 1_000
export const pageSize = 100

/** Where the page that is asked for begins: strictly behind this name. */
export const pageStart = Array.from({ length: colors }, (_, row) => color(row).name).sort()[colors / 2] ?? ''

/** @typedef {ReturnType<typeof color>} Color */

/**
 * @typedef {object} Store
 * @property {() => User[]} users
 * @property {(after: string, limit: number) => Color[]} page  those strictly behind a name, in the order of their names
 * @property {() => number} count                               of the colours
 */

/**
 * Fills a database in memory. What it uses of a driver node:sqlite and bun:sqlite have in common.
 * @param {any} database
 * @returns {Store}
 */
export function store(database) {
  database.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, email TEXT, registration_date TEXT) STRICT')
  database.exec('CREATE TABLE colors (name TEXT PRIMARY KEY, red INTEGER, green INTEGER, blue INTEGER, hex TEXT) STRICT, WITHOUT ROWID')
  const user = database.prepare('INSERT INTO users (name, age, email, registration_date) VALUES (?, ?, ?, ?)')
  for (const one of hundred) user.run(one.name, one.age, one.email, one.registration_date)
  const insert = database.prepare('INSERT INTO colors VALUES (?, ?, ?, ?, ?)')
  for (let row = 0; row < colors; row += 1) {
    const { name, rgb, hex } = color(row)
    insert.run(name, ...rgb, hex)
  }
  database.exec(`CREATE TABLE counts (total INTEGER); INSERT INTO counts VALUES (${colors})`)

  const all = database.prepare('SELECT name, age, email, registration_date FROM users ORDER BY id')
  const page = database.prepare('SELECT name, red, green, blue, hex FROM colors WHERE name > ? ORDER BY name LIMIT ?')
  const count = database.prepare('SELECT total FROM counts')
  return {
    users: () => all.all(),
    page: (after, limit) => page.all(after, limit).map(({ name, red, green, blue, hex }) => ({ name, rgb: [red, green, blue], hex })),
    count: () => count.get().total,
  }
}
