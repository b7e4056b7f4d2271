/** Serves the files of a folder, with their media types, validators and byte ranges. */
import { resolve } from 'node:path'
import mime from 'mime'
import { type ByteRange, parseByteRange } from '../http/byteRange.ts'
import { errors } from '../http/errors.ts'
import { createContentTypeHeaders } from '../http/headerFields.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { evaluatePreconditions, isRangeApplicable, type Validators } from '../http/preconditions.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { streamFileRange } from './fileBytes.ts'
import { type OpenFile, openFile } from './openFile.ts'

/** Options of `serveStatic`. */
export interface ServeStaticOptions {
  /**
   * The file that stands for its folder.
   *
   * @default 'index.html'
   */
  readonly index?: string
  /**
   * The `Cache-Control` of every file. The default lets clients keep a copy and makes them revalidate it before each use.
   *
   * @default 'public, max-age=0'
   */
  readonly cacheControl?: string
  /** Further headers of every file, such as a `Content-Security-Policy`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Serves the files below a folder.
 *
 * Every method is answered as GET, and HEAD without the body. Responses have a media type by the file's extension, `ETag` and
 * `Last-Modified`; conditional requests (304, 412) and a single byte range (206, 416) are supported. All that is not a regular file inside
 * the folder is the same 404: dot-files, and paths and links that lead out. The folder is resolved for each request, so it may appear, move
 * or be replaced while the server runs.
 *
 * @param root a relative path starts at the working directory at the time of the call
 * @returns a handler that throws HttpError 404; middleware that does not read the body of a response to its end has to call its `return()`
 * @throws TypeError for an empty root
 * @example
 * ```ts
 * import { mount } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { serveStatic } from 'lapidary/static'
 *
 * serve({ assets: mount('/assets') }, { assets: serveStatic('public', { cacheControl: 'public, max-age=3600' }) })
 * ```
 */
export function serveStatic(root: string, options: ServeStaticOptions = {}): HttpHandler {
  if (root === '') throw new TypeError(developerErrors.missingStaticRoot())
  const { index = 'index.html', cacheControl = 'public, max-age=0', headers: furtherHeaders = {} } = options
  const constantHeaders = ['Cache-Control', cacheControl, 'Accept-Ranges', 'bytes', ...Object.entries(furtherHeaders).flat()]
  const folder = resolve(root)

  return async (request: HttpRequest): Promise<HttpResponse> => {
    const file = await openFile(folder, request.target, index)
    if (file === undefined) throw errors.notFound({ detail: problemDetail.noSuchFile() })
    let isStreaming = false
    try {
      const { status, headers, range } = describeFileResponse((name) => request.header(name), file, constantHeaders)
      if (range === undefined || request.method === 'HEAD') return { status, headers, body: null }
      const body = streamFileRange(file.handle, range, request.signal)
      isStreaming = true
      return { status, headers, body }
    } finally {
      if (!isStreaming) await file.handle.close()
    }
  }
}

/** The status and headers of a response, and the range of the file that is its body, if it has one. */
interface FileResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly range?: ByteRange
}

function describeFileResponse(header: HttpRequest['header'], { name, stats }: OpenFile, constantHeaders: readonly string[]): FileResponse {
  const size = Number(stats.size)
  const validators: Validators = {
    etag: `"${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}"`,
    modified: Math.floor(Number(stats.mtimeMs) / 1000),
  }
  const common = [
    ...['ETag', validators.etag],
    // Must not be in the future, even if the file's time is (RFC 9110 §8.8.2.1).
    ...['Last-Modified', new Date(Math.min(validators.modified * 1000, Date.now())).toUTCString()],
    ...constantHeaders,
  ]
  const decision = evaluatePreconditions(header, validators)
  if (decision === 'unchanged') return { status: 304, headers: common }
  if (decision === 'failed') return { status: 412, headers: [...common, 'Content-Length', '0'] }

  const range = isRangeApplicable(header, validators) ? parseByteRange(header('range'), size) : 'whole'
  if (range === 'unsatisfiable') return { status: 416, headers: [...common, 'Content-Range', `bytes */${size}`, 'Content-Length', '0'] }

  const contentType = createContentTypeHeaders(getFileMediaType(name))
  if (range === 'whole') {
    return { status: 200, headers: [...contentType, 'Content-Length', `${size}`, ...common], range: { start: 0, length: size } }
  }
  const contentRange = `bytes ${range.start}-${range.start + range.length - 1}/${size}`
  return { status: 206, headers: [...contentType, 'Content-Length', `${range.length}`, 'Content-Range', contentRange, ...common], range }
}

/** Types of text that have no encoding of their own. XML, and so SVG, declares it in the file. */
const textMediaTypePattern = /^text\/(?!xml)|^application\/(?:javascript|json)$/

/** The media type for a file name, such as `text/html;charset=utf-8`; `application/octet-stream` for an unknown extension. */
function getFileMediaType(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream'
  return textMediaTypePattern.test(type) ? `${type};charset=utf-8` : type
}
