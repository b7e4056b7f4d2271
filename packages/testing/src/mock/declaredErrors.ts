/** Errors of a mock as a document of another program declares them: it promises no problem details. */
import type { AnyEndpoint, AnyReply } from 'lapidary'
import { filterHeaders, getHeader, getJsonSchema, hasConventions, isPromise } from 'lapidary/internal'
import type { HttpHandler, HttpResponse } from 'lapidary/server'
import { hashWords } from './hash.ts'
import { createReplyResult } from './responses.ts'

/** The declared body of an error; undefined where it is problem details, or has no text. */
function writeDeclaredBody(route: string, reply: AnyReply): { readonly type: string; readonly body: string | Uint8Array } | undefined {
  const { content, status } = reply
  const [mediaType] = content?.media ?? []
  if (content === undefined || mediaType === undefined || mediaType.types[0].startsWith('application/problem+json')) return undefined
  const value = createReplyResult(route, { ...reply, headers: {} })(hashWords(route, status), {})
  const body = mediaType.writer(content.schema && getJsonSchema(content.schema))(value)
  return typeof body === 'string' || body instanceof Uint8Array ? { type: mediaType.types[0], body } : undefined
}

/** Lets the errors that the server of a mock sends by itself have the bodies that their endpoints declare, where no convention says otherwise. */
export function respondAsDeclared(handler: HttpHandler, endpoints: readonly AnyEndpoint[]): HttpHandler {
  const declared = new Map(
    endpoints
      .filter((endpoint) => !hasConventions(endpoint))
      .flatMap(({ route, errors }) => errors.map((error) => [`${error.status} ${route}`, { route, error }] as const)),
  )
  if (declared.size === 0) return handler
  const change = (response: HttpResponse): HttpResponse => {
    const found = declared.get(`${response.status} ${response.route}`)
    if (found === undefined || getHeader(response.headers, 'content-type') !== 'application/problem+json') return response
    const written = writeDeclaredBody(found.route, found.error)
    if (written === undefined) return response
    const headers = filterHeaders(response.headers, (name) => name.toLowerCase() !== 'content-type')
    return { ...response, headers: ['Content-Type', written.type, ...headers], body: written.body }
  }
  return (request) => {
    const response = handler(request)
    return isPromise(response) ? response.then(change) : change(response)
  }
}
