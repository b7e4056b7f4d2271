/** What a page pays for a client: its bundle is small, and runs where there is no Node. */
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
const told = (what: string, bytes: number): boolean => process.stdout.write(`${what}: ${bytes} bytes, gzipped\n`)

const app = `
  import { endpoint, int, json, ok, optional, reply, text } from 'lapidary'
  import { client } from 'lapidary/client'

  const api = {
    hello: endpoint('GET /hello', { query: { name: optional(text) }, response: ok(text) }),
    item: endpoint('GET /items/:id', { params: { id: int }, response: ok(json), errors: [reply(404)] }),
    add: endpoint('POST /items', { body: json, response: ok(json) }),
  }
  export const call = client(api, location.origin)
`

test('a client is at most 6,656 bytes, and needs no Node', async () => {
  const text = await bundle(`export { client } from 'lapidary/client'`)
  told('a client', zipped(text))
  expect(zipped(text)).toBeLessThanOrEqual(6_656)
  // esbuild leaves an import that it cannot resolve, and names of node's modules in what requires them.
  expect(text).not.toMatch(/\bnode:|\brequire\b|\bBuffer\b|\bprocess\b|^import\b/m)
})

// 0.8 KB of it are what `endpoint` says of a wrong definition.
test('an app of three endpoints with its client is at most 13,824 bytes', async () => {
  const text = await bundle(app)
  told('an API of three endpoints, and its client', zipped(text))
  expect(zipped(text)).toBeLessThanOrEqual(13_824)
  expect(text).not.toMatch(/\bnode:|\brequire\b|\bBuffer\b|\bprocess\b|^import\b/m)
})

test('of what a client does not need, nothing is in it', async () => {
  const text = await bundle(app)
  // A sentence of the server, one of the router, and one of the documentation.
  for (const sentence of ['has no handler', 'both answer', 'is offered here']) expect(text).not.toContain(sentence)
})
