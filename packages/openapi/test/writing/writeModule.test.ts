/** `writeModule`: the description of a document compiles, is formatted, and describes the same as `fromOpenApi`. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fromOpenApi, readOpenApi } from '@lapidary/openapi'
import { diff, manifest } from '@lapidary/testing'
import type { Api } from 'lapidary'
import { openapi } from 'lapidary/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api as everything } from '../../../lapidary/test/support/everythingApi.ts'
import { writeModule } from '../../src/writing/writeModule.ts'
import { listDifferences } from '../support/compareManifests.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const packageFolder = fileURLToPath(new URL('../../', import.meta.url))
mkdirSync(join(packageFolder, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(packageFolder, 'node_modules/.cache/imported-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runTool = (path: string, ...words: readonly string[]): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', path), ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

const textOf = (schema: object): object => ({ type: 'string', ...schema })
const createParameter = (place: string, name: string, required: boolean, schema: object): object => ({ in: place, name, required, schema })

/** Defaults where none has an effect: of what is required, of the items of a list, and those that are no value of their schemas. */
const uselessDefaults = {
  openapi: '3.1.0',
  info: { title: 'Defaults', version: '1' },
  components: { schemas: { Color: textOf({ enum: ['red', 'blue'], default: 'red' }) } },
  paths: {
    '/records/{set}': {
      post: {
        parameters: [
          createParameter('path', 'set', true, textOf({ default: 'citations' })),
          createParameter('query', 'page', true, { type: 'integer', default: 1 }),
          createParameter('query', 'size', false, { type: 'integer', default: 20 }),
          createParameter('header', 'X-Tenant', true, textOf({ enum: ['a', 'b'], default: 'a' })),
          createParameter('query', 'color', true, { $ref: '#/components/schemas/Color' }),
          createParameter('query', 'shade', false, { $ref: '#/components/schemas/Color' }),
        ],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['language', 'parts'],
                properties: {
                  language: textOf({ enum: ['en', 'de'], default: 'en' }),
                  tone: textOf({ enum: ['low', 'high'], default: 'medium' }),
                  include: { type: 'array', items: textOf({ enum: ['costs'], default: [] }) },
                  parts: { type: 'array', minItems: 1, items: { type: 'integer', default: 3 } },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'The record.',
            headers: {
              'X-Page': { required: true, schema: { type: 'integer', default: 1 } },
              'X-Color': { schema: textOf({ enum: ['red'], default: 'green' }) },
            },
            content: {
              'application/json': {
                schema: { type: 'object', required: ['color'], properties: { color: { $ref: '#/components/schemas/Color' } } },
              },
            },
          },
        },
      },
      put: {
        parameters: [createParameter('path', 'set', true, textOf({}))],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', required: ['color'], properties: { color: { $ref: '#/components/schemas/Color' } } },
            },
          },
        },
        responses: { 204: { description: 'Done.' } },
      },
    },
  },
}

const referTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] })
const objectOf = (properties: object, required: readonly string[] = []): object => ({ type: 'object', properties, required })
const size = { type: 'integer', default: 20 }

/** Schemas that contain themselves, and defaults within defaults. */
const schemas = {
  Node: objectOf({ left: orNull(referTo('Node')), right: orNull(referTo('Node')), owner: referTo('Person') }, ['right']),
  Person: objectOf({
    'first-name': textOf({}),
    friends: { type: 'array', items: referTo('Person') },
    nodes: { type: 'array', items: referTo('Node') },
  }),
  Tree: { type: 'array', items: { anyOf: [referTo('Tree'), { type: 'string', enum: ['leaf', 'bud'] }] } },
  Table: { type: 'object', additionalProperties: referTo('Table') },
  Part: { allOf: [objectOf({ id: textOf({}) }, ['id']), objectOf({ part: referTo('Part'), whole: orNull(referTo('Settings')) })] },
  Page: objectOf({ size, next: orNull(referTo('Page')) }),
  Settings: objectOf({
    page: { ...objectOf({ size }), default: {} },
    pages: { type: 'array', items: objectOf({ size }), default: [{}] },
    named: { $ref: '#/components/schemas/Size', default: {} },
    names: { type: 'array', items: textOf({}), default: [] },
  }),
  Size: objectOf({ size }),
  Path: textOf({ pattern: '^/[a-z]+/\\\\[/]$' }),
}
const circles = {
  openapi: '3.1.0',
  info: { title: 'Circles', version: '1' },
  components: { schemas },
  paths: Object.fromEntries(
    Object.keys(schemas).map((name) => {
      const content = { 'application/json': { schema: referTo(name) } }
      const operation = { requestBody: { required: true, content }, responses: { 200: { description: name, content } } }
      return [`/${name.toLowerCase()}`, { put: operation }]
    }),
  ),
}

