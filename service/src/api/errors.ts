/** Error responses that several endpoints declare. */
import { int, reply, text } from 'lapidary'

const retryAfterHeader = { 'Retry-After': int({ description: 'In how many seconds another attempt is worth making.', examples: [1] }) }

/** For every endpoint that uses the database. */
export const unavailable = reply(503, undefined, { headers: retryAfterHeader, description: 'The database is not available right now.' })

/** For the endpoint that always fails. */
export const apology = reply(503, text, { headers: retryAfterHeader, description: 'Always. The text is a short apology.' })

/** For endpoints that check passwords. */
export const tooManyAttempts = reply(429, undefined, {
  headers: retryAfterHeader,
  description: 'Ten attempts have failed within a minute from this address, or for this name from this address.',
})

export const noSuchUser = reply(404, undefined, { description: 'There is no such user.' })

export const noSuchProduct = reply(404, undefined, { description: 'There is no such product.' })
