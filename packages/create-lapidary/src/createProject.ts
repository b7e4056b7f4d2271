/** Composes a project from the folders of `templates`. Each folder adds files; package.json, tsconfig.json and README.md are joined. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Extra, ProjectOptions } from './choices.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const templates = join(root, 'templates')

type Json = string | boolean | readonly Json[] | { readonly [name: string]: Json }

const readJson = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json
const isRecord = (value: Json | undefined): value is { readonly [name: string]: Json } => typeof value === 'object' && !Array.isArray(value)

/** Joins two values of JSON: records by their members, lists one behind the other. Any other value replaces the first. */
function joinJson(first: Json | undefined, second: Json): Json {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second]
  if (!isRecord(first) || !isRecord(second)) return second
  const joined: Record<string, Json> = { ...first }
  for (const [name, value] of Object.entries(second)) joined[name] = joinJson(first[name], value)
  return joined
}

/** How the file of a later folder joins the one that is there. Any other file replaces it. */
const joins: Readonly<Record<string, (first: string, second: string) => string>> = {
  'package.json': (first, second) => JSON.stringify(joinJson(JSON.parse(first) as Json, JSON.parse(second) as Json)),
  'tsconfig.json': (first, second) => formatJson(joinJson(JSON.parse(first) as Json, JSON.parse(second) as Json)),
  'README.md': (first, second) => `${first}\n${second}`,
  '.gitignore': (first, second) => first + second,
}

const formatJson = (value: Json): string => `${JSON.stringify(value, null, 2)}\n`

/** The folders of a project, in the order in which they are joined. One that does not exist adds nothing. */
function listLayers({ schema, host, extras }: ProjectOptions): readonly string[] {
  const server = host === 'workers' ? [] : ['page-server']
  const has = (extra: Extra): boolean => extras.includes(extra)
  return [
    'base',
    `hosts/${host}`,
    `schemas/${schema}`,
    ...(has('page') ? ['page', ...server, `page-${host}`] : []),
    ...(has('postgres') ? ['postgres', `postgres-${host}`] : []),
    ...(has('docker') ? ['docker', `docker-${host}`] : []),
    ...(has('docker') && has('page') ? ['docker-page', `docker-page-${host}`] : []),
  ]
}

function listFiles(layer: string): readonly string[] {
  const folder = join(templates, layer)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

const layerExists = (layer: string): boolean =>
  readdirSync(join(templates, dirname(layer)), { encoding: 'utf8' }).includes(layer.split('/').at(-1) ?? '')

/** The versions of all packages that a project may name, each exact. */
function readVersions(): Readonly<Record<string, string>> {
  const { version } = readJson(join(root, 'package.json')) as { readonly version: string }
  const { dependencies } = readJson(join(root, 'versions/package.json')) as { readonly dependencies: Readonly<Record<string, string>> }
  return { ...dependencies, lapidary: version, '@lapidary/cli': version, '@lapidary/docs-page': version }
}

/** Sorts dependencies by name, and gives each its version. */
function fillVersions(dependencies: Json | undefined, versions: Readonly<Record<string, string>>): { readonly [name: string]: Json } {
  const names = Object.keys(isRecord(dependencies) ? dependencies : {}).sort()
  return Object.fromEntries(
    names.map((name) => {
      const version = versions[name]
      if (version === undefined) throw new TypeError(`versions/package.json has no version of ${name}.`)
      return [name, version]
    }),
  )
}

function completeManifest(text: string): string {
  const manifest = JSON.parse(text) as { readonly [name: string]: Json }
  const versions = readVersions()
  const { dependencies, devDependencies, ...members } = manifest
  return formatJson({
    ...members,
    dependencies: fillVersions(dependencies, versions),
    devDependencies: fillVersions(devDependencies, versions),
  })
}

/** The words of npm in a README, as Bun has them. */
const wordsOfBun: readonly (readonly [string, string])[] = [
  ['npm install', 'bun install'],
  ['npm run ', 'bun run '],
  ['npm test', 'bun run test'],
  ['npm start', 'bun run start'],
  ['npx ', 'bunx '],
]

/** npm leaves files of this name out of a package, so that templates have another one. */
const toProjectPath = (path: string): string => path.replace(/(^|\/)_gitignore$/, '$1.gitignore')

/** The files of a project, by their paths with `/`. */
export function createProject(options: ProjectOptions): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const layer of listLayers(options).filter(layerExists)) {
    for (const file of listFiles(layer)) {
      const path = toProjectPath(file)
      const text = readFileSync(join(templates, layer, file), 'utf8')
      const present = files.get(path)
      files.set(path, present === undefined ? text : (joins[path]?.(present, text) ?? text))
    }
  }
  const complete = (path: string, text: string): string => {
    const named = text.replaceAll('my-api', options.name)
    if (path === 'package.json') return completeManifest(named)
    if (options.host === 'bun' && path === 'README.md') return wordsOfBun.reduce((words, [from, to]) => words.replaceAll(from, to), named)
    if (options.host === 'bun' && path.endsWith('.test.ts')) return named.replace("from 'vitest'", "from 'bun:test'")
    return named
  }
  return new Map([...files].sort().map(([path, text]) => [path, complete(path, text)]))
}

/** Writes files into a folder. Folders that do not exist are made. */
export function writeProject(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
