/** The bundle of a module, as a page loads it, and its size. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Returns the code of a bundle. */
export async function bundlePage(contents: string): Promise<string> {
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

/** The bytes of a text, gzipped. */
export const getGzipSize = (text: string): number => gzipSync(text, { level: 9 }).length

const speed = readFileSync(new URL('../../../../../docs/speed.md', import.meta.url), 'utf8')

/** The size in the row of a table of docs/speed.md, in KB. */
export const readStatedSize = (name: string): number => Number.parseFloat(speed.split(`\n| ${name} | `)[1] ?? '')
