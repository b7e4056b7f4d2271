/** A file that cannot be written: every command says the same sentence, and ends with the code of a command that could not run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lapidary } from '../support/runCli.ts'

const home = mkdtempSync(join(tmpdir(), 'lapidary-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const document = join(home, 'api.json')
const next = join(home, 'next.json')
const paths = (status: number) => ({ '/stones': { get: { operationId: 'list', responses: { [status]: { description: 'All.' } } } } })
for (const [file, status] of [
  [document, 204],
  [next, 202],
] as const)
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Stones', version: '1' }, paths: paths(status) }))
const out = join(home, 'nowhere', 'result')

test.each([
  ['markdown', document, '--out', out],
  ['openapi', document, '--out', out],
  ['manifest', document, '--out', out],
  ['import', document, '--out', out],
  ['routes', document, '--client', '--out', out],
  ['diff', document, next, '--format', `json=${out}`],
  ['diff', document, document, '--format', `junit=${out}`],
])('of %s', async (...words) => {
  expect(await lapidary(words)).toMatchObject({ code: 2, errors: `${out} cannot be written: no such file or directory.\n` })
})

test('of check', async () => {
  const server = createServer((_, response) => response.writeHead(204).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, errors } = await lapidary(['check', document, '--url', url, '--format', `sarif=${out}`])
    expect([code, errors.split('\n').at(-2)]).toEqual([2, `${out} cannot be written: no such file or directory.`])
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})
