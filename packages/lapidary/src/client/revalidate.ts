/** Asks again for what a client has, and gets it only where it is no longer the same. */

import type { EtagHeader } from '../contract/etag.ts'
import { isHttpError } from '../http/httpError.ts'

/**
 * What was got before where that is what is still there, and what has taken its place where it is not:
 * `const now = await revalidated(user, (headers) => call.users.item({ params: { id: 1 }, headers }))`. Where nothing has changed, `now === user`.
 *
 * @throws what the call throws, NotModified apart.
 */
export async function revalidate<Got extends { readonly headers: EtagHeader }>(
  known: Got,
  again: (headers: { readonly 'If-None-Match': string }) => Promise<Got>,
): Promise<Got> {
  try {
    return await again({ 'If-None-Match': known.headers.ETag })
  } catch (error) {
    if (isHttpError(error, 304)) return known
    throw error
  }
}
