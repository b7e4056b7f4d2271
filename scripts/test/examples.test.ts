/** The examples are projects of their own: each stands alone, in the versions of this repository, and the page about them lists it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { listExamples } from '../examples.mjs'

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly engines: object
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'examples')
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { packages } = readJson('package-lock.json') as { packages: Record<string, { version?: string; link?: true; resolved?: string }> }

/** The version of a package in this repository. */
function findVersion(name: string): string | undefined {
  const entry = packages[`node_modules/${name}`]
  return entry?.link ? packages[entry.resolved ?? '']?.version : entry?.version
}

/** The sources of an example, by their paths in it. */
const readSources = (name: string) =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|js|html)$/.test(path) && !path.includes('node_modules'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(folder, name, path), 'utf8') }))

test('every file belongs to a project', () => {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toEqual(['README.md'])
})

test('the page lists every folder', () => {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  const listed = [...page.matchAll(/^\| \[(\w+)\]\((\w+)(?:\/README\.md)?\) \|/gm)].map(([, name, path]) => (name === path ? name : ''))
  expect(listed.sort()).toEqual(names.map(({ name }) => name).sort())
})

test('bookmarks has at most 600 lines', () => {
  const lines = readSources('bookmarks')
    .filter(({ path }) => !path.startsWith('test/'))
    .flatMap(({ text }) => text.trimEnd().split('\n'))
  expect(lines.length).toBeLessThanOrEqual(600)
})

describe.each(listExamples())('%s', (name) => {
  const { scripts, dependencies, devDependencies } = readJson(`examples/${name}/package.json`) as Manifest

  test('is started, tested and checked by npm, and says so', () => {
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'check']))
    expect(readFileSync(join(folder, name, 'README.md'), 'utf8')).toMatch(/npm install[\s\S]*npm start/)
    expect(existsSync(join(folder, name, 'test'))).toBe(true)
  })

  test('its dependencies have the versions of this repository', () => {
    const all = { ...dependencies, ...devDependencies }
    expect(all).toEqual(Object.fromEntries(Object.keys(all).map((one) => [one, findVersion(one)])))
  })

  test('imports nothing that it does not name, and no file out of its folder', () => {
    for (const { path, text } of readSources(name).filter((one) => !one.path.endsWith('.html'))) {
      const specifiers = [...text.matchAll(/(?:^import |^(?:import|export|\}).* from |\bimport\()'([^'\n]+)'/gm)].map(
        ([, specifier = '']) => specifier,
      )
      const own = path.startsWith('test/') ? { ...dependencies, ...devDependencies } : dependencies
      const foreign = specifiers.filter((specifier) => {
        if (specifier.startsWith('.')) return new URL(specifier, `file:///project/${path}`).pathname.startsWith('/project/') === false
        const [, one = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(specifier) ?? []
        return !specifier.startsWith('node:') && !builtinModules.includes(one) && !Object.hasOwn(own, one)
      })
      expect([path, foreign]).toEqual([path, []])
    }
  })
})
