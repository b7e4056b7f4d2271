/** `serveStatic(root)`: a kernel that answers with the files under a folder, ready to be mounted. */

import { resolve } from 'node:path'
import mime from 'mime'
import { type ByteRange, parseByteRange } from '../http/byteRange.ts'
import { errors } from '../http/errors.ts'
import { createContentTypeHeaders } from '../http/headerFields.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { evaluatePreconditions, isRangeApplicable, type Validators } from '../http/preconditions.ts'
import * as complaint from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { streamFileRange } from './fileBytes.ts'
import { type OpenFile, openFile } from './openFile.ts'

// The media type of a file, by its extension.

/** XML, SVG among it, names its encoding itself. */
const textMediaTypePattern = /^text\/(?!xml)|^application\/(?:javascript|json)$/

/** `text/html;charset=utf-8` for `index.html`; `application/octet-stream` for an extension that nobody knows, or none. */
export function getFileMediaType(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream'
  return textMediaTypePattern.test(type) ? `${type};charset=utf-8` : type
}

/** How `serveStatic` answers. */
export interface ServeStaticOptions {
  /** The file that stands for its folder. Default: `index.html`. */
  readonly index?: string
  /** The `Cache-Control` of every file. Default: `public, max-age=0`, so that a copy is used only after asking whether it is still good. */
  readonly cacheControl?: string
  /** Further headers of every file, such as a `Content-Security-Policy`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What to say about a file, and which of its bytes to send: none where the answer has no body. */
interface FileResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly range?: ByteRange
}

function describeFileResponse(header: HttpRequest['header'], { name, stats }: OpenFile, constant: readonly string[]): FileResponse {
  const size = Number(stats.size)
  const validators: Validators = {
    etag: `"${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}"`,
    modified: Math.floor(Number(stats.mtimeMs) / 1000),
  }
  const common = [
    ...['ETag', validators.etag],
    // Never in the future, whatever the file system says (RFC 9110 §8.8.2.1).
    ...['Last-Modified', new Date(Math.min(validators.modified * 1000, Date.now())).toUTCString()],
    ...constant,
  ]
  const verdict = evaluatePreconditions(header, validators)
  if (verdict === 'unchanged') return { status: 304, headers: common }
  if (verdict === 'failed') return { status: 412, headers: [...common, 'Content-Length', '0'] }

  const asked = isRangeApplicable(header, validators) ? parseByteRange(header('range'), size) : 'whole'
  if (asked === 'unsatisfiable') return { status: 416, headers: [...common, 'Content-Range', `bytes */${size}`, 'Content-Length', '0'] }

  const type = createContentTypeHeaders(getFileMediaType(name))
  if (asked === 'whole') {
    return { status: 200, headers: [...type, 'Content-Length', `${size}`, ...common], range: { start: 0, length: size } }
  }
  const contentRange = `bytes ${asked.start}-${asked.start + asked.length - 1}/${size}`
  return { status: 206, headers: [...type, 'Content-Length', `${asked.length}`, 'Content-Range', contentRange, ...common], range: asked }
}

/**
 * Answers every method as a GET of the file that the target names under `root`, HEAD without the body.
 *
 * Media type by extension, `ETag`, `Last-Modified`, conditional requests (304, 412) and one byte range (206, 416). A folder answers with
 * its `index.html`. Everything else - dot-files, paths and links that lead out, what is not a regular file - is one and the same 404.
 * The folder is looked up again for each request: it may appear, move or be replaced while the server runs. A relative `root` starts at the
 * working directory of the moment when `serveStatic` is called.
 *
 * The body is a stream with its `Content-Length`; it throws when the file becomes shorter while it is sent. Whoever does not walk it to its
 * end calls its `return()`, or lets `incoming.signal` fire, to close the file.
 *
 * @throws {TypeError} when `root` is empty.
 * @throws {HttpError} 404, from the kernel.
 */
export function serveStatic(root: string, options: ServeStaticOptions = {}): HttpHandler {
  if (root === '') throw new TypeError(complaint.missingStaticRoot())
  const { index = 'index.html', cacheControl = 'public, max-age=0', headers: further = {} } = options
  const constant = ['Cache-Control', cacheControl, 'Accept-Ranges', 'bytes', ...Object.entries(further).flat()]
  const folder = resolve(root)

  return async (incoming: HttpRequest): Promise<HttpResponse> => {
    const file = await openFile(folder, incoming.target, index)
    if (file === undefined) throw errors.notFound({ detail: problemDetail.noSuchFile() })
    let sending = false
    try {
      const { status, headers, range } = describeFileResponse((name) => incoming.header(name), file, constant)
      if (range === undefined || incoming.method === 'HEAD') return { status, headers, body: null }
      const body = streamFileRange(file.handle, range, incoming.signal)
      sending = true
      return { status, headers, body }
    } finally {
      if (!sending) await file.handle.close()
    }
  }
}
