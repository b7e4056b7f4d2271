/** Workflows pin actions by commit, and workflows, documentation and manifests agree. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const readText = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const workflows = readdirSync(new URL('.github/workflows', root)).map((name) => `.github/workflows/${name}`)
const uses = workflows.flatMap((path) => [...readText(path).matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, what = '']) => ({ path, what })))

test.each(uses)('$path pins $what', ({ what }) => {
  if (what.startsWith('./')) expect(existsSync(new URL(what, root))).toBe(true)
  else expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

const pages = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.startsWith('reference'))
  .map((path) => `docs/${path.replaceAll('\\', '/')}`)

test.each([...workflows, ...pages, 'CONTRIBUTING.md', '.github/pull_request_template.md', '.changeset/README.md'])(
  '%s names scripts that exist',
  (path) => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }
    const names = [...readText(path).matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name)
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  },
)

test.each(workflows)('%s has no rights that a job does not ask for', (path) => {
  expect(readText(path)).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m)
})

test('the workflow runs the gate on three lines of Node.js', () => {
  const [, list = ''] = /^ *node: \[(.*)\]$/m.exec(readText('.github/workflows/ci.yml')) ?? []
  const versions = list.split(', ').map(Number)
  expect(versions).toEqual([20, 22, 24])
})

test('dependabot watches every lock file', () => {
  const folders = [...readText('.github/dependabot.yml').matchAll(/^ {6}- (\/\S*)$/gm)].map(([, folder = '']) => folder)
  const hosts = readdirSync(new URL('examples/hosts', root), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const others = [
    '',
    'bench',
    'conformance',
    'conformance/bun',
    'conformance/others/typespec',
    'conformance/registry',
    'examples/foreign',
    'examples/moving',
    'packages/create-lapidary/versions',
    'release',
  ]
  const locked = [...others, ...hosts.map(({ name }) => `examples/hosts/${name}`)]
  expect(locked.filter((folder) => !existsSync(new URL(`${folder === '' ? '.' : folder}/package-lock.json`, root)))).toEqual([])
  expect(folders.sort()).toEqual(locked.map((folder) => `/${folder}`).sort())
})
