/** The rooms: imports run one way, no room has a circle, doors are the only way in, and no file grows over its bounds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Import {
  /** A path from the root of the repository, or the name of a package. */
  readonly target: string
  readonly isType: boolean
}

interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

/** `import … from '…'`, `export … from '…'` and `import '…'`. */
const statement = /^(?:import|export)\s+(?:(?<what>[\w$*{},\s]+?)\s+from\s+)?'(?<target>[^']+)'/gm
const dynamic = /\bimport\('([^']+)'\)/g

/** `{ type A, type B }` imports nothing at run time either. */
const isTypeOnly = (what: string): boolean => /^type\s/.test(what) || /^\{\s*(?:type\s[^,}]+,?\s*)+\}$/.test(what)

function importsOf(path: string, text: string): readonly Import[] {
  const placed = (target: string): string => (target.startsWith('.') ? relative(root, join(root, dirname(path), target)) : target)
  const found = [...text.matchAll(statement)].map(({ groups }) => ({
    target: placed(groups?.['target'] ?? ''),
    isType: isTypeOnly((groups?.['what'] ?? '').trim()),
  }))
  return [...found, ...[...text.matchAll(dynamic)].map(([, target = '']) => ({ target: placed(target), isType: false }))]
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => join(folder, path))
    .sort()
}

const sources = [...filesBelow('packages/lapidary/src'), ...filesBelow('service/src')].map((path): Source => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, imports: importsOf(path, text) }
})
const toolkit = sources.filter(({ path }) => path.startsWith('lapidary/'))
const service = sources.filter(({ path }) => path.startsWith('service/'))

/** The room of a file, which is its folder; undefined outside the toolkit. */
const roomOf = (path: string): string | undefined => /^lapidary\/src\/([^/]+)\//.exec(path)?.[1]

/** Which rooms a room may import, besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  describe: [],
  server: ['describe'],
  adapters: ['describe', 'server'],
  kernels: ['describe', 'server'],
  links: ['describe'],
  client: ['describe', 'links'],
  examples: ['describe'],
  docs: ['describe', 'examples'],
  openapi: ['describe', 'examples'],
  ranges: ['describe'],
  generate: ['describe'],
  check: ['describe', 'links', 'client', 'generate'],
  mock: ['describe', 'server', 'generate', 'ranges'],
  diff: ['describe', 'generate'],
  kysely: ['ranges'],
  opentelemetry: ['server', 'client'],
  doors: [
    'describe',
    'server',
    'adapters',
    'kernels',
    'links',
    'client',
    'examples',
    'docs',
    'openapi',
    'ranges',
    'kysely',
    'opentelemetry',
    'check',
    'mock',
    'diff',
  ],
  cli: ['describe', 'links', 'client', 'examples', 'docs', 'openapi', 'check', 'mock', 'diff', 'adapters', 'server'],
}

const manifest = JSON.parse(readFileSync(join(root, 'packages/lapidary/package.json'), 'utf8')) as {
  exports: object
  dependencies: object
  peerDependencies: object
}

/** Which packages a room may use besides node itself; no other room may use any of the two. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  adapters: ['mime'],
  cli: ['commander'],
  generate: ['fast-check'],
  check: ['fast-check'],
  mock: ['fast-check'],
  diff: ['fast-check'],
}

/** The rooms that stand for a peer each: that peer is all that they use, and nobody else does. */
const peers: Readonly<Record<string, string>> = { kysely: 'kysely', opentelemetry: '@opentelemetry/api' }

/** No package that ours does not name. */
const isOutside = (room: string, target: string): boolean =>
  mayUse[room] === undefined ? target === peers[room] : target.startsWith('node:') || mayUse[room].includes(target)

