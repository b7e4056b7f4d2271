/** The file of a SQLite database as the file system sees it: what SQLite itself does not notice, or not soon enough. */

import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotOpen } from '../cannotOpen.ts'
import { StoreUnavailable } from '../storeUnavailable.ts'

const headerLength = 100
const magic = Buffer.from('SQLite format 3\0', 'latin1')

/** The first bytes of a file. */
function header(path: string): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headerLength)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, headerLength, 0))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Refuses, without opening it as a database, a file that is no SQLite database or has lost its end; makes one that does not exist yet, and
 * its folder, for the user of this process alone. An empty file counts as a database that holds nothing. Throws `CannotOpen` or the file system's own error.
 * The layout is that of https://www.sqlite.org/fileformat.html, section 1.3.
 */
export function inspect(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite would make it readable for every user; its files beside it get the mode of this one.
    closeSync(openSync(path, 'a', 0o600))
    return
  }
  if (found.isDirectory()) throw new CannotOpen('it is a folder')
  if (!found.isFile()) throw new CannotOpen('it is not a file')
  // What a write-ahead log still holds belongs to the database: then the file's own length says nothing.
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (found.size === 0 && log === 0) return
  const bytes = header(path)
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new CannotOpen('it is not an SQLite database; it was left as it is')
  if (bytes.length < headerLength) throw new CannotOpen('it is cut short; it was left as it is')
  const pageSize = bytes.readUInt16BE(16) === 1 ? 65536 : bytes.readUInt16BE(16)
  const pages = bytes.readUInt32BE(28)
  if (log === 0 && found.size < pageSize * pages) throw new CannotOpen('it is cut short; it was left as it is')
}

/** What a change of mode fails with where it is another user's business, or not possible; and where SQLite has just removed the file. */
const notOurs = new Set(['EPERM', 'EROFS', 'ENOENT'])

/**
 * Takes the database, its write-ahead log and the index of that away from every other user: they hold hashes of passwords and secrets, and older
 * builds, or a copy, may have left them open. What belongs to another user stays as it is. Throws the file system's own error.
 */
export function closeToOthers(path: string): void {
  const own = realpathSync(path)
  for (const file of [own, `${own}-wal`, `${own}-shm`]) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined || (found.mode & 0o077) === 0) continue
    try {
      // By its path: opening and closing the file would end the locks that SQLite holds on it in this process.
      chmodSync(file, found.mode & 0o700)
    } catch (error) {
      if (!notOurs.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

/** A watch on a file that is open: whether its path still leads to it. */
export interface Presence {
  /** Throws `StoreUnavailable` once the file was removed or replaced: SQLite goes on writing to it, and what it writes is lost. */
  readonly present: () => void
  /** Throws `StoreUnavailable` when the file may not be written. */
  readonly writable: () => void
}

/** Watches the file that is at `path` now. */
export function presence(path: string): Presence {
  const opened = statSync(path)
  return Object.freeze({
    present: () => {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found?.ino === opened.ino && found.dev === opened.dev) return
      throw new StoreUnavailable(
        `The database file ${path} was ${found ? 'replaced' : 'removed'} while it was open: restart the service.`,
        60,
      )
    },
    writable: () => {
      try {
        accessSync(path, constants.W_OK)
      } catch (error) {
        throw new StoreUnavailable(`The database file ${path} cannot be written.`, 60, { cause: error })
      }
    },
  })
}

/** A database in memory has no file to lose. */
export const noFile: Presence = Object.freeze({ present: () => {}, writable: () => {} })
