/** Asks again for what a client has, and gets it only where it is no longer the same. */
import { NotModified } from '../http/httpError.js'
/**
 * What was got before where that is what is still there, and what has taken its place where it is not:
 * `const now = await revalidated(user, (headers) => call.users.item({ params: { id: 1 }, headers }))`. Where nothing has changed, `now === user`.
 *
 * @throws what the call throws, NotModified apart.
 */
export async function revalidate(known, again) {
  try {
    return await again({ 'If-None-Match': known.headers.ETag })
  } catch (error) {
    if (error instanceof NotModified) return known
    throw error
  }
}
