/** Handlers of the HTML pages and their assets. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentationPage } from '@lapidary/docs-page'
import type { OpenApiDocument } from 'lapidary/openapi'
import type { Handlers } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { main } from '../api.ts'

/** The folder of what `scripts/pages.mjs` builds. The path is the same from `src` and from `dist`. */
const builtFolder = fileURLToPath(new URL('../../dist', import.meta.url))

/** The pages have not been built. The message is one line for the operator. */
class MissingAssetError extends Error {
  override readonly name = 'MissingAssetError'

  constructor(path: string) {
    super(`The pages have not been built: there is no ${path}. Run "npm run setup".`)
  }
}

/**
 * @param document the OpenAPI document, which the documentation page shows
 * @throws MissingAssetError
 */
export function pageHandlers(document: () => Promise<OpenApiDocument>, folder: string = builtFolder): Handlers<typeof main>['pages'] {
  const readPage = (name: string): string => {
    const path = join(folder, 'pages', name)
    if (!existsSync(path)) throw new MissingAssetError(path)
    return readFileSync(path, 'utf8')
  }
  const start = readPage('start.html')
  const assets = join(folder, 'assets')
  return {
    start: () => start,
    docs: documentationPage(main, {
      title: 'Documentation of the example service',
      document,
      icon: '/assets/icon.svg',
      home: { name: 'Lapidary', url: '/' },
    }),
    icon: serveStatic(assets, { index: 'icon.svg' }),
    assets: serveStatic(assets),
  }
}
