/** A folder of a test's own, and stores in it; both are gone when the test ends. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { open } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Opens a store that is closed when the test ends, if the test has not closed it. */
export async function opened(path: string): Promise<Store> {
  const store = await open(`sqlite:${path}`)
  onTestFinished(async () => store.close())
  return store
}

/** All rows of a list that comes in batches. */
export async function rows<Row>(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const all: Row[] = []
  for await (const batch of batches) all.push(...batch)
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