const documents: Readonly<Record<string, () => Promise<unknown>>> = {
  words: () => readOpenApi(fileURLToPath(new URL('../support/words.yaml', import.meta.url))),
  ...Object.fromEntries(
    (['3.0', '3.1', '3.2'] as const).map((version) => [
      `everything${version.replace('.', '')}`,
      () => openapi(everything, { title: 'Everything', version: '1', openapi: version }),
    ]),
  ),
  uselessDefaults: async () => uselessDefaults,
  circles: async () => circles,
  noOperations: async () => ({ openapi: '3.1.0', info: { title: 'Nothing', version: '1' }, paths: {} }),
}
const names = Object.keys(documents)
const getDocument = async (name: string): Promise<unknown> => documents[name]?.()

beforeAll(async () => {
  for (const name of names) writeFileSync(join(folder, `${name}.ts`), writeModule(await getDocument(name)).code)
})

test('the modules compile', () => {
  const compilerOptions = {
    ...{ noEmit: true, types: ['node'], composite: false, declaration: false, declarationMap: false },
    ...{ isolatedDeclarations: false, rewriteRelativeImportExtensions: false },
  }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files: names.map((name) => `${name}.ts`) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  expect(runTool('typescript/bin/tsc', '-p', folder)).toEqual({ status: 0, output: '' })
})

test.each<[schema: object, code: string]>([
  [{ type: 'string', enum: ['00', '01', 8] }, "z.enum(['00', '01'])"],
  [{ type: 'string', enum: ['00', 8] }, "z.literal('00')"],
  [{ type: ['string', 'null'], enum: ['a', null, 1] }, "z.literal(['a', null])"],
  [{ type: 'integer', enum: [1, 1.5, '1'] }, 'z.literal(1)'],
  [{ type: 'integer', enum: ['1'] }, 'z.int()'],
  [{ type: 'string', const: 3 }, 'z.never()'],
  [{ enum: ['a', 1] }, "z.literal(['a', 1])"],
])('%j lists no value of another type', (schema, code) => {
  const content = { 'application/json': { schema } }
  const paths = { '/a': { get: { responses: { 200: { description: 'A value.', content } } } } }
  const module = writeModule({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }).code
  expect(/response: ok\((.*), \{ description/.exec(module)?.[1]).toBe(code)
})

test('a schema with members and without a type is a limit of the module: zod has no word for it', () => {
  const content = { 'application/json': { schema: { properties: { a: { properties: { b: {} } } } } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get: { responses: { 200: { description: 'A value.', content } } } } },
  }
  expect(fromOpenApi(document).limits).toEqual([])
  expect(writeModule(document).limits).toEqual([
    {
      kind: 'missing-type',
      pointer: '',
      message: '2 schemas have members and no "type". The module says that they are objects; the document allows any other value, too.',
    },
  ])
})

test('a default without an effect is a limit', () => {
  const { limits } = fromOpenApi(uselessDefaults)
  const places = limits.map(({ kind, pointer, message }) => [
    kind,
    pointer.split('/').slice(-4).join('/'),
    / (has no effect|is no value)/.exec(message)?.[1],
  ])
  const [noEffect, noValue] = ['has no effect', 'is no value']
  expect(places).toEqual(
    [
      ['parameters/0/schema/default', noEffect],
      ['parameters/1/schema/default', noEffect],
      ['parameters/3/schema/default', noEffect],
      ['parameters/4/schema/default', noEffect],
      ['schema/properties/language/default', noEffect],
      ['schema/properties/tone/default', noValue],
      ['properties/include/items/default', noEffect],
      ['properties/parts/items/default', noEffect],
      ['headers/X-Page/schema/default', noEffect],
      ['headers/X-Color/schema/default', noValue],
    ].map(([place, problem]) => ['malformed-schema', place, problem]),
  )
})

describe.each(names)('%s', (name) => {
  test('describes the same', async () => {
    const { api } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as { readonly api: Api }
    const [before, after] = [manifest(fromOpenApi(await getDocument(name)).api), manifest(api)]
    // zod writes parts that contain themselves in another way: what they allow is compared.
    expect(name === 'circles' ? diff(before, after) : listDifferences(before, after)).toEqual([])
    expect([Object.keys(after.webhooks ?? {}), after.mounts]).toEqual([Object.keys(before.webhooks ?? {}), before.mounts])
  })

  test('is formatted', () => {
    const path = join(folder, `${name}.ts`)
    const before = readFileSync(path, 'utf8')
    const javascript = { formatter: { quoteStyle: 'single', semicolons: 'asNeeded' } }
    writeFileSync(
      join(folder, 'biome.json'),
      JSON.stringify({ root: true, formatter: { indentStyle: 'space', lineWidth: 100 }, javascript }),
    )
    runTool('@biomejs/biome/bin/biome', 'format', '--write', '--config-path', folder, `${name}.ts`)
    expect(readFileSync(path, 'utf8')).toBe(before)
  })
})
