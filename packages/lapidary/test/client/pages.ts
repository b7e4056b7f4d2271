/** Pages whose bundles docs/speed.md compares. */

/** A page with a client of three endpoints, whose bodies are `Greeting` and `Item`. */
const page = (schemas: string): string => `
  import { endpoint, int, json, ok, optional, reply, text } from 'lapidary'
  import { client } from 'lapidary/client'
  ${schemas}
  const api = {
    hello: endpoint('GET /hello', { query: { name: optional(text) }, response: ok(Greeting) }),
    item: endpoint('GET /items/:id', { params: { id: int }, response: ok(Item), errors: [reply(404)] }),
    add: endpoint('POST /items', { body: Item, response: ok(Item) }),
  }
  export const call = client(api, 'http://items.test', { fetch: async () => Response.json({ name: 'opal', count: 1 }) })
`
const withoutSchemas = page('const Greeting = text, Item = json')

/** A page with the light client of routes that `lapidary routes --client` has written. */
const lightPage = (imports: string, routes: string): string => `
  import { client, ${imports} } from 'lapidary/light'
  const routes = ${routes}
  export const call = client(routes, 'http://items.test', { fetch: async () => Response.json({ name: 'opal', count: 1 }) })
`
/** The routes of the same three endpoints, with any schemas. `size.test.ts` writes them again. */
export const threeRoutes = `{
  hello: { route: 'GET /hello', query: { name: plain }, responses: [[200, json]] },
  item: { route: 'GET /items/:id', responses: [[200, json]], errors: [[404, none]] },
  add: { route: 'POST /items', body: json, responses: [[200, json]] },
}`

/** As the table of docs/speed.md names them. In each, an item is `{ name: string, count: integer }`, whose name is not empty. */
export const pages = {
  'the light client alone': `export { client } from 'lapidary/light'`,
  'the light client, with any schemas': lightPage('json, none, plain', threeRoutes),
  'the light client, with a stream of lines': lightPage('ndjson', `{ lines: { route: 'GET /lines', responses: [[200, ndjson]] } }`),
  'the light client, with server-sent events': lightPage('events', `{ news: { route: 'GET /news', responses: [[200, events(false)]] } }`),
  'the light client, with an upload': lightPage(
    'multipart, none, plain',
    `{ photo: { route: 'POST /photos', body: multipart({ title: plain, photo: plain }), responses: [[204, none]] } }`,
  ),
  'the client alone': `export { client } from 'lapidary/client'`,
  'bodies without schemas (`json`, `text`)': withoutSchemas,
  Valibot: page(`
    import { toStandardJsonSchema } from '@valibot/to-json-schema'
    import * as v from 'valibot'
    const Greeting = toStandardJsonSchema(v.object({ msg: v.string() }))
    const Item = toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(1)), count: v.pipe(v.number(), v.integer()) }))
  `),
  // As docs/cookbook/schemas.md shows.
  '`zod/mini`': page(`
    import * as z from 'zod/mini'
    const withJsonSchema = (schema) => ({
      '~standard': { ...schema['~standard'], jsonSchema: { input: () => z.toJSONSchema(schema, { io: 'input' }) } },
    })
    const Greeting = withJsonSchema(z.object({ msg: z.string() }))
    const Item = withJsonSchema(z.object({ name: z.string().check(z.minLength(1)), count: z.int() }))
  `),
  "zod, by `import * as z from 'zod'`": page(`
    import * as z from 'zod'
    const Greeting = z.object({ msg: z.string() })
    const Item = z.object({ name: z.string().min(1), count: z.int() })
  `),
  "zod, by `import { z } from 'zod'`": page(`
    import { z } from 'zod'
    const Greeting = z.object({ msg: z.string() })
    const Item = z.object({ name: z.string().min(1), count: z.int() })
  `),
  'these two schemas of zod, without Lapidary': `
    import { z } from 'zod'
    export const Greeting = z.object({ msg: z.string() })
    export const Item = z.object({ name: z.string().min(1), count: z.int() })
  `,
} as const
