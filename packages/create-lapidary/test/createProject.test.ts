/** A project is composed of whole files: those of its host, its schema library and its extras, with exact versions. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Extra, extras, findRefusal, type Host, hosts, type ProjectOptions, schemaLibraries } from '../src/choices.ts'
import { createProject, writeProject } from '../src/createProject.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const create = (options: Partial<ProjectOptions> = {}): ReadonlyMap<string, string> =>
  createProject({ name: 'shop', schema: 'zod', host: 'node', extras: [], ...options })
const readManifest = (files: ReadonlyMap<string, string>): Manifest => JSON.parse(files.get('package.json') ?? '') as Manifest

/** Every set of extras that a host takes. */
function listExtras(host: Host): readonly (readonly Extra[])[] {
  const sets: (readonly Extra[])[] = [[]]
  for (const { value } of extras) if (findRefusal(host, value) === undefined) sets.push(...sets.map((set) => [...set, value]))
  return sets
}
const combinations = hosts.flatMap(({ value: host }) =>
  schemaLibraries.flatMap(({ value: schema }) => listExtras(host).map((chosen) => ({ host, schema, extras: chosen }))),
)

test.each(combinations)('$schema on $host with $extras has exact versions, complete scripts and its own name', (options) => {
  const files = create(options)
  const { name, scripts, dependencies, devDependencies } = readManifest(files)
  expect(name).toBe('shop')
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['dev', 'start', 'test', 'types', 'check']))
  expect(Object.values(scripts)).not.toContain('')
  for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
  expect([...files.values()].filter((text) => text.includes('my-api'))).toEqual([])
  for (const path of ['README.md', '.gitignore', '.github/workflows/ci.yml', 'src/api.ts', 'test/api.test.ts'])
    expect(files.has(path)).toBe(true)
  expect([...files.keys()].filter((path) => path.includes('_gitignore'))).toEqual([])
})

test('a project has the version of this package of everything that is Lapidary', () => {
  const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  const { dependencies, devDependencies } = readManifest(create())
  expect(dependencies).toMatchObject({ lapidary: own.version, '@lapidary/docs-page': own.version })
  expect(devDependencies).toMatchObject({ '@lapidary/cli': own.version })
})

test('each extra adds its files, and another host has others', () => {
  const base = new Set(create().keys())
  const added = (options: Partial<ProjectOptions>) => [...create(options).keys()].filter((path) => !base.has(path))
  expect(added({ extras: ['docker'] })).toEqual(['.dockerignore', 'Dockerfile'])
  expect(added({ extras: ['postgres'] })).toEqual(['compose.yaml', 'src/database.ts', 'test/database.test.ts'])
  expect(added({ extras: ['page'] })).toEqual(expect.arrayContaining(['page/main.ts', 'page/routes.ts', 'page/vite.config.ts']))
  expect(added({ host: 'workers' })).toEqual(['src/worker.ts', 'wrangler.jsonc'])
  expect(added({ host: 'bun' })).toEqual(['bunfig.toml'])
})

test('a project for Bun has the words of Bun', () => {
  const files = create({ host: 'bun', extras: ['page', 'postgres', 'docker'] })
  expect(files.get('test/database.test.ts')).toContain("from 'bun:test'")
  for (const [path, text] of files) if (!path.endsWith('ci.yml')) expect(text, path).not.toMatch(/\bnpm |\bnpx /)
})

test('its files are written below the folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-create-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeProject(join(folder, 'new'), new Map([['a/b.txt', 'text']]))
  expect(readFileSync(join(folder, 'new/a/b.txt'), 'utf8')).toBe('text')
})
