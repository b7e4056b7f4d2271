/** The oldest Node.js is one fact, and so is the one of the image: manifests, pages, workflows and the Dockerfile agree. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listExamples } from '../examples.mjs'
import { listWorkspaceFolders, readManifestText } from '../workspaces.mjs'

const root = new URL('../../', import.meta.url)
const readText = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const readEngines = (text: string): string | undefined => (JSON.parse(text) as { engines?: { node?: string } }).engines?.node

const range = readEngines(readManifestText('.')) ?? 'none'
/** Such as 20.12. */
const floor = range.replace('>=', '')
const line = Number(readText('.nvmrc'))

test.each([...listWorkspaceFolders(), ...listExamples().map((name) => `examples/${name}`)])('%s has the engines of the root', (folder) => {
  expect(readEngines(readManifestText(folder))).toBe(range)
})

test('the lock file has them too', () => {
  const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, { engines?: { node?: string } }> }
  for (const folder of ['', ...listWorkspaceFolders()]) expect([folder, packages[folder]?.engines?.node]).toEqual([folder, range])
})

test.each(['README.md', 'CONTRIBUTING.md', 'service/README.md', 'docs/tour.md', 'packages/lapidary/README.md', 'SUPPORT.md'])(
  '%s names it',
  (path) => {
    const named = [...readText(path).matchAll(/Node\.js (\d+\.\d+) or newer/g)].map(([, version]) => version)
    // Changesets, which only maintainers run, need a newer one.
    expect([...new Set(named)].filter((version) => version !== readEngines(readText('release/package.json'))?.slice(2))).toEqual([floor])
  },
)

test('the types are those of its line, and CI begins with it', () => {
  const { dependencies } = JSON.parse(readManifestText('.')) as { dependencies: Record<string, string> }
  const major = floor.split('.')[0]
  expect(dependencies['@types/node']?.split('.')[0]).toBe(major)
  expect(readText('.github/workflows/ci.yml')).toContain(`node: [${major}, `)
})

test('the image has a supported line, the one of .nvmrc, which CI tests', () => {
  expect([...readText('Dockerfile').matchAll(/^FROM node:(\d+)\./gm)].map(([, major]) => Number(major))).toEqual([line, line])
  expect(readText('.github/workflows/ci.yml')).toMatch(new RegExp(`^ *node: \\[.*\\b${line}\\b.*\\]$`, 'm'))
  // Even lines get long-term support. That of 20 ended in April 2026.
  expect(line % 2).toBe(0)
  expect(line).toBeGreaterThan(20)
})
