/** The scripts about the documents of a folder: one counts their limits, the other compiles the modules that `import` writes of them. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../publicDocuments.mjs', import.meta.url))
const modules = fileURLToPath(new URL('../publicModules.mjs', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lapidary-documents-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('each document is counted once, and other files are not', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Stones', version: '1' },
    paths: { '/a': { head: {}, get: { responses: { 204: {} } } } },
  }
  mkdirSync(join(folder, 'one'))
  writeFileSync(join(folder, 'one/openapi.json'), JSON.stringify(document))
  writeFileSync(join(folder, 'one/broken.yaml'), 'openapi: 3.1.0\npaths: [')
  writeFileSync(join(folder, 'one/package.json'), '{"name":"one"}')
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder, '--show', 'method'])
  expect(stdout).toContain('| one | 2 | 1 | 0 | 1 | 1 |\n')
  expect(stdout).toContain('| method | 1 | 1 |\n')
  expect(stdout).toContain('unreadable: one/broken.yaml: ')
  expect(stdout).toContain('one/openapi.json /paths/~1a/head: The server answers HEAD itself.')
})

test('the module of each document that is read is compiled and loaded', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', modules, folder], { cwd: root })
  expect(stdout).toBe('1 modules, 0 with a fault\n')
})
