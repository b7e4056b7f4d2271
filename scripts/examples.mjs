// Finds the examples that are started on their own, as npm projects.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readManifestText } from './workspaces.mjs'

const folder = fileURLToPath(new URL('../examples', import.meta.url))

/** The names of the folders in `examples` whose manifest has a script `start`. What has a lock file of its own has a check of its own. */
export const listExamples = () =>
  readdirSync(folder).filter(
    (name) =>
      existsSync(join(folder, name, 'package.json')) &&
      !existsSync(join(folder, name, 'package-lock.json')) &&
      JSON.parse(readManifestText(`examples/${name}`)).scripts?.start,
  )
