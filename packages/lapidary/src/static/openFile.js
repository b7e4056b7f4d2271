/** Finds the file that a request target names under a folder, and opens it: the one place that decides what may be seen. */
import { readlinkSync } from 'node:fs'
import { constants, lstat, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { percentDecode } from '../http/percentEncoding.js'

/** What a file system says of a name that a client may not see, or that nobody could. Anything else is our own trouble. */
const notFoundCodes = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM', 'EINVAL', 'EILSEQ', 'ENXIO', 'ENODEV'])
// Not through a link that was put there after the check, and never waiting for the other end of a FIFO.
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** Decodes each segment once, and refuses whatever could mean more than one name: what is left are plain names, safe to join. */
function parseRequestedPath(target) {
  const [path = ''] = target.split('?', 1)
  if (path !== '' && !path.startsWith('/')) return undefined
  const segments = path.slice(1).split('/')
  const folder = segments.at(-1) === ''
  if (folder) segments.pop()
  const names = []
  for (const segment of segments) {
    const name = percentDecode(segment)
    // A dot at the start is `.`, `..` or a dot-file. A backslash is a separator somewhere, and NUL ends a name in C.
    if (name === undefined || name === '' || name.startsWith('.') || /[/\\\0]/.test(name)) return undefined
    names.push(name)
  }
  return { names, isFolder: folder }
}
const isInsideRoot = (root, real) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
/** Follows every link in `path`; `undefined` where they lead out of `root`. */
async function resolveInside(root, path) {
  const real = await realpath(path)
  return isInsideRoot(root, real) ? { path: real, stats: await lstat(real, { bigint: true }) } : undefined
}
/**
 * Whether an open file is inside `root`. A folder on the way to it may have become a link between the look at its path and its opening.
 * Linux knows the path of what is open. Elsewhere the path is followed again, and has to lead to the same file.
 */
async function isOpenFileInside(root, path, { fd }, { dev, ino }) {
  let real
  try {
    // No disk is asked, so nothing waits.
    real = readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    const again = await resolveInside(root, path)
    return again !== undefined && again.stats.dev === dev && again.stats.ino === ino
  }
  return isInsideRoot(root, real)
}
async function openRegularFile(root, path, name) {
  const handle = await open(path, openFlags)
  let kept = false
  try {
    const stats = await handle.stat({ bigint: true })
    kept = stats.isFile() && (await isOpenFileInside(root, path, handle, stats))
    return kept ? { handle, name, stats } : undefined
  } finally {
    if (!kept) await handle.close()
  }
}
async function findRequestedFile(folder, { names, isFolder: folderMeant }, index) {
  const root = await realpath(folder)
  let entry = await resolveInside(root, join(root, ...names))
  let name = names.at(-1) ?? index
  if (entry?.stats.isDirectory()) {
    entry = await resolveInside(root, join(entry.path, index))
    name = index
  } else if (folderMeant) return undefined
  // Asked before opening, since opening a FIFO or a device already does something to it.
  return entry?.stats.isFile() ? openRegularFile(root, entry.path, name) : undefined
}
/**
 * Opens the regular file that `target` (origin form, still percent-encoded, a query is ignored) names under `root`;
 * for a folder the file called `index` in it. `undefined` where there is none, where it lies outside, and where it may not be read.
 * Links are followed as long as they stay inside, through folders with a dot too (Kubernetes lays out its volumes that way).
 * Throws what the file system throws when it is not the client's doing: too many open files, a failing disk.
 */
export async function openFile(root, target, index) {
  const place = parseRequestedPath(target)
  if (place === undefined) return undefined
  try {
    return await findRequestedFile(root, place, index)
  } catch (failure) {
    if (notFoundCodes.has(failure.code)) return undefined
    throw failure
  }
}
