/** A project that uses the packages: npm installs them from their tarballs, with the libraries that they are used with. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.mjs'
import { here, readManifest, root, toolkit } from './places.mjs'

/** What the project depends on besides the packages, in the versions of this repository. */
function listCompanions() {
  const versions = {
    ...readManifest(root).dependencies,
    ...readManifest(root).devDependencies,
    ...readManifest(toolkit).devDependencies,
    ...readManifest(join(root, 'packages/tanstack-query')).devDependencies,
    ...readManifest(join(root, 'packages/testing')).devDependencies,
    ...readManifest(join(root, 'packages/ts-rest')).devDependencies,
    ...readManifest(join(root, 'service')).optionalDependencies,
    ...readManifest(here).dependencies,
  }
  const names = [
    '@opentelemetry/api',
    '@photostructure/sqlite',
    '@tanstack/query-core',
    '@ts-rest/core',
    '@types/node',
    '@valibot/to-json-schema',
    'arktype',
    'kysely',
    'msw',
    'openapi-fetch',
    'valibot',
    'zod',
  ]
  return Object.fromEntries(names.map((name) => [name, versions[name]]))
}

/** @param {string} folder an empty one @param {readonly import('../scripts/pack.mjs').PackedPackage[]} packed */
export async function installConsumer(folder, packed) {
  // All of them are dependencies of the project, so that npm takes them from here where they depend on each other.
  const tarballs = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const manifest = { private: true, type: 'module', dependencies: { ...tarballs, ...listCompanions() } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const words = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await runCommand('npm', words, { cwd: folder })
  cpSync(join(here, 'projects'), folder, { recursive: true })
  cpSync(join(toolkit, 'test/support/sqliteDialect.ts'), join(folder, 'notes/sqliteDialect.ts'))
  // One API with every word of the language.
  for (const file of ['everything.ts', 'everythingApi.ts']) cpSync(join(toolkit, 'test/support', file), join(folder, 'app', file))
  return { folder }
}
