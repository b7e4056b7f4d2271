/** What a page loads with a client: as much as docs/speed.md says, and nothing of Node. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** The bundle of a module, as a page loads it. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return outputFiles.map(({ text }) => text).join('')
}

const zipped = (text: string): number => gzipSync(text, { level: 9 }).length

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

/** As the table of docs/speed.md names them. In each, an item is `{ name: string, count: integer }`, whose name is not empty. */
const pages = {
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

const speed = readFileSync(new URL('../../../../docs/speed.md', import.meta.url), 'utf8')
/** The size in the row of the table, in KB. */
const stated = (name: string): number => Number.parseFloat(speed.split(`\n| ${name} | `)[1] ?? '')

test.each(Object.entries(pages))('the size of %s is that of docs/speed.md', async (name, source) => {
  const text = await bundle(source)
  process.stdout.write(`${name}: ${zipped(text)} bytes, gzipped\n`)
  // Five percent are for the compression of other versions of Node, and for small changes.
  expect(Math.abs(zipped(text) / 1_000 / stated(name) - 1)).toBeLessThanOrEqual(0.05)
  // The page works.
  const page: { readonly call?: { readonly item: (input: object) => Promise<unknown> } } = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  )
  if (page.call !== undefined) expect(await page.call.item({ params: { id: 1 } })).toEqual({ name: 'opal', count: 1 })
})

test.each(['the client alone', 'bodies without schemas (`json`, `text`)'] as const)('%s: nothing of Node', async (name) => {
  // esbuild leaves an import that it cannot resolve, and names of node's modules in what requires them.
  expect(await bundle(pages[name])).not.toMatch(/\bnode:|\brequire\b|\bBuffer\b|\bprocess\b|^import\b/m)
})

test('the README has the same figures', () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')
  const [none, valibot, mini, zod] = Object.keys(pages)
    .filter((name) => !/alone|without Lapidary|\* as/.test(name))
    .map((name) => Math.round(stated(name)))
  expect(readme).toContain(`loads ${none} KB, gzipped; ${valibot} with Valibot, ${mini} with \`zod/mini\`, ${zod} with \`zod\``)
  expect(readme).toContain(`| ${zod} with zod, ${none} without schemas |`)
})

test('a client contains nothing that only a server needs', async () => {
  const text = await bundle(withoutSchemas)
  // A sentence of the server, one of the router, and one of the documentation.
  for (const sentence of ['has no handler', 'both answer', 'is offered here']) expect(text).not.toContain(sentence)
})
