/**
 * Publishes the packages whose version the registry lacks, each after those that it depends on. The release workflow runs it, and so does
 * `npm run conformance -- --only release`, with a registry on this machine.
 *
 *   npm run release                 needs REPOSITORY_URL, the https address of the repository
 *   npm run release -- --dry-run    packs everything, and prints what it would publish
 *
 * npm's configuration says where: the registry, the token, and whether to publish with provenance. It goes on after a release that failed in the middle.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { packPackages, runProgram } from './pack.mjs'
import { planRelease, readRegistry } from './releasePlan.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)
const npm = (folder, ...words) => runProgram('npm', [...words, '--loglevel=error'], { cwd: folder })

/** Whether the published tarball has the same files. Another version of zlib may have compressed them. */
async function isSame(folder, { name, version, tarball }) {
  const place = join(folder, 'published')
  mkdirSync(place, { recursive: true })
  const [{ filename }] = Object.values(JSON.parse(await npm(place, 'pack', `${name}@${version}`, '--json', '--prefer-online')))
  return gunzipSync(readFileSync(join(place, filename))).equals(gunzipSync(readFileSync(tarball)))
}

/** What the registry has of each package. The files are compared where a release goes on. */
async function readStates(folder, packed) {
  const registry = (await npm(folder, 'config', 'get', 'registry')).trim()
  const found = await Promise.all(packed.map(async (one) => ({ one, ...(await readRegistry(registry, one.name)) })))
  const states = found.map(({ one, versions, tags }) => ({ ...one, latest: tags.latest, isPublished: versions.includes(one.version) }))
  if (states.every(({ isPublished }) => isPublished)) return states
  return Promise.all(states.map(async (one) => (one.isPublished ? { ...one, isSame: await isSame(folder, one) } : one)))
}

async function release(folder, { isDry }) {
  const packed = await packPackages(folder, process.env.REPOSITORY_URL)
  const states = await readStates(folder, packed)
  for (const { name, version } of states.filter(({ isPublished }) => isPublished)) print(`${name}@${version} is in the registry.`)
  const plan = planRelease(states)
  for (const { name, version, tag, tarball, size, files } of plan) {
    if (!isDry) await npm(folder, 'publish', tarball, '--access', 'public', '--tag', tag, '--ignore-scripts')
    print(`${name}@${version} ${isDry ? 'would be' : 'is'} published as ${tag}: ${files.length} files, ${Math.round(size / 1000)} kB.`)
  }
  if (plan.length === 0) print('Nothing is to be published.')
  // The action that runs this in the workflow makes releases of the tags in this file. A tag that exists is left alone.
  if (process.env.CHANGESETS_OUTPUT !== undefined && !isDry)
    print(await runProgram(process.execPath, [join(root, 'scripts/changeset.mjs'), 'git-tag'], { cwd: root }))
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const folder = mkdtempSync(join(tmpdir(), 'lapidary-release-'))
try {
  await release(folder, { isDry: values['dry-run'] })
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
