/** `lapidary migrate ts-rest`: its output, its notes and its exit codes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folder, lapidary } from '../support/runCli.ts'

const gallery = fileURLToPath(new URL('../../../ts-rest/test/support/gallery.ts', import.meta.url))

const write = (text: string): { readonly own: string; readonly path: string } => {
  const own = folder()
  const path = join(own, 'contract.ts')
  writeFileSync(path, text)
  return { own, path }
}

const route = `{ method: 'GET', path: '/one', responses: { 200: Symbol('ContractPlainType') } }`

test('it writes the description of a contract', async () => {
  const own = folder()
  const out = join(own, 'api.ts')
  expect(await lapidary(['migrate', 'ts-rest', gallery, '--out', out])).toEqual({
    code: 0,
    output: '',
    errors: expect.stringContaining('notes.any.body: c.type() has no schema, so it is any JSON.'),
  })
  const code = readFileSync(out, 'utf8')
  expect(code).toContain("list: endpoint('GET /works', {")
  expect(code).toContain('export const Work = z.object({')
})

test('without --out it writes to standard output, and names the contract beside it', async () => {
  const { path } = write(`export const contract = { one: ${route} }`)
  const { code, output } = await lapidary(['migrate', 'ts-rest', path])
  expect(code).toBe(0)
  expect(output).toContain("one: endpoint('GET /one', {\n    response: ok(json),\n  }),")
})

test('the contract is not overwritten', async () => {
  const { path } = write(`export const contract = { one: ${route} }`)
  const before = readFileSync(path, 'utf8')
  const { code, errors } = await lapidary(['migrate', 'ts-rest', path, '--out', path])
  expect([code, readFileSync(path, 'utf8')]).toEqual([2, before])
  expect(errors).toContain('is the contract, which a schema of the new module may need.')
})

test.each([
  [
    'a module without a contract',
    'export const a = 1',
    [],
    2,
    'exports no contract of ts-rest, which is what initContract().router() returns. It exports a.',
  ],
  [
    'several contracts',
    `export const a = { one: ${route} }\nexport const b = { two: ${route} }`,
    [],
    2,
    'exports several contracts: a, b. Choose one: --export a.',
  ],
  ['an unknown name', `export const a = { one: ${route} }`, ['--export', 'c'], 2, 'exports no contract named "c". Its contracts: a.'],
  [
    'what cannot be carried over',
    `export const contract = { one: { ...${route}, path: '/one/:id?' } }`,
    [],
    1,
    'fromTsRest(): one: the path /one/:id? has an optional capture.',
  ],
])('%s', async (_name, text, words, code, message) => {
  const { path } = write(text)
  const result = await lapidary(['migrate', 'ts-rest', path, ...words])
  expect(result).toMatchObject({ code, output: '' })
  expect(result.errors).toContain(message)
})
