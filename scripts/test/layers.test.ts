/** The layers: imports go in one direction and without cycles, packages use each other by their subpaths, and a name means one thing in its package. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { listPublishedFolders, listWorkspaceFolders, readManifestText } from '../workspaces.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Import {
  /** A path from the root of the repository, or the name of a package. */
  readonly target: string
  readonly isType: boolean
}

interface Source {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

/** `import … from '…'`, `export … from '…'` and `import '…'`. */
const importStatement = /^(?:import|export)\s+(?:(?<names>[\w$*{},\s]+?)\s+from\s+)?'(?<target>[^']+)'/gm
const dynamicImport = /\bimport\('([^']+)'\)/g

/** `{ type A, type B }` imports nothing at run time either. */
const isTypeOnly = (names: string): boolean => /^type\s/.test(names) || /^\{\s*(?:type\s[^,}]+,?\s*)+\}$/.test(names)

function findImports(path: string, text: string): readonly Import[] {
  const resolve = (target: string): string => (target.startsWith('.') ? relative(root, join(root, dirname(path), target)) : target)
  const found = [...text.matchAll(importStatement)].map(({ groups }) => ({
    target: resolve(groups?.['target'] ?? ''),
    isType: isTypeOnly((groups?.['names'] ?? '').trim()),
  }))
  return [...found, ...[...text.matchAll(dynamicImport)].map(([, target = '']) => ({ target: resolve(target), isType: false }))]
}

const readSources = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, imports: findImports(path, text) }
    })

const folders: readonly (readonly [name: string, folder: string])[] = listWorkspaceFolders().map((folder) => [
  (JSON.parse(readManifestText(folder)) as { name: string }).name,
  folder,
])
const packages = Object.fromEntries(folders.map(([name, folder]) => [name, readSources(`${folder}/src`)]))
const { lapidary = [] } = packages
const everything = Object.values(packages).flat()

interface Manifest {
  readonly exports?: object
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  /** What a command loads on demand that is not installed in production. */
  readonly devDependencies?: Readonly<Record<string, string>>
}
const manifests = Object.fromEntries(folders.map(([name, folder]) => [name, JSON.parse(readManifestText(folder)) as Manifest]))

/** The layer of a file of `lapidary`: its folder, or `entry points` for the files beside the folders. */
function findLayer(path: string): string | undefined {
  const [, layer, rest] = /^packages\/lapidary\/src\/([^/]+)(\/)?/.exec(path) ?? []
  return layer === undefined ? undefined : rest === undefined ? 'entry points' : layer
}

