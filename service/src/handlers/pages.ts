/** Handlers of the HTML pages and their assets. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { main } from '../api.ts'
import { docsPage } from '../pages/docs.ts'
import { startPage } from '../pages/start.ts'

/** The folder of the built assets. The path is the same from `src` and from `dist`. */
const assetsFolder = fileURLToPath(new URL('../../dist/assets', import.meta.url))

/** The files that the pages refer to. */
const assetNames = ['icon.svg', 'start.css', 'start.js', 'docs.css', 'docs.js']

/** The assets have not been built. The message is one line for the operator. */
export class MissingAssetError extends Error {
  override readonly name = 'MissingAssetError'

  constructor(path: string) {
    super(`The pages have not been built: there is no ${path}. Run "npm run setup".`)
  }
}

/** @throws MissingAssetError */
export function pageHandlers(folder: string = assetsFolder): Handlers<typeof main>['pages'] {
  const missing = assetNames.map((name) => join(folder, name)).find((path) => !existsSync(path))
  if (missing !== undefined) throw new MissingAssetError(missing)
  const openapi = link(main.openapi)
  const start = startPage({
    docs: link(main.pages.docs),
    openapi,
    persons: link(main.persons),
    ready: link(main.health.ready),
    colors: link(main.colors),
  })
  const docs = docsPage({ start: link(main.pages.start), openapi })
  return { start: () => start, docs: () => docs, icon: serveStatic(folder, { index: 'icon.svg' }), assets: serveStatic(folder) }
}
