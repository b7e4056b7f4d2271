/**
 * Keeps the files of one request: in memory while they are small, else in one temporary file. It has no name, so that nothing is left of it
 * when the process ends, however it ends.
 */
import { ChunkList } from '../http/chunks.ts'
import { toolkitErrors } from '../http/errors.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'

type FileCallback<Result> = (error: (Error & { readonly code?: string }) | null, result: Result) => void

/** The part of `node:fs` that is used here. */
interface NodeFileSystem {
  readonly constants: { readonly O_RDWR: number; readonly O_DIRECTORY?: number }
  openSync(path: string, flags: string | number, mode: number): number
  unlinkSync(path: string): void
  close(descriptor: number, callback: (error: Error | null) => void): void
  write(descriptor: number, bytes: Uint8Array, offset: number, length: number, at: number, callback: FileCallback<number>): void
  read(descriptor: number, bytes: Uint8Array, offset: number, length: number, at: number, callback: FileCallback<number>): void
}

/** Node, Bun and Deno give their modules without an import, which bundlers for other platforms could not resolve. */
const { process: nodeProcess } = globalThis as {
  readonly process?: { readonly platform?: string; readonly getBuiltinModule?: (name: string) => unknown }
}
const fileSystem = nodeProcess?.getBuiltinModule?.('node:fs') as NodeFileSystem | undefined
const operatingSystem = nodeProcess?.getBuiltinModule?.('node:os') as { tmpdir(): string } | undefined

/** How many bytes of one request are kept in memory where there are files. */
const maxMemory = 262_144
/** How many bytes are read from a file at once. */
const readSize = 65_536

/** Linux opens a file without a name. Elsewhere, and on file systems that cannot, its name is removed at once. */
const O_TMPFILE = 0o20000000

/** Opens a temporary file that no folder lists. */
function openNamelessFile({ constants, openSync, unlinkSync }: NodeFileSystem, folder: string): number {
  if (nodeProcess?.platform === 'linux' && constants.O_DIRECTORY !== undefined) {
    try {
      return openSync(folder, O_TMPFILE | constants.O_DIRECTORY | constants.O_RDWR, 0o600)
    } catch {
      // The file system has names only.
    }
  }
  const path = `${folder}/lapidary-${crypto.randomUUID()}`
  const descriptor = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return descriptor
}

/** A full disk is no fault of the server's program. */
const toStorageError = (error: Error & { readonly code?: string }): Error =>
  error.code === 'ENOSPC' || error.code === 'EDQUOT' ? toolkitErrors.insufficientStorage({ detail: problemDetail.storageFull() }) : error

/** The bytes of all files of a request, one after the other. */
export class UploadStorage {
  /** How many bytes it has. */
  length = 0
  /** All bytes, or those that are not in the file yet. */
  private readonly chunks = new ChunkList()
  private descriptor: number | undefined = undefined
  /** How many operations on the file have not ended. */
  private pending = 0
  private isClosed = false

  /** Adds bytes. Resolves when there is room for more. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.isClosed) throw new Error(developerErrors.uploadHasEnded())
    // A copy: the chunk of a connection is larger than a small file in it.
    this.chunks.push(bytes.length < readSize / 4 ? bytes.slice() : bytes)
    this.length += bytes.length
    if (this.chunks.length > maxMemory && fileSystem !== undefined) await this.writeChunks(fileSystem)
  }

  /** All bytes of a range, piece by piece. */
  async *read(start: number, end: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    for (let at = start; at < end; ) {
      const bytes = await this.readAt(at, Math.min(readSize, end - at))
      yield bytes
      at += bytes.length
    }
  }

  /** Frees everything. The files cannot be read any more. */
  close(): void {
    this.isClosed = true
    this.chunks.take()
    this.closeFile()
  }

  /** The descriptor is free for another file when it is closed, so no operation may still use it. */
  private closeFile(): void {
    const { descriptor } = this
    if (!this.isClosed || this.pending > 0 || descriptor === undefined) return
    this.descriptor = undefined
    fileSystem?.close(descriptor, () => {})
  }

  private async writeChunks(system: NodeFileSystem): Promise<void> {
    const bytes = this.chunks.take()
    const at = this.length - bytes.length
    this.descriptor ??= openNamelessFile(system, operatingSystem?.tmpdir() ?? '/tmp')
    const { descriptor } = this
    for (let written = 0; written < bytes.length; )
      written += await this.run<number>((callback) =>
        system.write(descriptor, bytes, written, bytes.length - written, at + written, callback),
      )
  }

  private async readAt(at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.isClosed) throw new Error(developerErrors.uploadHasEnded())
    const { descriptor } = this
    const fileLength = this.length - this.chunks.length
    if (at >= fileLength || descriptor === undefined) {
      // Reading is rare compared to writing, so the chunks are joined at the first time.
      const all = this.chunks.take()
      this.chunks.push(all)
      return new Uint8Array(all.subarray(at - fileLength, at - fileLength + length))
    }
    const bytes = new Uint8Array(Math.min(length, fileLength - at))
    const count = await this.run<number>((callback) => fileSystem?.read(descriptor, bytes, 0, bytes.length, at, callback))
    if (count === 0) throw new Error(developerErrors.uploadHasEnded())
    return bytes.subarray(0, count)
  }

  /** Runs an operation on the file. */
  private run<Result>(start: (callback: FileCallback<Result>) => void): Promise<Result> {
    this.pending += 1
    return new Promise((resolve, reject) => {
      start((error, result) => {
        this.pending -= 1
        this.closeFile()
        if (error !== null) reject(toStorageError(error))
        else resolve(result)
      })
    })
  }
}
