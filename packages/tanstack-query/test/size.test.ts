/** What the queries of a page load beside its client and TanStack Query: as much as docs/speed.md says, without schemas. */
import { expect, test } from 'vitest'
import { threeRoutes } from '../../lapidary/test/client/pages.ts'
import { bundlePage, getGzipSize, readStatedSize } from '../../lapidary/test/support/client/bundlePage.ts'

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
  const before = await bundlePage(client)
  const page = await bundlePage(client + source)
  const size = getGzipSize(page) - getGzipSize(before)
  process.stdout.write(`${name}: ${size} bytes, gzipped\n`)
  expect(Math.abs(size / 1_000 - readStatedSize(name))).toBeLessThanOrEqual(0.1)
  // Nothing of a schema library, of a validator or of TanStack Query itself, which the page has once.
  expect(page).not.toMatch(/_zod|~standard|additionalProperties|has no handler|skipToken|gcTime|setQueryDefaults/)
})
