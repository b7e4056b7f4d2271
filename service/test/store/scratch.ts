/** A folder and stores for one test, removed when it ends. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore, type Store } from '../../src/store/store.ts'

import { type Database, database } from '../support/databases/database.ts'

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Opens the SQLite file at `path`; the store is closed when the test ends, if the test has not closed it. */
export const opened = (path: string): Promise<Store> => openedAt(`sqlite:${path}`)

/** The same for any database. */
export async function openedAt(url: string): Promise<Store> {
  const store = await openStore(url)
  onTestFinished(async () => store.close())
  return store
}

/** A new database of the kind that the run is about, for one test. */
export async function databaseOfTest(): Promise<Database> {
  const made = await database(folder())
  onTestFinished(made.remove)
  return made
}

/** A store in it. */
export const stored = async (): Promise<Store> => openedAt((await databaseOfTest()).url)

/** All items of a list. */
export async function rows<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = []
  for await (const row of list) all.push(row)
  return all
}

/** What a promise or a function failed with. */
export async function failure(action: () => unknown): Promise<unknown> {
  try {
    await action()
  } catch (error) {
    return error
  }
  throw new Error('This was expected to fail.')
}
