/** Adds many colours to the store: up to a number, or those of a file. */

import { setImmediate } from 'node:timers/promises'
import type { Color } from '../api/colors.ts'
import { CommandError } from '../command.ts'
import { toHex } from '../store/seeds.ts'
import { DatabaseSync } from '../store/sqlite/module.ts'
import type { Awaitable, Colors } from '../store/store.ts'
import { type Item, parseColor, readItems } from './file.ts'
import { formatCount, formatNumber, type Interruption, retry, showProgress } from './progress.ts'

/** The number of colours in one write, which is all or nothing. */
const writeSize = 2000

function toRgb(hex: string): Color['rgb'] {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

/**
 * Tens of thousands of colours with real names, always in the same order. Throws `CommandError` without the package, which is a development
 * dependency.
 */
export async function loadNamedColors(): Promise<readonly Color[]> {
  try {
    const { colornames } = await import('color-name-list')
    return colornames.map(({ name, hex }) => {
      const rgb = toRgb(hex)
      return { name, rgb, hex: toHex(rgb) }
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new CommandError(
      'The real names come from the package color-name-list, which is not installed here: it is there for development. Add --generated to load generated names alone.',
      { cause: error },
    )
  }
}

/**
 * Adds colours until there are `count`. `colorAt` returns the colour at each place, from 0 without end. A colour with an existing name is
 * skipped. Throws `StoreUnavailable` and `CommandError`: added colours stay, and repeating the call continues.
 */
export async function seedColors(
  colors: Colors,
  count: number,
  colorAt: (place: number) => Color,
  { signal, check }: Interruption,
): Promise<{ readonly before: number; readonly now: number }> {
  const attempt = <Result>(action: () => Awaitable<Result>): Promise<Result> => retry(action, signal)
  /**
   * Whether there is a colour of this name. Names contain no control character, so none is between a name and the name with one appended.
   */
  const exists = async ({ name }: Color): Promise<boolean> => {
    const query = { field: 'name', order: 'desc', after: { value: `${name}\u0001` }, offset: 0, limit: 1 } as const
    return (await attempt(() => colors.page(query)))[0]?.name === name
  }
  const before = await attempt(colors.count)
  let now = before
  const progress = showProgress('Adding', 'colours', before, count)
  try {
    for (let start = 0; now < count; start += writeSize) {
      // Writes are all or nothing, so the first and the last colour show that an earlier run has written this batch.
      const isWritten = (await exists(colorAt(start))) && (await exists(colorAt(start + writeSize - 1)))
      const batch = isWritten ? [] : Array.from({ length: writeSize }, (_, index) => colorAt(start + index))
      while (batch.length > 0 && now < count) {
        const part = batch.splice(0, count - now)
        await attempt(() => colors.add(part))
        // Counted anew, because an answer may be lost, and other writers may add colours.
        now = await attempt(colors.count)
        progress.update(now)
      }
      // SQLite runs in this process. Signals are handled only between its calls.
      await setImmediate()
      if (now < count)
        check(() => `Interrupted: there are ${formatNumber(now)} of ${formatCount(count)}. The same command goes on from here.`)
    }
  } finally {
    progress.end()
  }
  return { before, now }
}

/** The colours of a file, before all of them are known to be valid. */
interface Staging {
  /** Keeps a colour. If its name is not new, returns the place of the earlier one instead. */
  readonly keep: (color: Color, place: string) => string | undefined
  readonly count: () => number
  /** All colours in their order. */
  readonly batches: (size: number) => Generator<readonly Color[]>
  readonly close: () => void
}

/** Stages in a temporary SQLite file, which needs no memory and disappears with the process. */
function createStaging(): Staging {
  const database = new DatabaseSync('')
  database.exec(`
    PRAGMA cache_size = -8000;
    CREATE TABLE colors (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, place TEXT NOT NULL, json TEXT NOT NULL) STRICT;
    BEGIN`)
  const insert = database.prepare('INSERT INTO colors (name, place, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  const earlier = database.prepare('SELECT place FROM colors WHERE name = ?')
  const page = database.prepare('SELECT id, json FROM colors WHERE id > ? ORDER BY id LIMIT ?')
  const count = database.prepare('SELECT count(*) AS total FROM colors')

  function* batches(size: number): Generator<readonly Color[]> {
    for (let last = 0; ; ) {
      const rows = page.all(last, size) as readonly { readonly id: number; readonly json: string }[] // as the statement says
      const end = rows.at(-1)
      if (end === undefined) return
      yield rows.map(({ json }): Color => JSON.parse(json))
      last = end.id
    }
  }

  return {
    keep: (color, place) => {
      if (insert.run(color.name, place, JSON.stringify(color)).changes > 0) return undefined
      return (earlier.get(color.name) as { readonly place: string }).place
    },
    count: () => (count.get() as { readonly total: number }).total,
    batches,
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

/** Keeps a valid item. Returns the problems of others. */
function stageItem(item: Item, staging: Staging): readonly string[] {
  if ('problem' in item) return [item.problem]
  const color = parseColor(item.value)
  if (!('name' in color)) return color
  const earlier = staging.keep(color, item.place)
  return earlier === undefined
    ? []
    : [`/name: expected a name that is new in this file, got that of ${earlier}: ${JSON.stringify(color.name)}`]
}

/** The largest number of problems in a message. */
const maxProblems = 20

async function stageFile(path: string, staging: Staging, { check }: Interruption): Promise<void> {
  const problems: string[] = []
  let more = 0
  for await (const items of readItems(path)) {
    for (const item of items) {
      for (const problem of stageItem(item, staging)) {
        if (problems.length < maxProblems) problems.push(`${item.place}: ${problem}`)
        else more += 1
      }
    }
    await setImmediate()
    check(() => 'Interrupted: nothing was added.')
  }
  if (problems.length === 0) return
  const lines = more === 0 ? problems : [...problems, `… and ${more} more`]
  throw new CommandError([`${path} cannot be loaded, and nothing was added:`, ...lines].join('\n  '))
}

/**
 * Adds the colours of the file with new names. Returns how many those are, and how many the file contains. Throws `CommandError` for an
 * invalid file, and has added nothing then. Throws `StoreUnavailable`, and `CommandError` after a signal: added colours stay, and repeating
 * the call adds the rest.
 */
export async function loadColorFile(
  colors: Colors,
  path: string,
  interruption: Interruption,
): Promise<{ readonly added: number; readonly total: number }> {
  const staging = createStaging()
  try {
    await stageFile(path, staging, interruption)
    const total = staging.count()
    const progress = showProgress('Adding', 'colours', 0, total)
    let added = 0
    let done = 0
    try {
      for (const batch of staging.batches(writeSize)) {
        interruption.check(() => `Interrupted: added ${formatNumber(done)} of ${formatCount(total)}. The same command adds the rest.`)
        added += await retry(() => colors.add(batch), interruption.signal)
        done += batch.length
        progress.update(done)
        await setImmediate()
      }
    } finally {
      progress.end()
    }
    return { added, total }
  } finally {
    staging.close()
  }
}
