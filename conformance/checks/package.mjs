/** The packages hold their files and no others, and the linters of packages report nothing. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { runNode } from '../command.mjs'
import { findProgram, listEntryPoints, readManifest, root } from '../places.mjs'

/** What `npm install lapidary` brings along. */
const dependencies = {
  lapidary: ['@noble/hashes', 'mime'],
  '@lapidary/testing': ['fast-check', 'lapidary'],
  '@lapidary/llhttp': ['lapidary'],
  '@lapidary/docs-page': ['lapidary'],
  '@lapidary/tanstack-query': ['lapidary'],
  '@lapidary/openapi': ['@scalar/openapi-upgrader', 'lapidary', 're2js', 'yaml'],
  '@lapidary/cli': ['@lapidary/openapi', '@lapidary/testing', '@lapidary/ts-rest', 'commander', 'lapidary'],
  'create-lapidary': ['@clack/prompts', 'commander'],
  '@lapidary/ts-rest': ['lapidary'],
}

/** Each source with what is built from it, and what every package has. A build that is older than its sources holds more. */
function listExpectedFiles(files, { bin = {}, files: listed }) {
  const sources = files.filter((path) => path.startsWith('src/'))
  for (const path of sources) assert.match(path, /^src\/[\w/-]+(?<!\.(?:test|d))\.ts$/, `${path} is no source`)
  const built = sources.map((path) => path.replace(/^src(.*)\.ts$/, 'dist$1'))
  // Declarations that no entry point refers to are left out: the consumer compiles with all others.
  const declared = built.filter((path) => files.includes(`${path}.d.ts`))
  const results = [...built.map((path) => `${path}.js`), ...declared.flatMap((path) => [`${path}.d.ts`, `${path}.d.ts.map`])]
  // Templates are folders, and `test/templates.test.ts` of their package knows their files.
  const names = listed.filter((path) => !/^(?:!|bin$|dist$|src$)/.test(path))
  const others = files.filter((path) => names.some((name) => path === name || path.startsWith(`${name}/`)))
  return [...sources, ...results, ...others, ...Object.values(bin), 'LICENSE', 'README.md', 'package.json']
}

/** Every file that an editor is sent to. */
function listMapSources(folder, files) {
  const maps = files.filter((path) => path.endsWith('.map'))
  return maps.flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(join(folder, path), 'utf8'))
    return sources.map((source) => join(path, '..', source))
  })
}

/** The README names the package, and has a row for each of several entry points. */
function checkReadme(source, name) {
  const readme = readFileSync(join(source, 'README.md'), 'utf8')
  const specifiers = listEntryPoints(source)
  const missing = specifiers.filter((specifier) => !readme.includes(`\n| \`${specifier}\` |`))
  if (specifiers.length > 1) assert.deepEqual(missing, [], `the README of ${name} has no row for these`)
  else assert(readme.includes(name), `the README of ${name} does not name it`)
}

const formatKilobytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1000)} kB`

/** @param {import('../../scripts/pack.mjs').PackedPackage} packed @returns {Promise<string>} a summary */
async function checkPackage({ name, source, tarball, size, unpackedSize, files }) {
  const folder = join(tarball, '..')
  const manifest = readManifest(source)
  assert.deepEqual([...files].sort(), listExpectedFiles(files, manifest).sort())
  assert.deepEqual(
    listMapSources(folder, files).filter((path) => !existsSync(join(folder, path))),
    [],
  )
  assert.equal(readFileSync(join(source, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'))
  assert.deepEqual(Object.keys(manifest.dependencies).sort(), dependencies[name])
  checkReadme(source, name)

  const { buffer, byteOffset, byteLength } = readFileSync(tarball)
  const { messages } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) } })
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest, { color: false })),
    [],
  )
  // The package of the command has no entry points, and so no types.
  if (manifest.exports !== undefined)
    await runNode(findProgram('@arethetypeswrong/cli', 'attw'), [tarball, '--profile', 'esm-only', '--no-definitely-typed'])
  return `${name} (${listEntryPoints(source).length} subpaths, ${files.length} files, ${formatKilobytes(size)} packed, ${formatKilobytes(unpackedSize)} unpacked)`
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ packages }) {
  const found = []
  for (const one of await packages()) found.push(await checkPackage(one))
  return `${found.join(', ')}; publint and attw find nothing`
}