test('the toolkit and the service were found', () => {
  expect(toolkit.length).toBeGreaterThan(50)
  expect(toolkit.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
})

test('every room is known', () => {
  expect([...new Set(toolkit.map(({ path }) => roomOf(path) ?? path))].filter((room) => mayImport[room] === undefined)).toEqual([])
})

describe.each(Object.entries(mayImport))('the room "%s"', (room, allowed) => {
  const files = toolkit.filter(({ path }) => roomOf(path) === room)
  const strays = (isFine: (target: string) => boolean): readonly string[] =>
    files.flatMap(({ path, imports }) => imports.filter(({ target }) => !isFine(target)).map(({ target }) => `${path} imports ${target}`))

  test(`imports ${[room, ...allowed].join(', ')} and nothing else of the toolkit`, () => {
    const rooms = new Set([room, ...allowed])
    expect(strays((target) => !target.startsWith('lapidary/') || rooms.has(roomOf(target) ?? ''))).toEqual([])
  })

  test('imports what is outside the toolkit only where that is its job', () => {
    expect(strays((target) => target.startsWith('packages/lapidary/src/') || isOutside(room, target))).toEqual([])
  })
})

test('the ranges are written as a user’s own words would be: by the names that everybody may import', () => {
  const ranges = toolkit.filter(({ path }) => roomOf(path) === 'ranges').flatMap(({ imports }) => imports.map(({ target }) => target))
  expect(ranges.filter((target) => roomOf(target) === 'describe' && target !== 'packages/lapidary/src/index.ts')).toEqual([])
})

test('every peer has a room', () => {
  expect(Object.values(peers).sort()).toEqual(Object.keys(manifest.peerDependencies).sort())
})

test.each(Object.entries(peers))(
  'who has no peer for the room "%s" can have all the rest: nothing but its own door leads to it',
  (room, peer) => {
    const importers = toolkit.filter(({ imports }) => imports.some(({ target }) => target === peer || roomOf(target) === room))
    expect(importers.map(({ path }) => path).filter((path) => roomOf(path) !== room)).toEqual([`packages/lapidary/src/doors/${room}.ts`])
  },
)

test('nobody inside goes in by a door', () => {
  const inside = toolkit.filter(({ path }) => roomOf(path) !== 'doors')
  expect(inside.flatMap(({ imports }) => imports).filter(({ target }) => roomOf(target) === 'doors')).toEqual([])
})

test('the service uses the toolkit by its public names', () => {
  const doors = new Set(Object.keys(manifest.exports).map((name) => join('lapidary', name)))
  const strays = service.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => /^(?:\.\.|lapidary)/.test(target) && !doors.has(target))
      .map(({ target }) => `${path} imports ${target}`),
  )
  expect(strays).toEqual([])
})

/** A circle of imports from a file back to itself, if there is one. */
function circle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const walk = (here: string, way: readonly string[]): readonly string[] | undefined => {
    const start = way.indexOf(here)
    if (start >= 0) return [...way.slice(start), here]
    if (done.has(here)) return undefined
    for (const next of graph.get(here) ?? []) {
      const found = walk(next, [...way, here])
      if (found !== undefined) return found
    }
    done.add(here)
    return undefined
  }
  for (const start of graph.keys()) {
    const found = walk(start, [])
    if (found !== undefined) return found
  }
  return undefined
}

test('no file imports itself by way of others', () => {
  const graph = new Map(sources.map(({ path, imports }) => [path, imports.filter(({ isType }) => !isType).map(({ target }) => target)]))
  expect(circle(graph)).toBe(undefined)
})

test('no room imports itself by way of others, types included', () => {
  const graph = new Map<string, string[]>()
  for (const { path, imports } of toolkit) {
    const here = roomOf(path) ?? ''
    const rooms = imports.map(({ target }) => roomOf(target)).filter((room) => room !== undefined && room !== here && room !== 'door')
    if (here !== 'door') graph.set(here, [...(graph.get(here) ?? []), ...(rooms as string[])])
  }
  expect(circle(graph)).toBe(undefined)
})

test.each(sources)('$path has a job that one sentence says, and at most 400 lines', ({ text }) => {
  // A program may begin with its #! line.
  expect(text.replace(/^#!.*\n/, '')).toMatch(/^\/\*\*\s*\S[\s\S]*?[.:!?)`]\s*\*\//)
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(400)
})
