/** `readOpenApi`: JSON and YAML, references to files, and errors that name the place. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fromOpenApi, readOpenApi } from '@lapidary/openapi'
import { manifest } from '@lapidary/testing'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'lapidary-openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes files, and returns the path of the first. */
function writeFiles(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), text)
  }
  return join(folder, name, Object.keys(files)[0] ?? '')
}

const yaml = `openapi: 3.1.0
info: { title: Stones, version: '1' }
paths:
  /stones:
    get:
      operationId: stones
      responses:
        200:
          description: ok
          content: { application/json: { schema: { type: string, enum: [yes, on] } } }
`

test('JSON and YAML are the same, and a byte order mark does not count', async () => {
  const document = await readOpenApi(writeFiles('yaml', { 'openapi.yaml': `\ufeff${yaml}` }))
  const json = await readOpenApi(writeFiles('json', { 'openapi.json': JSON.stringify(document) }))
  expect(json).toEqual(document)
  // Words are texts, as in YAML 1.2.
  expect(manifest(fromOpenApi(document).api).endpoints['stones']?.responses[0]?.body?.schema).toEqual({
    type: 'string',
    enum: ['yes', 'on'],
  })
})

describe('references to files', () => {
  const root = `openapi: 3.1.0
info: { title: Stones, version: '1' }
paths:
  /stones: { $ref: './paths/stones.yaml' }
`
  const path = `post:
  operationId: addStone
  parameters: [{ $ref: '../parameters.yaml#/dry' }]
  requestBody: { content: { application/json: { schema: { $ref: '../schemas/Stone.json' } } } }
  responses:
    204: { $ref: '#/responses/done' }
responses: { done: { description: done } }
`
  const files = {
    'openapi.yaml': root,
    'paths/stones.yaml': path,
    'parameters.yaml': 'dry: { name: dry, in: query, schema: { type: boolean } }',
    'schemas/Stone.json': JSON.stringify({ type: 'object', properties: { next: { $ref: '#' }, cut: { $ref: 'Cut.yaml' } } }),
    'schemas/Cut.yaml': 'type: string',
  }

  test('the document has the files, and its references lead there', async () => {
    const { api, limits } = fromOpenApi(await readOpenApi(writeFiles('files', files)))
    expect(limits).toEqual([])
    expect(manifest(api).endpoints['addStone']).toMatchObject({
      query: { dry: { codec: 'boolean' } },
      body: { schema: { properties: { next: { $ref: '#/$defs/Stone' }, cut: { $ref: '#/$defs/Cut' } } } },
      responses: [{ status: 204 }],
    })
  })

  test('another reader gives the texts, such as those of a commit', async () => {
    const read: string[] = []
    const readText = async (file: string): Promise<string> => {
      const name = relative('/at/a/commit', file).replaceAll('\\', '/')
      read.push(name)
      return files[name as 'openapi.yaml']
    }
    const { limits } = fromOpenApi(await readOpenApi('/at/a/commit/openapi.yaml', { readText }))
    expect([limits, read.sort()]).toEqual([[], Object.keys(files).sort()])
  })

  test('references in examples are values', async () => {
    const document = yaml.replace(
      'operationId: stones',
      `operationId: stones\n      x-example: 1\n      parameters: [{ name: a, in: query, example: { $ref: none.yaml } }]`,
    )
    expect(await readOpenApi(writeFiles('examples', { 'openapi.yaml': document }))).not.toHaveProperty('x-files')
  })

  test('responses and components have any name, such as default and value', async () => {
    const document = `openapi: 3.1.0
info: { title: Stones, version: '1' }
paths:
  /a: { get: { operationId: a, responses: { 204: { description: ok }, default: { $ref: 'parts.yaml#/error' } } } }
  /b:
    get:
      operationId: b
      parameters: [{ $ref: '#/components/parameters/value' }]
      responses: { 200: { $ref: '#/components/responses/default' }, 202: { $ref: '#/components/responses/enum' } }
components:
  parameters: { value: { $ref: 'parts.yaml#/dry' } }
  responses: { default: { $ref: 'parts.yaml#/error' }, enum: { $ref: 'parts.yaml#/error' } }
  examples: { const: { value: { $ref: none.yaml } } }
`
    const parts = `error: { description: e, content: { application/json: { schema: { $ref: '#/code' } } } }
code: { type: integer, default: { $ref: none.yaml } }
dry: { name: dry, in: query, schema: { type: boolean } }
`
    const { api, limits } = fromOpenApi(await readOpenApi(writeFiles('names', { 'openapi.yaml': document, 'parts.yaml': parts })))
    const { b } = manifest(api).endpoints
    const body = { schema: { type: 'integer' } }
    expect(b).toMatchObject({
      query: { dry: { codec: 'boolean' } },
      responses: [
        { status: 200, body },
        { status: 202, body },
      ],
    })
    expect(limits.filter(({ kind }) => kind === 'reference')).toEqual([])
  })

  test('the paths of Swagger 2.0 may be files', async () => {
    const swagger = `swagger: '2.0'\ninfo: { title: Stones, version: '1' }\npaths: { /stones: { $ref: stones.yaml } }\n`
    const stones = `get: { operationId: stones, produces: [application/json], responses: { 200: { description: ok, schema: { type: string } } } }`
    const { api } = fromOpenApi(await readOpenApi(writeFiles('swagger', { 'swagger.yaml': swagger, 'stones.yaml': stones })))
    expect(manifest(api).endpoints['stones']?.responses[0]?.body?.schema).toEqual({ type: 'string' })
  })
})

