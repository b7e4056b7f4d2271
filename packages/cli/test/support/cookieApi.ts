/** An API that takes a cookie or a token, for the command line; and one that takes the cookie alone. */
import { apiKey, bearer, either, endpoint, ok, text } from 'lapidary'

const session = apiKey<string>({ in: 'cookie', name: 'session' })

export const api = { mine: endpoint('GET /mine', { auth: either(session, bearer<string>('robots')), response: ok(text) }) }

export const cookies = { mine: endpoint('GET /mine', { auth: session, response: ok(text) }) }
