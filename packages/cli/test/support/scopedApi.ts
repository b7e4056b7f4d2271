/** An API whose tokens have scopes, and a server that looks at none of them, for the command line. */
import { bearer, endpoint, ok, text } from 'lapidary'
import { type ApiServer, authenticate, serve } from 'lapidary/server'

const robots = bearer<string, 'read' | 'write'>('robots')

export const api = {
  read: endpoint('GET /read', { auth: robots.scopes('read'), response: ok(text) }),
  write: endpoint('GET /write', { auth: robots.scopes('read', 'write'), response: ok(text) }),
}

/** Serves it. It takes the token `none` for a wrong one, and each other one for one with all scopes. */
export const scoped = (): ApiServer =>
  serve(
    api,
    { read: () => 'read', write: () => 'written' },
    {
      auth: [
        authenticate(robots, (token) => (/^(?:none|wrong-credentials)$/.test(token) ? undefined : token), {
          scopes: () => ['read', 'write'],
        }),
      ],
    },
  )
