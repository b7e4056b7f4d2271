/** The bundle of a client is small, and imports nothing of Node. */
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

// 0.2 KB of it send a body while it is made, 0.2 KB copy small chunks together, 25 bytes read a part of a file.
test('a client has at most 8,320 bytes, and imports nothing of Node', async () => {
  const text = await bundle(`export { client } from 'lapidary/client'`)
  told('a client', zipped(text))
  expect(zipped(text)).toBeLessThanOrEqual(8_320)
  // esbuild leaves an import that it cannot resolve, and names of node's modules in what requires them.
  expect(text).not.toMatch(/\bnode:|\brequire\b|\bBuffer\b|\bprocess\b|^import\b/m)
})

// 0.8 KB of it are what `endpoint` says of a wrong definition, 0.5 KB the options of `int` and `text`, 0.5 KB the
// retries of idempotent calls, 2.3 KB what reads and writes a parameter that a schema describes.
test('an app of three endpoints with its client has at most 19,264 bytes', async () => {
  const text = await bundle(app)
  told('an API of three endpoints, and its client', zipped(text))
  expect(zipped(text)).toBeLessThanOrEqual(19_264)
  expect(text).not.toMatch(/\bnode:|\brequire\b|\bBuffer\b|\bprocess\b|^import\b/m)
})

test('a client contains nothing that only a server needs', async () => {
  const text = await bundle(app)
  // A sentence of the server, one of the router, and one of the documentation.
  for (const sentence of ['has no handler', 'both answer', 'is offered here']) expect(text).not.toContain(sentence)
})
