// Finds the packages of this repository by the workspaces of the root manifest.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The manifest of a folder, as its text. */
export const readManifestText = (folder) => readFileSync(join(root, folder, 'package.json'), 'utf8')

/** The folders of all packages but the root, with `/`. A workspace may end with `/*`. */
export const listWorkspaceFolders = () =>
  JSON.parse(readManifestText('.')).workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    const folders = readdirSync(join(root, parent)).map((name) => `${parent}/${name}`)
    return folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).sort()
  })

/** The folders of the packages that are published. */
export const listPublishedFolders = () => listWorkspaceFolders().filter((folder) => JSON.parse(readManifestText(folder)).private !== true)
