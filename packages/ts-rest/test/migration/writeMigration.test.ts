/** `writeMigration`: the module that takes the place of a contract compiles, is formatted, and describes the same. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { diff, manifest } from '@lapidary/testing'
import { fromTsRest } from '@lapidary/ts-rest'
import { initContract } from '@ts-rest/core'
import type { Api } from 'lapidary'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as zod3 } from 'zod3'
import type { RuntimeRouter } from '../../src/contract.ts'
import { type Migration, writeMigration } from '../../src/migration/writeMigration.ts'
import { versions } from '../support/versions.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const packageFolder = join(root, 'packages/ts-rest')
// Below the package, so that zod and the toolkit are found from there.
mkdirSync(join(packageFolder, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(packageFolder, 'node_modules/.cache/migrated-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runTool = (path: string, ...words: readonly string[]): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', path), ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

/** Writes a module, and the description that it exports. */
async function load(name: string, { code }: Migration): Promise<Api> {
  const path = join(folder, `${name}.ts`)
  writeFileSync(path, code)
  const { api } = (await import(pathToFileURL(path).href)) as { readonly api: Api }
  return api
}

/** Whether a module compiles, and is formatted. */
function checkModule(code: string): void {
  writeFileSync(join(folder, 'api.ts'), code)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: true,
        types: ['node'],
        composite: false,
        declaration: false,
        declarationMap: false,
        isolatedDeclarations: false,
        rewriteRelativeImportExtensions: false,
      },
      files: ['api.ts'],
    }),
  )
  expect(runTool('typescript/bin/tsc', '-p', folder)).toEqual({ status: 0, output: '' })
  writeFileSync(
    join(folder, 'biome.json'),
    JSON.stringify({
      root: true,
      formatter: { indentStyle: 'space', lineWidth: 100 },
      javascript: { formatter: { quoteStyle: 'single', semicolons: 'asNeeded' } },
    }),
  )
  runTool('@biomejs/biome/bin/biome', 'format', '--write', '--config-path', folder, 'api.ts')
  expect(readFileSync(join(folder, 'api.ts'), 'utf8')).toBe(code)
}

const migrate = (contract: object, exports: Readonly<Record<string, unknown>> = {}): Migration =>
  writeMigration(contract as RuntimeRouter, { exports, name: 'contract', specifier: '../../../test/support/gallery.ts' })

test.each(versions.map((version, index) => ({ ...version, file: `gallery${index}` })))(
  '$name: the diff of 30 endpoints is empty',
  async ({ file, gallery }) => {
    const { contract } = gallery
    const migrated = await load(file, migrate(contract, { ...gallery }))
    expect(diff(manifest(fromTsRest(contract)), manifest(migrated))).toEqual([])
    expect(manifest(migrated)).toEqual(manifest(fromTsRest(contract)))
  },
)

test('the module is formatted, and compiles', async () => {
  const { code, notes } = migrate(versions[0].gallery.contract, { ...versions[0].gallery })
  await expect(code).toMatchFileSnapshot('../support/migrated.txt')
  expect(notes).toEqual([
    'notes.any.responses.200: c.type() has no schema, so it is any JSON. Write a schema, which checks it and documents it.',
    'notes.any.body: c.type() has no schema, so it is any JSON. Write a schema, which checks it and documents it.',
    'notes.any.responses.500: c.type() has no schema, so it is any JSON. Write a schema, which checks it and documents it.',
  ])
  checkModule(code)
})

const c = initContract()
const limit = 3

test('what cannot be written down stays in the contract', async () => {
  const contract = c.router({
    short: {
      method: 'POST',
      path: '/short',
      body: z.object({ text: z.string().refine((text) => text.length < limit) }),
      responses: { 200: z.string() },
    },
  })
  const { code, notes } = migrate(contract)
  expect(notes).toEqual(['short.body: the schema stays in the contract, because its refinement uses what its file declares.'])
  expect(code).toContain('body: contractSchema(contract.short.body),')
})

test('words are written once, and long ones below their name', () => {
  const words = 'This endpoint is deprecated, but will continue to be supported. For more details, see the page on versions.'
  const contract = c.router({
    one: {
      method: 'GET',
      path: '/one',
      description: words,
      query: zod3.object({ page: zod3.number().describe('Its number.').default(1), search: zod3.string().describe(words).optional() }),
      responses: { 200: zod3.object({ id: zod3.string().describe(`Its "name". ${words}`) }) },
    },
  })
  const { code } = migrate(contract)
  expect(code.match(/Its number/g)).toHaveLength(1)
  checkModule(code)
})

test('a contract of another name keeps out of the way', () => {
  const body = z.string().refine((text) => text.length < limit)
  const contract = c.router({ one: { method: 'POST', path: '/one', body, responses: { 204: c.noBody() } } }) as unknown as RuntimeRouter
  const { code } = writeMigration(contract, { exports: {}, name: 'api', specifier: './contract.ts' })
  expect(code).toContain("import { api as contract } from './contract.ts'\n")
  expect(code).toContain('body: contractSchema(contract.one.body),')
})

test('the name of the file of a contract can have a quote', () => {
  const contract = { one: { method: 'GET', path: '/one', responses: { 200: z.custom<string>((value) => typeof value === 'string') } } }
  const { code } = writeMigration(contract, { exports: {}, name: 'contract', specifier: "./it's/contract.ts" })
  expect(code).toContain(`import { contract } from "./it's/contract.ts"\n`)
})

