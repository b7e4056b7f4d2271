/** What a release publishes, in which order and under which tag. `npm run conformance -- --only release` publishes to a registry on this machine. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { chooseTag, planRelease, readRegistry } from '../releasePlan.mjs'
import { listPublishedFolders, readManifestText } from '../workspaces.mjs'

const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test.each([
  ['0.1.0', undefined, 'latest'],
  ['0.2.0', '0.1.9', 'latest'],
  ['0.10.0', '0.9.0', 'latest'],
  ['1.0.0', '0.99.99', 'latest'],
  // npm gives the first version of all the tag `latest`, even if it is a prerelease.
  ['0.1.0', '0.1.0-beta.0', 'latest'],
  ['0.2.0-beta.1', '0.1.0', 'beta'],
  ['0.2.0-next.0', undefined, 'next'],
  ['0.2.0-0', '0.1.0', 'next'],
  ['0.2.0-latest.0', '0.1.0', 'next'],
  ['0.1.10', '0.2.0', 'release-0.1'],
  ['1.9.9', '2.0.0', 'release-1.9'],
])('%s is published beside %s as %s', (version, latest, tag) => {
  expect(chooseTag(version, latest)).toBe(tag)
})

test.each(['', '1.2', 'v1.2.3', '1.2.3+build'])('%j is no version', (version) => {
  expect(() => chooseTag(version)).toThrow(`"${version}" is no version`)
})

const one = { name: 'one', version: '0.2.0', latest: '0.1.0', isPublished: false }
const two = { ...one, name: 'two' }
const three = { ...one, name: 'three' }
const planNames = (...states: Parameters<typeof planRelease>[0]): readonly string[] => planRelease(states).map(({ name }) => name)

/** A registry on this machine, until the test ends. */
async function startRegistry(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a package of the registry, and one that it lacks', async () => {
  const url = await startRegistry(({ url }, response) => {
    if (url === '/@lapidary%2fcli') response.end('{"versions":{"0.1.0":{}},"dist-tags":{"latest":"0.1.0"}}')
    else response.writeHead(404).end('{}')
  })
  expect(await readRegistry(url, '@lapidary/cli')).toEqual({ versions: ['0.1.0'], tags: { latest: '0.1.0' } })
  expect(await readRegistry(`${url}/`, 'lapidary')).toEqual({ versions: [], tags: {} })
})

test.each<[string, RequestListener, RegExp]>([
  ['answers 500', (_, response) => void response.writeHead(500).end(), /failed: the status is 500\.$/],
  ['answers with a page', (_, response) => void response.end('<html>'), /failed: Unexpected token/],
  ['answers with another value', (_, response) => void response.end('{}'), /failed: /],
  ['does not answer', () => {}, /failed: .*timeout/],
  ['ends the connection', (_, response) => void response.destroy(), /failed: /],
])('a registry that %s stops the release, with its URL', async (_name, listener, message) => {
  const url = await startRegistry(listener)
  const error = await readRegistry(url, 'lapidary', 200).catch((thrown: Error) => thrown)
  expect(String(error)).toContain(`GET ${url}/lapidary failed: `)
  expect(String(error)).toMatch(message)
})

test('a release goes on where it stopped, and publishes nothing twice', () => {
  expect(planNames(one, two, three)).toEqual(['one', 'two', 'three'])
  expect(planNames({ ...one, isPublished: true, isSame: true }, two, three)).toEqual(['two', 'three'])
  expect(planNames({ ...one, isPublished: true, isSame: true }, two, { ...three, isPublished: true, isSame: true })).toEqual(['two'])
})

test('a commit without a new version publishes nothing, whatever it changes', () => {
  const published = { isPublished: true, isSame: false }
  expect(planNames({ ...one, ...published }, { ...two, ...published }, { ...three, ...published })).toEqual([])
})

test('a release of two states of the sources is refused', () => {
  expect(() => planNames({ ...one, isPublished: true, isSame: false }, two)).toThrow(
    /^The registry has one@0\.2\.0 with other files than these sources give, and lacks two\. .* add a changeset/,
  )
})

test('each package is published after those that it depends on', () => {
  const manifests = listPublishedFolders().map(
    (folder) => JSON.parse(readManifestText(folder)) as Record<string, object> & { name: string },
  )
  const names = manifests.map(({ name }) => name)
  for (const [index, { dependencies, peerDependencies }] of manifests.entries()) {
    const own = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => names.includes(name))
    expect(own.filter((name) => names.indexOf(name) > index)).toEqual([])
  }
})

test('all packages have one version, and get the next one together', () => {
  const manifests = listPublishedFolders().map((folder) => JSON.parse(readManifestText(folder)) as { name: string; version: string })
  expect(new Set(manifests.map(({ version }) => version)).size).toBe(1)
  const { fixed } = JSON.parse(readText('.changeset/config.json')) as { fixed: readonly string[][] }
  expect(fixed).toEqual([['lapidary', '@lapidary/*', 'create-lapidary']])
  expect(manifests.filter(({ name }) => !/^(?:lapidary|@lapidary\/[\w-]+|create-lapidary)$/.test(name))).toEqual([])
})

test('provenance, the token and the address of the repository come from the workflow alone', () => {
  const workflow = readText('.github/workflows/release.yml')
  expect(workflow).toContain('publish-script: npm run release\n')
  expect(workflow).toContain("NPM_CONFIG_PROVENANCE: 'true'")
  // Each is for the step that publishes: without this right npm cannot sign, and without the URL the script stops.
  expect(workflow).toMatch(/^ {6}id-token: write/m)
  expect(workflow).toMatch(/^ {10}REPOSITORY_URL: /m)
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }
  expect(scripts['release']).toBe('node scripts/release.mjs')
  expect(readText('scripts/release.mjs')).not.toMatch(/--provenance|TOKEN/)
})
