/** What the three servers of this folder share: the origin of the pages, the time limit, and the file for the lines of their logs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { destination } from 'pino'

export const origin = 'https://example.org'

/** Milliseconds. */
export const timeLimit = 10_000

/** Whether to serve with the middleware, or the same endpoints without any. */
export const hasMiddleware = process.argv[2] === 'all'

/** Opens the file. Lines are gathered before they are written, in each server alike. */
export function openLog() {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-middleware-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return destination({ dest: join(folder, 'log'), minLength: 4_096, sync: true })
}
