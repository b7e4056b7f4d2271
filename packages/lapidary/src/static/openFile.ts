/** Finds the file that a request target names below a folder, and opens it. This file alone decides what a client may see. */
import { type BigIntStats, readlinkSync } from 'node:fs'
import { access, constants, type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import mime from 'mime'
import type { FileRepresentation } from '../http/fileResponse.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import { streamFileRange } from './fileBytes.ts'

/** Types of text that have no encoding of their own. XML, and so SVG, declares it in the file. */
const textMediaTypePattern = /^text\/(?!xml)|^application\/(?:javascript|json)$/

/** Guesses the media type by the extension of a name: `application/pdf`; undefined for an unknown extension. */
export const guessMediaType = (name: string): string | undefined => mime.getType(name) ?? undefined

/** The media type for a file name, such as `text/html;charset=utf-8`; `application/octet-stream` for an unknown extension. */
export function getFileMediaType(name: string): string {
  const type = guessMediaType(name) ?? 'application/octet-stream'
  return textMediaTypePattern.test(type) ? `${type};charset=utf-8` : type
}

/** A regular file, open for reading. The caller closes it. */
interface OpenFile {
  readonly handle: FileHandle
  /** The name in the request, such as `style.css`, even if a link leads to another name. */
  readonly name: string
  /** The stats of the open file, and so of the bytes that will be sent. */
  readonly stats: BigIntStats
}

/** Where a regular file was, before it is opened. */
interface FoundFile {
  /** The folder that it must be in. */
  readonly root: string
  /** The absolute path, with every link resolved. */
  readonly path: string
  /** The name that was asked for. */
  readonly name: string
}

/** A request target, decoded. */
interface RequestedPath {
  /** The names of folders, with the name of a file at the end; empty for the root. */
  readonly names: readonly string[]
  /** Whether the target ends with a slash, so that only a folder can match. */
  readonly isFolder: boolean
}

/** Error codes for a path that does not exist, cannot exist, or must not be read. Any other error is a problem of the server. */
const notFoundCodes: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EACCES',
  'EPERM',
  'EINVAL',
  'EILSEQ',
  'ENXIO',
  'ENODEV',
])

// Does not follow a link that appeared after the check, and does not wait for the other end of a FIFO.
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** A leading dot means `.`, `..` or a dot-file. A backslash separates folders on Windows, and NUL ends a name in C. */
const isSafeName = (name: string): boolean => name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name)

/** Decodes each segment once, and rejects all that could mean more than one name. The names that remain are safe to join. */
function parseRequestedPath(target: string): RequestedPath | undefined {
  const [path = ''] = target.split('?', 1)
  if (path !== '' && !path.startsWith('/')) return undefined
  const segments = path.slice(1).split('/')
  const isFolder = segments.at(-1) === ''
  if (isFolder) segments.pop()
  const names: string[] = []
  for (const segment of segments) {
    const name = percentDecode(segment)
    if (name === undefined || !isSafeName(name)) return undefined
    names.push(name)
  }
  return { names, isFolder }
}

interface FileEntry {
  /** The absolute path, with every link resolved. */
  readonly path: string
  readonly stats: BigIntStats
}

const isInsideRoot = (root: string, path: string): boolean => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

/** Resolves every link of a path. Returns undefined where they lead out of the root. */
async function resolveInside(root: string, path: string): Promise<FileEntry | undefined> {
  const resolved = await realpath(path)
  return isInsideRoot(root, resolved) ? { path: resolved, stats: await lstat(resolved, { bigint: true }) } : undefined
}

/**
 * Whether an open file is inside the root. A folder on its path may have become a link between the check and the opening. Linux tells the
 * path of an open file. Elsewhere the path is resolved again, and has to lead to the same file.
 */
async function isOpenFileInside(root: string, path: string, { fd }: FileHandle, { dev, ino }: BigIntStats): Promise<boolean> {
  let openPath: string | undefined
  try {
    // Synchronous, since no disk is read.
    openPath = readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    const entry = await resolveInside(root, path)
    return entry !== undefined && entry.stats.dev === dev && entry.stats.ino === ino
  }
  return isInsideRoot(root, openPath)
}

async function openRegularFile({ root, path, name }: FoundFile): Promise<OpenFile | undefined> {
  const handle = await open(path, openFlags)
  let isKept = false
  try {
    const stats = await handle.stat({ bigint: true })
    isKept = stats.isFile() && (await isOpenFileInside(root, path, handle, stats))
    return isKept ? { handle, name, stats } : undefined
  } finally {
    if (!isKept) await handle.close()
  }
}

async function findRequestedFile(folder: string, { names, isFolder }: RequestedPath, index: string): Promise<FoundFile | undefined> {
  const root = await realpath(folder)
  let entry = await resolveInside(root, join(root, ...names))
  let name = names.at(-1) ?? index
  if (entry?.stats.isDirectory()) {
    entry = await resolveInside(root, join(entry.path, index))
    name = index
  } else if (isFolder) return undefined
  // Checked before opening, since opening a FIFO or a device has effects already.
  return entry?.stats.isFile() ? { root, path: entry.path, name } : undefined
}

/** Returns undefined for an error that means that there is no such file. */
async function unlessMissing<Value>(find: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await find()
  } catch (error) {
    if (notFoundCodes.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

/**
 * Opens the regular file that a target names below a root; for a folder, the file called `index` in it.
 *
 * Links are followed as long as they stay inside the root, also through folders that begin with a dot: Kubernetes mounts its volumes that
 * way.
 *
 * @param target in origin form, percent-encoded; its query is ignored
 * @returns undefined for a file that does not exist, lies outside of the root, or may not be read
 * @throws errors of the file system that the client has not caused, such as too many open files
 */
export async function openFile(root: string, target: string, index: string): Promise<OpenFile | undefined> {
  const path = parseRequestedPath(target)
  if (path === undefined) return undefined
  return unlessMissing(async () => {
    const found = await findRequestedFile(root, path, index)
    return found && openRegularFile(found)
  })
}

/**
 * Finds the regular file at a path, which can be read.
 *
 * @param root the folder that the path is below: then it is made of names like those of `openFile`, without percent-encoding. Undefined: any
 * path without `..`
 * @returns undefined as `openFile`
 * @throws errors of the file system, as `openFile`
 */
export async function findFile(root: string | undefined, path: string): Promise<FoundFile | undefined> {
  const names = path.split(/[/\\]/)
  if (path === '' || path.includes('\0') || (root === undefined ? names.includes('..') : !path.split('/').every(isSafeName)))
    return undefined
  return unlessMissing(async () => {
    let found: FoundFile | undefined
    if (root === undefined) {
      const resolved = await realpath(path)
      found = (await lstat(resolved)).isFile() ? { root: dirname(resolved), path: resolved, name: basename(path) } : undefined
    } else found = await findRequestedFile(root, { names, isFolder: false }, '')
    if (found !== undefined) await access(found.path, constants.R_OK)
    return found
  })
}

/** Opens a file that was found. @returns undefined where it is gone. */
export const openFoundFile = (found: FoundFile): Promise<OpenFile | undefined> => unlessMissing(() => openRegularFile(found))

/** An open file, as a response sends it. The size and the time of the last change identify its version. */
export const toRepresentation = ({ handle, stats }: OpenFile): FileRepresentation => ({
  size: Number(stats.size),
  etag: `"${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}"`,
  modified: Math.floor(Number(stats.mtimeMs) / 1000),
  stream: (range, signal) => streamFileRange(handle, range, signal),
  close: () => handle.close(),
})
