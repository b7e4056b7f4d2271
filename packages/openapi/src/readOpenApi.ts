/** `readOpenApi(path)`: an OpenAPI document of a file, together with the files that it refers to. */
import { readFile, realpath } from 'node:fs/promises'
import { dirname, extname, isAbsolute, relative, resolve } from 'node:path'
import { decodePointerStep, encodePointerStep, isJsonObject } from 'lapidary/internal'
import type { JsonObject } from './document.ts'
import * as messages from './openapiMessages.ts'
import { parseText } from './parseText.ts'
import { mapReferences } from './references.ts'

/** Options of `readOpenApi`. */
export interface ReadOptions {
  /**
   * Returns the text of a file, by its absolute path. It is called for the document and for each file that it refers to.
   *
   * @default reads the file as UTF-8
   */
  readonly readText?: (path: string) => Promise<string>
  /**
   * The folder that has all files of the document, relative to the working directory. No reference, and no symbolic link, leads out of it.
   * Give it for a document that is not your own.
   *
   * @default files are read wherever they are
   */
  readonly root?: string
}

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way)
}

/** A path without symbolic links. One of no file stays: another reader may have it. */
const findRealPath = (path: string): Promise<string> => realpath(path).catch(() => path)

/** The member of a document that has the files that it refers to, by their paths. */
const filesKey = 'x-files'

/** A path of a reference without its percent-encoding. One that is not encoded is the name of a file as it is. */
function decodePath(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** The files of one document. */
class FileReader {
  private readonly root: string
  private readonly readText: (path: string) => Promise<string>
  /** The folder that no file is outside of; undefined: any. */
  private readonly folder: string | undefined
  /** The contents of files by their absolute paths. */
  private readonly files = new Map<string, unknown>()

  constructor(root: string, readText: (path: string) => Promise<string>, folder: string | undefined) {
    this.root = root
    this.readText = readText
    this.folder = folder
  }

  private async isReadable(path: string): Promise<boolean> {
    const { folder } = this
    if (folder === undefined) return true
    return isInside(path, folder) && isInside(await findRealPath(path), await findRealPath(folder))
  }

  async read(path: string): Promise<unknown> {
    if (!(await this.isReadable(path))) throw new TypeError(messages.unreadableFile(this.show(path), messages.outsideOfRoot()))
    let text: string
    try {
      text = await this.readText(path)
    } catch (error) {
      throw new TypeError(messages.unreadableFile(this.show(path), (error as NodeJS.ErrnoException).code ?? (error as Error).message), {
        cause: error,
      })
    }
    return parseText(text, this.show(path))
  }

  /** A path as messages show it. */
  show(path: string): string {
    return relative(process.cwd(), path).replaceAll('\\', '/') || path
  }

  /** The name of a file in the document. */
  private nameOf(path: string): string {
    return relative(dirname(this.root), path).replaceAll('\\', '/')
  }

  /** A reference as one within the document. Those to URLs stay. */
  private toLocal(reference: string, from: string): { readonly local: string; readonly path: string | undefined } {
    const [address = '', fragment = ''] = reference.split('#', 2)
    if (/^[a-z][a-z0-9+.-]+:/i.test(address)) return { local: reference, path: undefined }
    const path = address === '' ? from : resolve(dirname(from), decodePath(address))
    if (path === this.root) return { local: `#${fragment}`, path: undefined }
    // Pointers of references are percent-encoded.
    return { local: `#/${filesKey}${encodeURI(encodePointerStep(this.nameOf(path)))}${fragment}`, path }
  }

  /** The content of a file with its references within the document, and all files that it refers to. */
  async bundle(path: string, content: unknown): Promise<unknown> {
    const found: (readonly [path: string, reference: string, pointer: string])[] = []
    const changed = mapReferences(content, (reference, pointer) => {
      const { local, path: target } = this.toLocal(reference, path)
      if (target !== undefined && target !== path) found.push([target, reference, pointer])
      return local
    })
    for (const [target, reference, pointer] of found) {
      if (this.files.has(target)) continue
      this.files.set(target, undefined)
      let read: unknown
      try {
        read = await this.read(target)
      } catch (error) {
        throw new TypeError(messages.unknownTarget(this.show(path), pointer, reference, (error as Error).message), { cause: error })
      }
      this.files.set(target, await this.bundle(target, read))
    }
    return changed
  }

  list(): JsonObject {
    return Object.fromEntries([...this.files].map(([path, content]) => [this.nameOf(path), content]))
  }
}

/** The paths of Swagger 2.0 in place of references to them: the converter reads no other file. */
function inlinePaths(document: JsonObject, files: JsonObject): JsonObject {
  if (document['swagger'] === undefined || !isJsonObject(document['paths'])) return document
  const inline = (item: unknown): unknown => {
    const name = isJsonObject(item) ? /^#\/x-files\/([^/]+)$/.exec(String(item['$ref']))?.[1] : undefined
    return name === undefined ? item : files[decodePointerStep(decodeURI(name))]
  }
  return { ...document, paths: Object.fromEntries(Object.entries(document['paths']).map(([path, item]) => [path, inline(item)])) }
}

/**
 * Reads an OpenAPI document in JSON or YAML. Files that it refers to are read as well: their contents stand in its member `x-files`, and its
 * references lead there. References to URLs stay as they are.
 *
 * @param path of the file, relative to the working directory
 * @returns the document, for `fromOpenApi`
 * @throws TypeError that names the file, the line and the column for what cannot be read, and the place of a reference to no file, or to one
 *   outside of `root`
 * @example
 * ```ts
 * import { fromOpenApi, readOpenApi } from '@lapidary/openapi'
 *
 * const { api, limits } = fromOpenApi(await readOpenApi('openapi.yaml'))
 * ```
 */
export async function readOpenApi(
  path: string,
  { readText = (file) => readFile(file, 'utf8'), root: folder }: ReadOptions = {},
): Promise<JsonObject> {
  const root = resolve(path)
  const reader = new FileReader(root, readText, folder === undefined ? undefined : resolve(folder))
  const content = await reader.read(root)
  if (!isJsonObject(content)) throw new TypeError(messages.malformedFile(reader.show(root), 1, 1, messages.noDocument(content)))
  const document = (await reader.bundle(root, content)) as JsonObject
  const files = reader.list()
  return Object.keys(files).length === 0 ? document : { ...inlinePaths(document, files), [filesKey]: files }
}

/** Whether a file can be an OpenAPI document, by its extension. */
export const isDocumentPath = (path: string): boolean => ['.json', '.yaml', '.yml'].includes(extname(path).toLowerCase())
