// Finds the examples that are started on their own, as npm projects.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readManifestText } from './workspaces.mjs'

const folder = fileURLToPath(new URL('../examples', import.meta.url))

/** The page, which `npm run conformance -- --only pages` builds and opens. */
const pages = ['react']

/** The names of the folders in `examples` that npm starts as servers. */
export const listExamples = () =>
  readdirSync(folder).filter(
    (name) =>
      !pages.includes(name) &&
      existsSync(join(folder, name, 'package.json')) &&
      JSON.parse(readManifestText(`examples/${name}`)).scripts?.start,
  )
