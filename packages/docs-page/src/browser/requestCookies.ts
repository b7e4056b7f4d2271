/** The cookies of a request that the reader tries out: browsers let no script write the header `Cookie`. */

/** A request as Swagger UI sends it. */
interface TriedRequest {
  readonly url: string
  readonly headers: Record<string, string>
}

/** The names of the cookies that were set for requests, until these have their response. */
const names = new Set<string>()

/** Gives the browser the cookies of a request, which it then sends. Those that a server has set as `HttpOnly` stay as they are. */
export function setRequestCookies(request: TriedRequest): TriedRequest {
  const { Cookie: cookies, ...headers } = request.headers
  if (cookies === undefined || new URL(request.url, location.href).origin !== location.origin) return request
  for (const pair of cookies.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
    document.cookie = `${pair}; Path=/; SameSite=Strict`
    names.add(pair.slice(0, pair.indexOf('=')))
  }
  return { ...request, headers }
}

/** Removes the cookies again. */
export function removeRequestCookies<Response>(response: Response): Response {
  for (const name of names) {
    // biome-ignore lint/suspicious/noDocumentCookie: as above
    document.cookie = `${name}=; Path=/; SameSite=Strict; Max-Age=0`
  }
  names.clear()
  return response
}
