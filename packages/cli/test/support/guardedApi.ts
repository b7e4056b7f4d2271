/** An API whose scheme takes credentials that are no text, for the command line. */
import { authScheme, endpoint, ok, text } from 'lapidary'

/** What it is shown by. */
export interface Session {
  readonly id: string
  readonly key: string
}

const session = authScheme<string, Session>({
  name: 'session',
  challenge: 'Session realm="session"',
  credentials: (header) => {
    const [id = '', key] = (header('x-session') ?? '').split(':')
    return key === undefined ? undefined : { id, key }
  },
  headers: ({ id, key }) => ({ 'X-Session': `${id.trim()}:${key.trim()}` }),
  example: { id: '1', key: 'opal' },
  openapi: { type: 'apiKey', in: 'header', name: 'X-Session' },
})

/** One endpoint, guarded. */
export const api = { vault: endpoint('GET /vault', { auth: session, response: ok(text) }) }