/** Which layers a layer imports, besides itself. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  messages: [],
  http: ['messages'],
  'json-schema': ['messages', 'http'],
  contract: ['messages', 'http', 'json-schema'],
  uploads: ['messages', 'http'],
  server: ['messages', 'http', 'json-schema', 'contract', 'middleware', 'uploads'],
  code: [],
  links: ['messages', 'http', 'json-schema', 'contract'],
  client: ['messages', 'http', 'json-schema', 'contract', 'links'],
  light: ['messages', 'http', 'json-schema', 'contract', 'client'],
  openapi: ['messages', 'http', 'json-schema', 'contract'],
  docs: ['messages', 'http', 'json-schema', 'contract'],
  pagination: ['messages', 'http', 'json-schema', 'contract'],
  webhooks: ['messages', 'http', 'json-schema', 'contract', 'client', 'server'],
  kysely: ['http', 'middleware', 'pagination', 'server', 'webhooks'],
  middleware: ['messages', 'http', 'contract'],
  adapters: ['messages', 'http'],
  static: ['messages', 'http'],
  opentelemetry: ['http', 'client', 'middleware'],
}

/** Which packages a layer uses. Node's own modules are for those that stand on Node. */
const dependencies: Readonly<Record<string, readonly RegExp[]>> = {
  adapters: [/^node:/],
  http: [/^@noble\/hashes\//],
  webhooks: [/^@noble\/hashes\//],
  static: [/^node:/, /^mime$/],
  opentelemetry: [/^@opentelemetry\/api$/],
}

/** The modules behind an optional peer, with the entry point that alone leads to them. */
const peers: Readonly<Record<string, { readonly modules: RegExp; readonly entry: string }>> = {
  kysely: {
    modules: /^packages\/lapidary\/src\/kysely\//,
    entry: 'packages/lapidary/src/kysely.ts',
  },
  '@opentelemetry/api': { modules: /^packages\/lapidary\/src\/opentelemetry\//, entry: 'packages/lapidary/src/opentelemetry.ts' },
}

test('the sources are found', () => {
  for (const { length } of Object.values(packages)) expect(length).toBeGreaterThan(3)
  expect(lapidary.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
})

test('every layer is known', () => {
  const layers = new Set(lapidary.map(({ path }) => findLayer(path)))
  layers.delete('entry points')
  expect([...layers].sort()).toEqual(Object.keys(arrows).sort())
})

describe.each(Object.entries(arrows))('the layer %s', (layer, allowed) => {
  const imports = lapidary
    .filter(({ path }) => findLayer(path) === layer)
    .flatMap((source) => source.imports.map(({ target }) => ({ path: source.path, target })))
  const describeStrays = (strays: typeof imports): readonly string[] => strays.map(({ path, target }) => `${path} imports ${target}`)

  test(`imports ${[layer, ...allowed].join(', ')} and no other layer`, () => {
    const known = new Set<string | undefined>([layer, ...allowed])
    expect(describeStrays(imports.filter(({ target }) => target.startsWith('packages/') && !known.has(findLayer(target))))).toEqual([])
  })

  test('imports the packages that it needs, and no others', () => {
    const isPeer = (path: string, target: string): boolean => peers[target]?.modules.test(path) === true
    const isKnown = ({ path, target }: (typeof imports)[number]): boolean =>
      isPeer(path, target) || (dependencies[layer] ?? []).some((pattern) => pattern.test(target))
    expect(describeStrays(imports.filter((one) => !one.target.startsWith('packages/') && !isKnown(one)))).toEqual([])
  })
})

/** The floors of the layer `contract`, from below: a folder imports those below it, and what stands beside the folders imports all of them. */
const floors = ['auth', 'parameters', 'media', ''].map((folder) => join('packages/lapidary/src/contract', folder))

test('in contract, no import leads upward', () => {
  const findFloor = (path: string): number => floors.indexOf(dirname(path))
  const sources = lapidary.filter(({ path }) => findLayer(path) === 'contract')
  expect(new Set(sources.map(({ path }) => findFloor(path)))).toEqual(new Set(floors.keys()))
  const strays = sources.flatMap(({ path, imports }) =>
    imports.filter(({ target }) => findFloor(target) > findFloor(path)).map(({ target }) => `${path} imports ${target}`),
  )
  expect(strays).toEqual([])
})

test('every optional peer has modules of its own, which only its entry point imports', () => {
  expect(Object.keys(peers).sort()).toEqual(Object.keys(manifests['lapidary']?.peerDependencies ?? {}).sort())
  for (const [peer, { modules, entry }] of Object.entries(peers)) {
    const importers = lapidary.filter(({ imports }) => imports.some(({ target }) => target === peer || modules.test(target)))
    expect(importers.map(({ path }) => path).filter((path) => !modules.test(path))).toEqual([entry])
  }
})

test('an application installs two dependencies with lapidary', () => {
  expect(Object.keys(manifests['lapidary']?.dependencies ?? {})).toEqual(['@noble/hashes', 'mime'])
})

test('entry points only re-export and are imported by users alone', () => {
  const importers = lapidary.filter(({ imports }) => imports.some(({ target }) => findLayer(target) === 'entry points'))
  expect(importers.map(({ path }) => path)).toEqual([])
})

test.each(Object.entries(packages))(
  '%s uses other packages by their public subpaths, and those that its manifest names',
  (name, sources) => {
    const subpaths = new Set(
      Object.entries(manifests).flatMap(([other, { exports = {} }]) => Object.keys(exports).map((subpath) => join(other, subpath))),
    )
    const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifests[name] ?? { dependencies: {} }
    const onDemand = name === 'service' ? devDependencies : {}
    // `scripts/pages.mjs` puts it into the package.
    const bundled = name === '@lapidary/docs-page' ? ['swagger-ui-dist'] : []
    const folder = sources[0]?.path.split('/src/')[0] ?? ''
    const nameOf = (target: string): string =>
      target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/')
    const isKnown = (target: string): boolean =>
      target.startsWith(`${folder}/`) ||
      target.startsWith('node:') ||
      (target in dependencies && !Object.hasOwn(manifests, target)) ||
      (nameOf(target) in dependencies && (Object.hasOwn(manifests, nameOf(target)) ? subpaths.has(target) : true)) ||
      target in peerDependencies ||
      bundled.includes(nameOf(target)) ||
      target in onDemand
    const strays = sources.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => !isKnown(target)).map(({ target }) => `${path} imports ${target}`),
    )
    expect(strays).toEqual([])
  },
)

test('the service uses nothing that is internal to the packages', () => {
  const strays = packages['service']?.filter(({ imports }) => imports.some(({ target }) => /\/internal(?:-node)?$/.test(target)))
  expect(strays?.map(({ path }) => path)).toEqual([])
})

/** A circle of imports from a file back to itself, if there is one. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    const start = path.indexOf(node)
    if (start >= 0) return [...path.slice(start), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node])
      if (circle !== undefined) return circle
    }
    done.add(node)
    return undefined
  }
  for (const start of graph.keys()) {
    const circle = visit(start, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

test('no imports form a cycle, types included', () => {
  expect(findCircle(new Map(everything.map(({ path, imports }) => [path, imports.map(({ target }) => target)])))).toBe(undefined)
})

test('no imports form a cycle of folders in lapidary', () => {
  const folders = new Map<string, string[]>()
  for (const { path, imports } of lapidary) {
    const folder = dirname(path)
    const others = imports.map(({ target }) => dirname(target)).filter((other) => other !== folder)
    folders.set(folder, [...(folders.get(folder) ?? []), ...others])
  }
  expect(findCircle(folders)).toBe(undefined)
})

/** Biome keeps every top-level declaration at the start of a line. */
const topLevelDeclaration =
  /^(?:export )?(?:declare )?(?:async )?(?:abstract )?(?:const|let|class|interface|type|function\*?) ([A-Za-z_$][\w$]*)/gm

test.each(Object.entries(packages))('in %s a top-level name means one thing', (_name, sources) => {
  const files = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(topLevelDeclaration)) files.set(name, (files.get(name) ?? new Set()).add(path))
  expect([...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([])
})

test.each(everything)('the first sentence of $path says what it is for', ({ text }) => {
  // A program may begin with its #! line.
  expect(text.replace(/^#!.*\n/, '')).toMatch(/^\/\*\*\s*\S[\s\S]*?[.:!?)`]\s*\*\//)
})

test('long files are named', () => {
  const long = everything.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })).filter(({ lines }) => lines > 400)
  // A warning, no failure: where two jobs meet is a matter of judgement.
  for (const { path, lines } of long) process.stderr.write(`${path} has ${lines} lines: does it have two jobs?\n`)
  expect(Array.isArray(long)).toBe(true)
})

/**
 * The tests of a behaviour across modules, by the folder of the layer that they enter by. In a folder with * all tests are of behaviours.
 * Any other test is named like the source file that it tests, and stands in the mirrored folder.
 */
const behaviours: Readonly<Record<string, string>> = {
  'packages/cli/test': 'help',
  'packages/create-lapidary/test': 'templates',
  'packages/cli/test/commands': 'documents, unwritable',
  'packages/cli/test/report': 'hostileText, manyFindings',
  'packages/lapidary/test/adapters':
    'abandonedStreams, acceptQueue, basePath, bodyReaders, clientLimits, framing, heap, lateBodies, leaks, malformedRequests, ' +
    'mountedResponses, mounts, rawSockets, requestEnds, requestMatrix, responseCookies, smallChunks, streamEnd, ' +
    'streamStart, streamTurns, streams',
  'packages/lapidary/test/client':
    'accept, connectionErrors, declaredRedirects, entityTags, events, formData, inputErrors, maxResponseSize, roundTrip, size, ' +
    'streams, uploads',
  'packages/lapidary/test/contract': 'captures, declaredError, throwingDecode',
  'packages/lapidary/test/contract/parameters': 'codecOptions, codecs',
  'packages/lapidary/test/docs': 'executed, sharedParts',
  'packages/lapidary/test/http': 'furtherMethods, linearTime',
  'packages/lapidary/test/json-schema': 'exampleShapes, nestedUnions, writtenMembers',
  'packages/lapidary/test/links': 'matchLaws',
  'packages/lapidary/test/messages': 'quotedValues',
  'packages/lapidary/test/middleware': 'rateLimitProcesses',
  'packages/lapidary/test/openapi': 'againstServer',
  'packages/lapidary/test/pagination': 'documentation, walk',
  'packages/lapidary/test/server':
    'bodyStreams, endpointTimeout, errorsOfOneStatus, failureOrder, maxBodySize, rawBody, requestCookies, responseDefaults, ' +
    'returnedJson, unexpectedErrors, userCodeFailures',
  'packages/lapidary/test/types': '*',
  'packages/llhttp/test': 'bun, parity',
  'packages/openapi/test': 'conventions, foreignServers, hostileDocuments, patterns',
  'packages/openapi/test/writing': 'names',
  'packages/tanstack-query/test': 'reactTypes, size',
  'packages/testing/test/check': 'detection, methods, mountedRoot, prefixCaptures, safety',
  'packages/testing/test/check/sequences': 'falseAlarms',
  'packages/testing/test/diff': 'dialects, differential, hostile, memberChanges, pages, replay, schemaSuite',
  'packages/testing/test/generate': 'largeValues, narrowSchemas, schemaBounds',
  'packages/testing/test/mock': 'check, documentCollections, examples, files, patch, wireValues',
  'service/test': 'deployment, durability, edge, installation, kubernetes, memory, nginx, readme, replicas, shutdown, trustProxy',
  'service/test/accounts': 'concurrentAttempts',
  'service/test/browser': '*',
  'service/test/check': '*',
  'service/test/cluster': 'closing, deaths, end, log, start',
  'service/test/colors': '*',
  'service/test/documented': '*',
  'service/test/hostile': '*',
  'service/test/observability': 'aggregation, dashboard, overload, spans',
  'service/test/process': '*',
  'service/test/specification': '*',
  'service/test/store': 'lists, modes, opening, plans, tables, trouble, walks',
  'service/test/store/sqlite': 'moduleChoice',
}

/** The tests of a package, without `.test.ts` and the name of a database: `opening.sqlite.test.ts` runs on one of two. */
const listTests = (folder: string): readonly string[] =>
  readdirSync(join(root, folder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, 'test', file.replace(/(?:\.sqlite|\.postgres)?\.test\.ts$/, '')))

test('each test is named like its source, or is a known test of a behaviour', () => {
  const tests = Object.keys(manifests).flatMap((name) =>
    listTests(name === 'service' ? name : `packages/${name.replace('@lapidary/', '')}`),
  )
  const known = Object.entries(behaviours).flatMap(([folder, names]) => names.split(', ').map((name) => `${folder}/${name}`))
  const isNamedBy = (path: string, behaviour: string): boolean =>
    behaviour.endsWith('*') ? path.startsWith(behaviour.slice(0, -1)) : path === behaviour
  const hasSource = (path: string): boolean => everything.some((source) => source.path === `${path.replace('/test/', '/src/')}.ts`)
  expect(tests.length).toBeGreaterThan(250)
  expect(tests.filter((path) => !hasSource(path) && !known.some((behaviour) => isNamedBy(path, behaviour)))).toEqual([])
  // A behaviour has a test, and not the name of a source.
  expect(known.filter((behaviour) => hasSource(behaviour) || !tests.some((path) => isNamedBy(path, behaviour)))).toEqual([])
})

/** Where a test of a package may stand that is not about one folder of its sources. */
const foldersBesidesSources = ['support', 'types', 'golden']

test.each(listPublishedFolders())('the tests of %s stand in the folders of their sources', (name) => {
  const listFolders = (path: string): readonly string[] => {
    const files = readdirSync(join(root, name, path), { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file))
    return [...new Set(files.map((file) => dirname(file)))].filter((one) => one !== '.')
  }
  const sources = listFolders('src')
  const misplaced = listFolders('test').filter(
    (folder) => !sources.includes(folder) && !foldersBesidesSources.includes(folder.split('/')[0] ?? ''),
  )
  expect(misplaced).toEqual([])
})
