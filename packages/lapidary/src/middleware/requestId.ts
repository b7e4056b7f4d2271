/** `requestId()`: an id for each request, in its response and in reports of errors. */
import { checkFunctions } from '../http/functions.ts'
import { filterHeaders, isHeaderName, isHeaderNamed } from '../http/headerFields.ts'
import { type HttpResponse, isAlreadySent } from '../http/httpHandler.ts'
import { andThen, requireSync } from '../http/promises.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import type { Middleware } from './compose.ts'
import { checkMiddlewareOptions } from './options.ts'
import { withTraits } from './order.ts'

/** Where the id of a request comes from. */
export interface RequestIdOptions {
  /** The header of the request that may contain an id, and of the response that contains it. @default 'X-Request-Id' */
  readonly header?: string
  /** Creates an id for a request without a valid one. @default crypto.randomUUID */
  readonly generate?: () => string
}

/** Safe in a header, in a log line and in a support ticket. */
const validId = /^[A-Za-z0-9._-]{1,64}$/

const generateId = (): string => crypto.randomUUID()

/**
 * Gives each request an id: the one that its header `X-Request-Id` contains, else a new one. So a proxy in front can pass on the id that is
 * in its own log. An id has 1 to 64 letters, digits, dots, underscores and hyphens; any other value of the header is replaced.
 *
 * The id is `request.id`. The response contains it in the same header, a response with status 500 tells the client to quote it, and
 * `onError` receives it as `requestId`.
 *
 * @throws TypeError for a name that no header has.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { requestId } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: (_input, { id }) => `Hello from ${id}` }, { middleware: [requestId()] })
 * ```
 */
export function requestId(options: RequestIdOptions = {}): Middleware {
  checkMiddlewareOptions('requestId()', options, ['header', 'generate'])
  const { header = 'X-Request-Id', generate = generateId } = options
  checkFunctions('requestId()', { generate })
  if (!isHeaderName(header)) throw new TypeError(middlewareErrors.unsendableHeaderName('requestId(): header', header))
  const headerName = header.toLowerCase()
  const middleware: Middleware = (next) => (request) => {
    const given = request.header(headerName)
    const id = given !== undefined && validId.test(given) ? given : requireSync(generate(), 'The function "generate" of requestId()')
    const addId = (response: HttpResponse): HttpResponse => {
      if (isAlreadySent(response)) return response
      // A mounted proxy may have the id of another server.
      const others = filterHeaders(response.headers, (name) => !isHeaderNamed(name, headerName))
      return { ...response, headers: [...others, header, id] }
    }
    request.id = id
    return andThen(next(request), addId)
  }
  return withTraits('requestId', middleware)
}