test('functions that need nothing of their file are written down', async () => {
  const text = z
    .string()
    .refine((value) => value !== 'no', { error: 'not no', path: ['text'] })
    .transform((value) => value.trim())
  const contract = c.router({ one: { method: 'POST', path: '/one', body: z.object({ text }), responses: { 200: z.string() } } })
  const { code, notes } = migrate(contract)
  expect(notes).toEqual([])
  expect(code).toContain(".refine((value) => value !== 'no', { error: 'not no', path: ['text'] })")
  expect(code).toContain('.transform((value) => value.trim())')
  expect(manifest(await load('functions', { code, notes }))).toEqual(manifest(fromTsRest(contract)))
})

test('an exported schema keeps its name, and one that stands twice gets a name', () => {
  const Stone = z.object({ name: z.string() })
  const problem = z.object({ message: z.string() })
  const contract = c.router({
    a: { method: 'GET', path: '/a', responses: { 200: Stone, 404: problem } },
    b: { method: 'GET', path: '/b', responses: { 200: z.array(Stone), 404: problem } },
  })
  const { code } = migrate(contract, { Stone })
  expect(code).toContain('export const Stone = z.object({ name: z.string() })')
  expect(code).toContain('const ErrorSchema = z.object({ message: z.string() })')
  expect(code).toContain('response: ok(z.array(Stone)),')
})

test('a name says what the places of a schema share, and is none of the language', async () => {
  const date = z.object({ day: z.string() })
  const stone = z.object({ name: z.string(), date })
  const text = z.object({ text: z.string() })
  const contract = c.router({
    stones: {
      add: { method: 'POST', path: '/stones', body: stone, responses: { 201: z.object({ date, at: z.date() }) } },
      change: { method: 'PUT', path: '/stones/:id', body: stone, responses: { 200: text } },
    },
    notes: { add: { method: 'POST', path: '/notes', body: text, responses: { 204: c.noBody() } } },
  })
  const { code, notes } = migrate(contract, { text })
  expect([...code.matchAll(/^(?:export )?const (\w+) = z\.object/gm)].map(([, name]) => name)).toEqual([
    'DateSchema',
    'StonesBody',
    'text2',
  ])
  expect(manifest(await load('names', { code, notes }))).toEqual(manifest(fromTsRest(contract)))
})

describe.each([
  ['zod 3', zod3 as unknown as typeof z],
  ['zod 4', z],
])('schemas of %s that contain themselves', (name, zod) => {
  interface Post {
    readonly text: string
    readonly at: Date
    readonly replies: readonly Post[]
    readonly quote?: Post | null | undefined
  }
  const Post: z.ZodType<Post> = zod.object({
    text: zod.string(),
    at: zod.date(),
    replies: zod.lazy(() => zod.array(Post)),
    quote: zod.lazy(() => Post.nullable()).optional(),
  })
  const contract = c.router({
    list: { method: 'GET', path: '/posts', responses: { 200: zod.array(Post) } },
    add: { method: 'POST', path: '/posts', body: Post, responses: { 201: Post } },
  })

  test('an object is written with getters', async () => {
    const { code, notes } = migrate(contract, { Post })
    expect(notes).toEqual([])
    expect(code).toContain('  get replies() {\n    return z.array(Post)\n  },\n')
    checkModule(code)
    expect(diff(manifest(fromTsRest(contract)), manifest(await load(`recursive ${name}`, { code, notes })))).toEqual([])
  })

  test('any other one stays in the contract', async () => {
    const value: z.ZodType = zod.lazy(() => zod.union([zod.string(), zod.array(value), zod.record(zod.string(), value)]))
    const items: z.ZodType = zod.array(zod.lazy(() => items))
    const { code, notes } = migrate(
      c.router({ one: { method: 'POST', path: '/one', body: value, responses: { 200: zod.object({ items }) } } }),
    )
    expect(notes).toEqual([
      'one.responses.200: the schema stays in the contract, because it contains itself, and is no object.',
      'one.body: the schema stays in the contract, because it contains itself, and is no object.',
    ])
    expect(code).toContain('body: contractSchema(contract.one.body),')
  })
})

test('bodies that the toolkit has no word for, and forms without a schema', async () => {
  const contract = c.router({
    feed: {
      method: 'GET',
      path: '/feed',
      responses: { 200: c.otherResponse({ contentType: 'application/vnd.api+json', body: z.object({ a: z.string() }) }) },
    },
    upload: {
      method: 'POST',
      path: '/upload',
      contentType: 'multipart/form-data',
      body: c.type<{ readonly photo: File }>(),
      responses: { 204: c.noBody() },
    },
    price: {
      method: 'POST',
      path: '/price',
      contentType: 'multipart/form-data',
      body: z.object({
        price: z.number(),
        tags: z.array(z.string()),
        more: z.array(z.file()),
        kind: z.enum(['a']),
        sold: z.boolean().optional(),
      }),
      responses: { 204: c.noBody() },
    },
    nested: {
      method: 'POST',
      path: '/nested',
      contentType: 'multipart/form-data',
      body: z.object({ price: z.object({ value: z.number() }) }),
      responses: { 204: c.noBody() },
    },
    form: {
      method: 'POST',
      path: '/form',
      contentType: 'application/x-www-form-urlencoded',
      body: c.type<{ readonly a: string }>(),
      responses: { 204: z.undefined() },
    },
    file: {
      method: 'GET',
      path: '/file',
      responses: { 200: c.otherResponse({ contentType: 'application/octet-stream', body: c.type<Uint8Array>() }) },
    },
  })
  const migration = migrate(contract)
  const migrated = await load('bodies', migration)
  expect(migration.notes).toHaveLength(3)
  expect(manifest(migrated)).toEqual(manifest(fromTsRest(contract)))
})
