/** Handlers of the HTML pages and their assets. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Handlers } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import type { main } from '../api.ts'

/** The folder of what `scripts/pages.mjs` builds. The path is the same from `src` and from `dist`. */
const builtFolder = fileURLToPath(new URL('../../dist', import.meta.url))

/** The pages have not been built. The message is one line for the operator. */
class MissingAssetError extends Error {
  override readonly name = 'MissingAssetError'

  constructor(path: string) {
    super(`The pages have not been built: there is no ${path}. Run "npm run setup".`)
  }
}

/** @throws MissingAssetError */
export function pageHandlers(folder: string = builtFolder): Handlers<typeof main>['pages'] {
  const readPage = (name: string): string => {
    const path = join(folder, 'pages', name)
    if (!existsSync(path)) throw new MissingAssetError(path)
    return readFileSync(path, 'utf8')
  }
  const start = readPage('start.html')
  const docs = readPage('docs.html')
  const assets = join(folder, 'assets')
  return { start: () => start, docs: () => docs, icon: serveStatic(assets, { index: 'icon.svg' }), assets: serveStatic(assets) }
}
