/** The templates fit the repository: their types, their versions and what is derived in them. `npm run conformance` installs and runs them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { ProjectOptions } from '../src/choices.ts'
import { createProject, writeProject } from '../src/createProject.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// Below the repository, so that packages are found from there, and where git does not look.
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const scratch = mkdtempSync(join(cache, 'projects-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
const readLock = (folder: string) => readJson(`${folder}/package-lock.json`) as { packages: Record<string, { version?: string }> }

/** Every host, every schema library and every extra. */
const projects: readonly Omit<ProjectOptions, 'name'>[] = [
  { schema: 'zod', host: 'node', extras: ['page', 'postgres', 'docker'] },
  { schema: 'valibot', host: 'bun', extras: ['page', 'postgres', 'docker'] },
  { schema: 'arktype', host: 'workers', extras: ['page'] },
  { schema: 'arktype', host: 'node', extras: [] },
]

async function runTypeScript(folder: string, project: string): Promise<string> {
  const words = [join(root, 'node_modules/typescript/bin/tsc'), '--project', project, '--pretty', 'false']
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const output = text(child.stdout)
  await once(child, 'close')
  return output
}

/** A compiler takes seconds. `npm run conformance -- --only create` compiles each project of each host, and so does `SAMPLES=whole`. */
const compiled = projects.slice(0, process.env['SAMPLES'] === 'whole' ? projects.length : 2)

test.each(compiled)('the types of $schema on $host with $extras', async ({ schema, host, extras }) => {
  const folder = join(scratch, `${schema}-${host}`)
  writeProject(folder, createProject({ name: 'shop', schema, host, extras }))
  expect(await runTypeScript(folder, '.')).toBe('')
  if (extras.includes('page')) expect(await runTypeScript(folder, 'page')).toBe('')
})

test('the versions are those of the lock files', () => {
  const { dependencies } = readJson('packages/create-lapidary/versions/package.json') as { dependencies: Record<string, string> }
  const own = readLock('packages/create-lapidary/versions').packages
  const others = { ...readLock('conformance/bun').packages, ...readLock('.').packages }
  for (const [name, version] of Object.entries(dependencies)) {
    expect(own[`node_modules/${name}`]?.version, name).toBe(version)
    // wrangler and concurrently are of no other project of this repository.
    expect([version, undefined], name).toContain(others[`node_modules/${name}`]?.version)
  }
})

test('actions, images and Bun have the versions of this repository', () => {
  const files = projects.map((options) => createProject({ name: 'shop', ...options }))
  const workflows = ['ci.yml', 'release.yml'].map((name) => readFileSync(join(root, '.github/workflows', name), 'utf8')).join()
  const bun = readLock('conformance/bun').packages['node_modules/bun']?.version
  const [, node = ''] = /^FROM (node:\S+)/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  for (const project of files) {
    const workflow = project.get('.github/workflows/ci.yml') ?? ''
    for (const [, action = ''] of workflow.matchAll(/uses: (.+)/g)) expect(workflows).toContain(action)
    for (const [, version] of workflow.matchAll(/ bun@(\S+)/g)) expect(version).toBe(bun)
    for (const [, image] of (project.get('Dockerfile') ?? '').matchAll(/^FROM (\S+)/gm))
      expect([node, `oven/bun:${bun}-slim`]).toContain(image)
  }
})

test('the routes of the page are up to date', async () => {
  const folder = join(scratch, 'page')
  writeProject(folder, createProject({ name: 'shop', schema: 'zod', host: 'node', extras: ['page'] }))
  const words = [join(root, 'packages/cli/bin/lapidary.js'), 'routes', 'src/api.ts', '--client', '--out', 'page/routes.ts', '--check']
  const child = spawn(process.execPath, words, { cwd: folder, stdio: 'inherit' })
  expect(await once(child, 'close')).toEqual([0, null])
})
