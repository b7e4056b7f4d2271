/** Makes the script of the page: the light client, its routes and the page itself, in one file. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const locate = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const bundlePage = () =>
  build({
    entryPoints: [locate('main.ts')],
    outfile: locate('../public/page.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  })
