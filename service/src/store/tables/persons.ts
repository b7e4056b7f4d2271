/** Persons in SQLite. */

import type { Person, Persons } from '../store.ts'
import type { Connection } from './connection.ts'

export function persons({ query }: Connection): Persons {
  const all = query<Person>('SELECT first_name AS firstName, last_name AS lastName FROM persons ORDER BY id')
  return Object.freeze({ all: () => all.all() } satisfies Persons)
}
