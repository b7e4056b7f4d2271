/** `download`: a body that is a file, of which a client can get a part, and which it gets only if it has changed. */

import type { FileSource } from '../../http/fileResponse.ts'
import { checkOptions } from '../../http/functions.ts'
import { isMediaRange } from '../../http/mediaTypes.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { type Content, type Disposition, mediaType } from './mediaType.ts'

/** The value that a handler returns for a download. A `File` is saved with its name. */
export type DownloadSource = Blob | FileSource

/** Writes an example. The server sends a download by itself. */
function writeDownload(source: DownloadSource): Blob {
  if (source instanceof Blob) return source
  throw new TypeError(developerErrors.expectedDownload(source))
}

/** Options of `download`. */
interface DownloadOptions {
  /**
   * What browsers do with a file that has a name: `attachment`, they save it; `inline`, they show it if they can, and save it with this name.
   * Show no HTML and no SVG that others have uploaded: their scripts would run on your origin.
   *
   * @default attachment
   */
  readonly disposition?: Disposition
}

/**
 * A file, which a handler returns as a `Blob`, a `File`, or the result of `sendFile` of `lapidary/static`. A client gets a `Blob`.
 *
 * It is the usual response of a GET. The server sends its `Content-Length`, `ETag`, and `Content-Disposition` if the file has a name;
 * answers conditional requests (304, 412) and requests for a range (206, 416); and never has more than one chunk of a stored file in
 * memory. The `ETag` of a Blob is a digest of its bytes: if you return the same Blob again, the server computes the digest only once.
 *
 * If you declare several media types, or a range such as `image/*`, the file says which type it has: by the `type` of a Blob, or by the
 * option `type` of `sendFile`. The type can come from a database. A file of a type that is not declared is an error of the server. The Blob
 * of a client has the type that was sent.
 *
 * @param types the media types and ranges, the default one first. @default application/octet-stream. After them may stand options.
 * @example
 * ```ts
 * import { download, endpoint, ok, reply } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { sendFile } from 'lapidary/static'
 *
 * const api = { report: endpoint('GET /reports/:name', { response: ok(download('application/pdf')), errors: [reply(404)] }) }
 * const server = serve(api, {
 *   report: async ({ params, fail }) => (await sendFile(`${params.name}.pdf`, { root: 'reports' })) ?? fail(404),
 * })
 * ```
 */
export function download(...types: readonly string[]): Content<DownloadSource, Blob>
export function download(...typesAndOptions: readonly [...types: string[], options: DownloadOptions]): Content<DownloadSource, Blob>
export function download(...given: readonly (string | DownloadOptions)[]): Content<DownloadSource, Blob> {
  const [first = 'application/octet-stream', ...others] = given.filter((part) => typeof part === 'string')
  const options = given.find((part) => typeof part === 'object') ?? {}
  checkOptions('download()', options, 'disposition')
  const { disposition = 'attachment' } = options
  if (disposition !== 'attachment' && disposition !== 'inline') throw new TypeError(developerErrors.invalidDisposition(disposition))
  const wrong = [first, ...others].find((type) => type.startsWith('*/') && type !== '*/*')
  if (wrong !== undefined) throw new TypeError(developerErrors.invalidDownloadType(wrong))
  const media = [first, ...others].map((type) =>
    mediaType<DownloadSource>({
      types: [type],
      headers: { 'Accept-Ranges': 'bytes' },
      isResponseOnly: true,
      // A client has copied the bytes: they are not shared memory, though their type allows it.
      reader: () => (bytes, sent) => new Blob([bytes as Uint8Array<ArrayBuffer>], { type: isMediaRange(type) ? (sent ?? '') : type }),
      writer: () => writeDownload,
    }),
  )
  return Object.freeze({ schema: undefined, media: Object.freeze(media), isDownload: true as const, disposition })
}
