/** The pages for people, and what they are made of. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { main } from '../api.ts'
import type { Sources } from '../pages/docs.ts'
import { NotBuilt } from '../pages/notBuilt.ts'
import type { Places } from '../pages/start.ts'

/** Where they are built, seen from the sources and from what is built of them alike. */
const built = fileURLToPath(new URL('../../dist/assets', import.meta.url))

/** What the pages name. */
const assets = ['icon.svg', 'start.css', 'start.js', 'docs.css', 'docs.js']

/** @throws NotBuilt */
export function pages(folder: string = built): Handlers<typeof main>['pages'] {
  const missing = assets.map((name) => join(folder, name)).find((path) => !existsSync(path))
  if (missing !== undefined) throw new NotBuilt(missing)
  const openapi = link(main.openapi)
  const sources: Sources = { start: link(main.pages.start), openapi }
  const places: Places = {
    docs: link(main.pages.docs),
    openapi,
    persons: link(main.persons),
    ready: link(main.health.ready),
    colors: link(main.colors),
  }
  return { start: () => places, docs: () => sources, icon: serveStatic(folder, { index: 'icon.svg' }), assets: serveStatic(folder) }
}
