/** The errors that several resources have in common. */
import { described, int, reply, text } from 'lapidary'

const headers = { 'Retry-After': described(int, 'In how many seconds another attempt is worth making.', 1) }

/** Of whatever reads the database, or writes to it. */
export const unavailable = reply(503, undefined, { headers, description: 'The database is not available right now.' })

/** Of whether the service can answer. */
export const notReady = reply(503, undefined, {
  headers,
  description: 'The database is not available right now, or the service is shutting down.',
})

/** Of what is never available. */
export const apology = reply(503, text, { headers, description: 'Always. The text is a short apology.' })

/** Of a guess too many at the credentials of an account. */
export const tooManyAttempts = reply(429, undefined, {
  headers,
  description: 'Ten attempts have failed within a minute from this address, or for this name from this address.',
})

/** Of a user that is not there. */
export const noSuchUser = reply(404, undefined, { description: 'There is no such user.' })

/** Of a product that is not there. */
export const noSuchProduct = reply(404, undefined, { description: 'There is no such product.' })
