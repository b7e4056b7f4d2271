/** `sendFile(path)`: a file as the result of a handler whose endpoint declares a `download`. */
import type { FileSource } from '../http/fileResponse.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { findFile, guessMediaType, openFoundFile, toRepresentation } from './openFile.ts'

/** Options of `sendFile`. */
export interface SendFileOptions {
  /**
   * The folder that the path is below. Give it where a part of the path comes from a client: then a path that leads out of the folder, also
   * by a link, and one with a dot-file, names no file.
   *
   * @default none: the path is taken as it is
   */
  readonly root?: string
  /** The name that a client saves the file with, in `Content-Disposition`. @default none, so that a browser can show the file */
  readonly name?: string
  /** The media type, one of those that the endpoint declares. @default that of the extension */
  readonly type?: string
}

/**
 * Finds a file for the response. It is opened when the response is written, so that none stays open if the handler fails. A file that is
 * removed in between is answered with 404.
 *
 * @param path A relative one starts at the root, or at the working directory. It is not percent-encoded.
 * @returns undefined where there is no such file, or it may not be read: `(await sendFile(path)) ?? fail(404)`. In neither case does the
 * response contain the path.
 * @throws TypeError for a root that is empty or undefined. Also errors of the file system that the path does not cause, such as too many
 * open files
 * @example
 * ```ts
 * import { download, endpoint, ok, reply } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { sendFile } from 'lapidary/static'
 *
 * const api = { report: endpoint('GET /reports/:name', { response: ok(download('application/pdf')), errors: [reply(404)] }) }
 * const server = serve(api, {
 *   report: async ({ params: { name }, fail }) => (await sendFile(`${name}.pdf`, { root: 'reports', name: `${name}.pdf` })) ?? fail(404),
 * })
 * ```
 */
export async function sendFile(path: string, options: SendFileOptions = {}): Promise<FileSource | undefined> {
  const { root, name, type } = options
  if (name !== undefined && typeof name !== 'string') throw new TypeError(developerErrors.invalidFileName(name))
  // A root of an unset variable is none, and the path of a client would be taken as it is.
  if (Object.hasOwn(options, 'root') && (typeof root !== 'string' || root === ''))
    throw new TypeError(developerErrors.missingSendFileRoot(root))
  const found = await findFile(root, path)
  if (found === undefined) return undefined
  return Object.freeze({
    '~kind': 'file' as const,
    name,
    type: type ?? guessMediaType(found.name),
    open: async () => {
      const file = await openFoundFile(found)
      return file && toRepresentation(file)
    },
  })
}
