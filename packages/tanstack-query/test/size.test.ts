/** What the queries of a page load beside its client and TanStack Query: as much as docs/speed.md says, without schemas. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { threeRoutes } from '../../lapidary/test/client/pages.ts'

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

const client = `
  import { client, json, none, plain } from 'lapidary/light'
  const routes = ${threeRoutes}
  export const call = client(routes, 'http://items.test')
`

/** What a page uses, as the table of docs/speed.md names it. */
const pages = {
  '`queryOptions` and `mutationOptions`': `
    import { mutationOptions, queryOptions } from '@lapidary/tanstack-query'
    export const options = [queryOptions(call.item, { params: { id: 1 } }), mutationOptions(call.add)]
  `,
  'also `infiniteQueryOptions`': `
    import { infiniteQueryOptions, listItems, mutationOptions, queryOptions } from '@lapidary/tanstack-query'
    export const options = [infiniteQueryOptions(call.hello), queryOptions(call.item, { params: { id: 1 } }), mutationOptions(call.add), listItems]
  `,
} as const

test.each(Object.entries(pages))('%s: as much as docs/speed.md says', async (name, source) => {
  const before = await bundle(client)
  const page = await bundle(client + source)
  const size = zipped(page) - zipped(before)
  process.stdout.write(`${name}: ${size} bytes, gzipped\n`)
  const speed = readFileSync(new URL('../../../docs/speed.md', import.meta.url), 'utf8')
  const stated = Number.parseFloat(speed.split(`\n| ${name} | `)[1] ?? '')
  expect(Math.abs(size / 1_000 - stated)).toBeLessThanOrEqual(0.1)
  // Nothing of a schema library, of a validator or of TanStack Query itself, which the page has once.
  expect(page).not.toMatch(/_zod|~standard|additionalProperties|has no handler|skipToken|gcTime|setQueryDefaults/)
})
