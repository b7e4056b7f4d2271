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

/** The sources of what others import of a package: `packages/lapidary/src/client.ts`. The entry points for the other packages here are left out. */
export function listEntrySources(folder) {
  const { exports = {} } = JSON.parse(readManifestText(folder))
  return Object.values(exports)
    .map(({ types }) => types.replace(/^\.\/dist\/(.*)\.d\.ts$/, `${folder}/src/$1.ts`))
    .filter((path) => !/\/internal(?:-node)?\.ts$/.test(path))
}

/** The folders of the packages that are published: each after those that it depends on. */
export function listPublishedFolders() {
  const manifests = listWorkspaceFolders().map((folder) => ({ folder, ...JSON.parse(readManifestText(folder)) }))
  const byName = new Map(manifests.filter((manifest) => manifest.private !== true).map((manifest) => [manifest.name, manifest]))
  const ordered = new Set()
  const add = ({ name, folder, dependencies, peerDependencies }) => {
    for (const other of Object.keys({ ...dependencies, ...peerDependencies }).sort())
      if (byName.has(other) && other !== name) add(byName.get(other))
    ordered.add(folder)
  }
  for (const manifest of byName.values()) add(manifest)
  return [...ordered]
}
