/** `revalidate(known, call)`: fetches a resource again only if it has changed. */
import type { EtagHeader } from '../contract/etag.ts'
import { isHttpError } from '../http/httpError.ts'

/**
 * Fetches a resource again, unless it has not changed since `known`.
 *
 * @param known the response of an earlier call
 * @param call the same call, with the given headers
 * @returns `known` itself if nothing has changed, else the new response
 * @throws the errors of the call, except 304.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { client, revalidate } from 'lapidary/client'
 *
 * const api = { hello: endpoint('GET /hello', { etag: true, response: ok(text) }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * const first = await call.hello()
 * const latest = await revalidate(first, (headers) => call.hello({ headers }))
 * console.log(latest === first)
 * ```
 */
export async function revalidate<Got extends { readonly headers: EtagHeader }>(
  known: Got,
  call: (headers: { readonly 'If-None-Match': string }) => Promise<Got>,
): Promise<Got> {
  try {
    return await call({ 'If-None-Match': known.headers.ETag })
  } catch (error) {
    if (isHttpError(error, 304)) return known
    throw error
  }
}
