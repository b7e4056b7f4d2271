/** What a page loads with a client of the packed packages, beside the figures of docs/speed.md. */
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { compare, stated } from '../budgets.mjs'

/** @type {{ pages: Readonly<Record<string, string>> }} */
const { pages } = await tsImport('../../packages/lapidary/test/client/pages.ts', import.meta.url)

/** In KB, as a page loads it. */
async function sizeOf(contents, resolveDir) {
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false }
  const { outputFiles } = await build({ stdin: { contents, loader: 'ts', resolveDir }, ...options })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ consumer }) {
  const { folder } = await consumer()
  const found = []
  for (const [name, source] of Object.entries(pages)) found.push(compare(name, await sizeOf(source, folder), stated(name)))
  return `KB of pages: ${found.join('; ')}`
}
