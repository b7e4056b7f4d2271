/** What a page loads with a client: as much as docs/speed.md says, and nothing of Node. */
import { readFileSync } from 'node:fs'
import { endpoint, int, ok, optional, prefix, reply, text } from 'lapidary'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { printLightRoutes } from '../../../cli/src/lightRoutes.ts'
import { bundlePage, getGzipSize, readStatedSize } from '../support/client/bundlePage.ts'
import { pages, threeRoutes } from './pages.ts'

test.each(Object.entries(pages))('the size of %s is that of docs/speed.md', async (name, source) => {
  const text = await bundlePage(source)
  process.stdout.write(`${name}: ${getGzipSize(text)} bytes, gzipped\n`)
  // Five percent are for the compression of other versions of Node, and for small changes.
  expect(Math.abs(getGzipSize(text) / 1_000 / readStatedSize(name) - 1)).toBeLessThanOrEqual(0.05)
  // The page works.
  const page: { readonly call?: { readonly item?: (input: object) => Promise<unknown> } } = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  )
  if (page.call?.item !== undefined) expect(await page.call.item({ params: { id: 1 } })).toEqual({ name: 'opal', count: 1 })
})

const lightPages = Object.keys(pages).filter((name) => name.startsWith('the light client')) as (keyof typeof pages)[]

test('three endpoints with schemas of zod: 3 KiB, and their routes are those that the command writes', async () => {
  const Item = z.object({ name: z.string().min(1), count: z.int() })
  const api = {
    hello: endpoint('GET /hello', { query: { name: optional(text) }, response: ok(z.object({ msg: z.string() })) }),
    item: endpoint('GET /items/:id', { params: { id: int }, response: ok(Item), errors: [reply(404)] }),
    add: endpoint('POST /items', { body: Item, response: ok(Item) }),
    internal: prefix('/internal', { secret: endpoint('GET /secret', { response: ok(Item) }) }),
  }
  const routes = printLightRoutes(api, { except: ['internal'] })
  expect(routes).toContain(`export const routes = ${threeRoutes} as const\n`)
  expect(routes).toContain("import { json, none, plain } from 'lapidary/light'\n")
  const page = await bundlePage(pages['the light client, with any schemas'])
  expect(getGzipSize(page)).toBeLessThanOrEqual(3 * 1_024)
})

test.each(lightPages)('%s: no schema library, nothing of a server', async (name) => {
  const page = await bundlePage(pages[name])
  // Markers of zod, Valibot, ArkType and Standard Schema; of JSON Schema; of writers and routers.
  expect(page).not.toMatch(
    /_zod|~standard|~run|valibot|arktype|toJSONSchema|additionalProperties|prefixItems|new Function|has no handler|both answer|internal/,
  )
})

test.each([...lightPages, 'the client alone', 'bodies without schemas (`json`, `text`)'] as const)('%s: nothing of Node', async (name) => {
  // esbuild leaves an import that it cannot resolve, and names of node's modules in what requires them.
  expect(await bundlePage(pages[name])).not.toMatch(/\bnode:|\brequire\b|\bBuffer\b|\bprocess\b|^import\b/m)
})

test('the README has the same figures', () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')
  const [none, valibot, mini, zod] = Object.keys(pages)
    .filter((name) => !/alone|light|without Lapidary|\* as/.test(name))
    .map((name) => Math.round(readStatedSize(name)))
  const light = Math.round(readStatedSize('the light client, with any schemas'))
  expect(readme).toContain(`loads ${light} KB, gzipped, with any schemas;`)
  expect(readme).toContain(`it loads ${none} KB, ${valibot} with Valibot, ${mini} with \`zod/mini\`, ${zod} with \`zod\``)
  expect(readme).toContain(`| ${light} without checks, ${zod} with zod |`)
})

test('a client contains nothing that only a server needs', async () => {
  const text = await bundlePage(pages['bodies without schemas (`json`, `text`)'])
  // A sentence of the server, one of the router, and one of the documentation.
  for (const sentence of ['has no handler', 'both answer', 'An unexpected error occurred']) expect(text).not.toContain(sentence)
})
