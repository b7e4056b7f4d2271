/** `lapidary import`: its output, its notes and its exit codes. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, lapidary } from '../support/runCli.ts'

const document = `openapi: 3.1.0
info: { title: Stones, version: '1' }
paths:
  /stones/{id}.json: { get: { responses: { 204: { description: '' } } } }
  /stones/{id}:
    get:
      operationId: stones/get
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }]
      responses:
        200: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Stone' } } } }
        404: { description: none }
components: { schemas: { Stone: { type: object, required: [name], properties: { name: { type: string } } } } }
`

const code = `import { endpoint, ok, reply } from 'lapidary'
import { z } from 'zod'

export const Stone = z.object({ name: z.string() })

export const api = {
  stones: {
    get: endpoint('GET /stones/:id', {
      params: { id: z.int().min(1) },
      response: ok(Stone, { description: 'ok' }),
      errors: [reply(404, undefined, { description: 'none' })],
    }),
  },
}
`
const limit = '/paths/~1stones~1{id}.json: A parameter is a whole segment, and "{id}.json" has more, or a character that no route has.'

const write = (text: string): { readonly own: string; readonly path: string } => {
  const own = folder()
  const path = join(own, 'openapi.yaml')
  writeFileSync(path, text)
  return { own, path }
}

test('it writes the description of a document, and what the description does not say', async () => {
  const { own, path } = write(document)
  const errors = expect.stringContaining(limit)
  expect(await lapidary(['import', path])).toEqual({ code: 0, output: code, errors })
  const out = join(own, 'api.ts')
  expect(await lapidary(['import', path, '--out', out])).toEqual({ code: 0, output: '', errors })
  expect(readFileSync(out, 'utf8')).toBe(code)
})

test('names of a document are escaped, and begin no line', async () => {
  const paths = { '/a\n::error::b\u001b[31m.{id}x': { get: { responses: { 204: { description: '' } } } } }
  const { path } = write(JSON.stringify({ openapi: '3.1.0', info: { title: 'Stones', version: '1' }, paths }))
  const { output } = await lapidary(['limits', path])
  const { errors } = await lapidary(['import', path])
  for (const text of [output, errors]) {
    expect(text).toContain('/paths/~1a\\u000a::error::b\\u001b[31m.{id}x')
    expect(text.split('\n').some((line) => line.startsWith('::')) || text.includes('\u001b')).toBe(false)
  }
})

test('the document is not overwritten', async () => {
  const { path } = write(document)
  const { code: exit, errors } = await lapidary(['import', path, '--out', path])
  expect([exit, readFileSync(path, 'utf8')]).toEqual([2, document])
  expect(errors).toContain('is the document. Name another file, such as --out api.ts.')
})

test.each([
  ['no document', 'a: 1', 'it has neither "openapi" nor "swagger"'],
  ['broken YAML', 'openapi: [', 'openapi.yaml:1:'],
  ['another version', 'openapi: 4.0.0', 'expected OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, got "4.0.0"'],
])('%s', async (_name, text, message) => {
  const { path } = write(text)
  const result = await lapidary(['import', path])
  expect(result).toMatchObject({ code: 2, output: '' })
  expect(result.errors).toContain(message)
})

test('no result is written through a symbolic link', async () => {
  const { own } = write(document)
  const target = join(own, 'target.ts')
  writeFileSync(target, 'mine')
  symlinkSync(target, join(own, 'link.ts'))
  const { code: exitCode, errors } = await lapidary(['import', 'openapi.yaml', '--out', 'link.ts'], { folder: own })
  expect({ exitCode, errors }).toEqual({
    exitCode: 2,
    errors: 'link.ts is a symbolic link, and is not written through. Name the file that it leads to, or remove it.\n',
  })
  expect(readFileSync(target, 'utf8')).toBe('mine')
})
