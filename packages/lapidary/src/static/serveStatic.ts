/** Serves the files of a folder, with their media types, validators and byte ranges. */
import { resolve } from 'node:path'
import { toolkitErrors } from '../http/errors.ts'
import { respondWithFile } from '../http/fileResponse.ts'
import { createContentTypeHeaders, isHeaderName, isHeaderValue } from '../http/headerFields.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { getFileMediaType, openFile, toRepresentation } from './openFile.ts'

/** Options of `serveStatic`. */
export interface ServeStaticOptions {
  /**
   * The file that is served for its folder.
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
 * `Last-Modified`; conditional requests (304, 412) and a single byte range (206, 416) are supported. Everything that is not a regular file
 * inside the folder gets the same 404. This includes dot-files, and paths and links that lead out of the folder. The folder is resolved for
 * each request, so it may appear, move or be replaced while the server runs.
 *
 * @param root a relative path starts at the working directory at the time of the call
 * @returns a handler that throws HttpError 404; middleware that does not read the body of a response to its end has to call its `return()`
 * @throws TypeError for an empty root, and for a header that cannot be sent
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
  for (const [name, value] of Object.entries({ 'Cache-Control': cacheControl, ...furtherHeaders }))
    if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(developerErrors.unsendableConstant('serveStatic()', name, value))
  const folder = resolve(root)

  return async (request: HttpRequest): Promise<HttpResponse> => {
    const file = await openFile(folder, request.target, index)
    if (file === undefined) throw toolkitErrors.notFound({ detail: problemDetail.noSuchFile() })
    return respondWithFile(request, toRepresentation(file), true, ({ status, headers, range }) => ({
      status,
      headers: [
        ...(range === undefined ? [] : createContentTypeHeaders(getFileMediaType(file.name))),
        ...headers,
        ...constantHeaders,
        ...(status === 412 || status === 416 ? ['Content-Length', '0'] : []),
      ],
    }))
  }
}
