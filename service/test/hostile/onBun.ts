/** A server for the corpus that Bun runs. It prints its URL. */
import { bearer, endpoint, json, list, ok, optional, text } from 'lapidary'
import { listen } from 'lapidary/bun'
import { authenticate, serve } from 'lapidary/server'
import { z } from 'zod'

const hostile = bearer<true>('hostile')
const User = z.object({ name: z.string(), age: z.int() })

const api = {
  live: endpoint('GET /health/live', { response: ok(z.object({ status: z.string() })) }),
  hello: endpoint('GET /hello', { query: { name: optional(text) }, response: ok(z.object({ msg: z.string() })) }),
  albert: endpoint('GET /albert', { response: ok(User) }),
  users: endpoint('GET /users', { response: ok(list(User)) }),
  addUser: endpoint('POST /users', { body: User, response: ok(User) }),
  secret: endpoint('POST /secret', { auth: hostile, body: json, response: ok(json) }),
  echoText: endpoint('POST /echo/text', { body: text, response: ok(text) }),
  echoJson: endpoint('POST /echo/json', { body: json, response: ok(json) }),
}

const albert = { name: 'Albert', age: 76 }
const served = serve(
  api,
  {
    live: () => ({ status: 'up' }),
    hello: ({ query }) => ({ msg: `Hello, ${query.name ?? 'anonymous coward'}` }),
    albert: () => albert,
    // Slow, as what reads a database is.
    users: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return [albert]
    },
    addUser: ({ body }) => body,
    secret: ({ body }) => body,
    echoText: ({ body }) => body,
    echoJson: ({ body }) => body,
  },
  {
    auth: [authenticate(hostile, (token) => (token === 'token-of-hostile' ? true : undefined))],
    onError: (error) => process.stderr.write(`unexpected: ${String(error)}\n`),
  },
)

const { port } = await listen(served)
process.stdout.write(`${port}\n`)
