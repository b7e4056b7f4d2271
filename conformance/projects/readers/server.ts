/** The server of the API, and its document as `/openapi.json`. It prints its URL. */
import { respond, withHeaders } from 'lapidary'
import { listen } from 'lapidary/node'
import { authenticate, serve } from 'lapidary/server'
import { api, machine, session, token } from './api.ts'

const findUser = (key: string) => (key === 'agate' ? { name: 'Ann' } : undefined)

const server = serve(
  api,
  {
    search: ({ query: { tags, page, filter, order } }) => ({ tags, page, owner: filter?.owner, sizes: filter?.sizes ?? [], by: order?.by }),
    add: ({ body, fail }) => {
      if (body.name === 'taken') return fail(409)
      if (body.name === 'later') return respond(202, { job: 1, name: body.name })
      if (body.name === 'there') return respond(303, withHeaders({ Location: '/stones?tags=there' }))
      return withHeaders({ id: 1, ...body }, { Location: '/stones/1' })
    },
    picture: async ({ body: { title, tags, picture, others } }) => ({
      title,
      tags: [...tags],
      bytes: picture.size,
      others: others.map(({ size }) => size),
    }),
    tags: () => withHeaders('two', { 'X-Tags': ['a', 'b'] }),
    theme: ({ cookies: { theme, visits = 0 } }) => withHeaders([theme, `${visits}`], { 'Set-Cookie': { theme } }),
  },
  {
    auth: [
      authenticate(session, findUser),
      authenticate(token, findUser),
      authenticate(machine, (key) => (key === 'lathe' ? { machine: key } : undefined)),
    ],
  },
)
const { url, close } = await listen(server, { port: Number(process.env['PORT'] ?? 0) })
process.stdout.write(`${url}\n`)
process.once('SIGTERM', () => void close())