describe('with a root, no reference leads out of it', () => {
  const refer = (reference: string): string => `openapi: 3.1.0\npaths: { /a: { $ref: '${reference}' } }`
  const own = join(folder, 'root/own')
  writeFiles('root', { 'secret.yaml': 'get: { operationId: secret }', 'own/docs/in.yaml': 'get: { operationId: in }' })
  symlinkSync('../secret.yaml', join(own, 'link.yaml'))
  symlinkSync('docs/in.yaml', join(own, 'own.yaml'))
  symlinkSync('..', join(own, 'above'))

  test.each([
    '../secret.yaml',
    join(folder, 'root/secret.yaml'),
    'link.yaml',
    'above/secret.yaml',
    'docs/../../secret.yaml',
    '%2e%2e/secret.yaml',
  ])('%s is refused', async (reference) => {
    const path = writeFiles('root', { 'own/openapi.yaml': refer(reference) })
    await expect(readOpenApi(path, { root: own })).rejects.toThrow(
      /at \/paths\/~1a leads nowhere: .* cannot be read \(it is outside of the root, and only files in the root are read\)$/,
    )
    expect(JSON.stringify(await readOpenApi(path))).toContain('secret')
  })

  test('files in it are read, by links as well', async () => {
    for (const reference of ['docs/in.yaml', 'own.yaml', './docs/../own.yaml', 'above/own/own.yaml']) {
      const path = writeFiles('root', { 'own/openapi.yaml': refer(reference) })
      expect(JSON.stringify(await readOpenApi(path, { root: own }))).toContain('"operationId":"in"')
    }
    await expect(readOpenApi(join(own, 'link.yaml'), { root: own })).rejects.toThrow(TypeError)
  })
})

describe('errors name the place', () => {
  test.each<[name: string, files: Readonly<Record<string, string>>, message: string]>([
    ['no file', {}, 'openapi.yaml: cannot be read (ENOENT)'],
    ['broken YAML', { 'openapi.yaml': 'openapi: 3.1.0\npaths: [' }, 'openapi.yaml:2:9: '],
    ['broken JSON', { 'openapi.yaml': '{\n  "openapi": "3.1.0"\n' }, 'openapi.yaml:3:1: '],
    ['a duplicate key', { 'openapi.yaml': 'a: 1\na: 2' }, 'openapi.yaml:2:1: Map keys must be unique'],
    ['a list', { 'openapi.yaml': '- a' }, 'openapi.yaml:1:1: expected an OpenAPI document'],
    ['no such file', { 'openapi.yaml': 'a: { $ref: b.yaml }' }, 'openapi.yaml: the reference "b.yaml" at /a leads nowhere: '],
    ['no percent-encoding', { 'openapi.yaml': 'a: { $ref: "%zz.yaml" }' }, 'openapi.yaml: the reference "%zz.yaml" at /a leads nowhere: '],
  ])('%s', async (name, files, message) => {
    writeFiles(name, { 'other.txt': '', ...files })
    await expect(readOpenApi(join(folder, name, 'openapi.yaml'))).rejects.toThrow(message)
  })

  test.each([
    ['an alias of YAML in itself', 'paths: &p { /a: { get: { x-self: *p } } }'],
    ['1,500 objects in one another', `{"paths":{"/a":{"get":${'{"x-self":'.repeat(1500)}1${'}'.repeat(1500)}}}}`],
  ])('%s', async (name, text) => {
    const path = writeFiles(name.replaceAll(/\W/g, ''), { 'openapi.yaml': text })
    await expect(readOpenApi(path)).rejects.toThrow(
      'openapi.yaml: expected at most 500 values within one another, got more at /paths/~1a/get/x-self/',
    )
  })

  test('aliases of YAML that fill the memory are refused', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`)
    const path = writeFiles('aliases', { 'openapi.yaml': `a0: &a0 [x, x]\n${lines.join('\n')}` })
    await expect(readOpenApi(path)).rejects.toThrow('Excessive alias count')
  })

  test.each([
    [
      'stand for too many values',
      (aliases: string) => `a: &a [${'x,'.repeat(3_000)}]\nb: [${aliases}]`,
      'stand for more than 2,000,000 values',
    ],
    [
      'are too many',
      (aliases: string) => `a: &a 1\nb: [${aliases.repeat(4)}]`,
      'openapi.yaml:2:30005: the file has more than 10,000 aliases',
    ],
    ['lead in a circle', () => 'a: &a { b: [*a] }', 'expected at most 500 values within one another'],
  ])('aliases of YAML that %s are refused', async (name, write, message) => {
    const path = writeFiles(name, { 'openapi.yaml': write('*a,'.repeat(3_000)) })
    await expect(readOpenApi(path)).rejects.toThrow(message)
  })
})
