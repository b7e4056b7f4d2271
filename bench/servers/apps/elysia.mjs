/** The API in Elysia with its own schemas, for node:http and for Bun. */
import { Elysia, t } from 'elysia'
import { email, greeting, hundred, many, thousand } from '../data.mjs'
import { pageOf } from '../pages.mjs'

const ClientInfo = t.Object({
  clientName: t.String(),
  clientEmail: t.String(),
  clientAge: t.Integer(),
  clientInterestedIn: t.Array(t.String()),
})

/**
 * @param {import('../data.mjs').Store} rows
 * @param {ConstructorParameters<typeof Elysia>[0]} [options]
 */
export const app = (rows, options) =>
  new Elysia(options)
    // The default is 422. The other servers answer 400.
    .onError(({ code, error, status }) => (code === 'VALIDATION' ? status(400, error.message) : undefined))
    .get('/hello', ({ query }) => greeting(query.name), { query: t.Object({ name: t.Optional(t.String()) }) })
    .get('/position/:x/:y', ({ params }) => ({ xCoord: params.x, yCoord: params.y }), {
      params: t.Object({ x: t.Integer(), y: t.Integer() }),
    })
    .post('/marketing', ({ body }) => email(body), { body: ClientInfo })
    .get('/hundred', () => hundred)
    .get('/thousand', () => thousand)
    .get('/stored', () => rows.users())
    .get(
      '/colors',
      ({ query, set }) => {
        const { items, headers } = pageOf(rows, query.after)
        Object.assign(set.headers, headers)
        return items
      },
      { query: t.Object({ after: t.String() }) },
    )
    .get('/stream', async function* ({ set }) {
      set.headers['content-type'] = 'application/x-ndjson'
      for await (const user of many()) yield `${JSON.stringify(user)}\n`
    })
