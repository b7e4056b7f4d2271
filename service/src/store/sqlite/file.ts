/** The file of a SQLite database: checks that SQLite does not make, or makes too late. */
import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OpenError, StoreUnavailable } from '../errors.ts'

const headerLength = 100
const magic = Buffer.from('SQLite format 3\0', 'latin1')

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(headerLength)
  const descriptor = openSync(path, 'r')
  try {
    return header.subarray(0, readSync(descriptor, header))
  } finally {
    closeSync(descriptor)
  }
}

/** In bytes. One stands for 64 KiB, which two bytes cannot hold. */
const pageSizeOf = (header: Buffer): number => (header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16))

/**
 * Checks the file before SQLite opens it: refuses one that is no SQLite database or is truncated, and creates a missing one and its folder
 * for the user of this process alone. An empty file counts as an empty database. Throws `OpenError` or the error of the file system. The
 * layout is that of https://www.sqlite.org/fileformat.html, section 1.3.
 */
export function prepareFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite would make the file readable for every user. It gives the files beside it the mode of this one.
    closeSync(openSync(path, 'a', 0o600))
    return
  }
  if (stats.isDirectory()) throw new OpenError('it is a folder')
  if (!stats.isFile()) throw new OpenError('it is not a file')
  // With a write-ahead log the length of the file alone says nothing.
  const logSize = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (stats.size === 0 && logSize === 0) return
  const header = readHeader(path)
  if (!header.subarray(0, magic.length).equals(magic)) throw new OpenError('it is not an SQLite database; it was left as it is')
  const isWhole = header.length === headerLength && (logSize > 0 || stats.size >= pageSizeOf(header) * header.readUInt32BE(28))
  if (!isWhole) throw new OpenError('it is cut short; it was left as it is')
}

/** Codes of `chmod` for a file of another user, a read-only file system, and a file that SQLite has just removed. */
const ignoredModeErrors = new Set(['EPERM', 'EROFS', 'ENOENT'])

/**
 * Removes the access of other users to the database and the files beside it. They contain password hashes and secrets, and an older build
 * or a copy may have left them open. Files of another user stay as they are. Throws the error of the file system.
 */
export function restrictAccess(path: string): void {
  const target = realpathSync(path)
  for (const file of [target, `${target}-wal`, `${target}-shm`]) {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined || (stats.mode & 0o077) === 0) continue
    try {
      // By path: opening and closing the file would release the locks that SQLite holds on it in this process.
      chmodSync(file, stats.mode & 0o700)
    } catch (error) {
      if (!ignoredModeErrors.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

/** Checks of the file that is at `path` now, once it is open. Both throw `StoreUnavailable`. */
export function guardFile(path: string) {
  const opened = statSync(path)
  return {
    /** Fails once the file was removed or replaced. SQLite would go on writing, and the data would be lost. */
    checkPresent: () => {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats?.ino === opened.ino && stats.dev === opened.dev) return
      const what = stats ? 'replaced' : 'removed'
      throw new StoreUnavailable(`The database file ${path} was ${what} while it was open: restart the service.`, 60)
    },
    checkWritable: () => {
      try {
        accessSync(path, constants.W_OK)
      } catch (error) {
        throw new StoreUnavailable(`The database file ${path} cannot be written.`, 60, { cause: error })
      }
    },
  }
}

/** A database in memory has no file. */
export const noFile: ReturnType<typeof guardFile> = { checkPresent: () => {}, checkWritable: () => {} }
