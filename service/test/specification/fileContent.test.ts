/** The specification's "File content". */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, json, plain, specify } from './expected.ts'
import { send } from './send.ts'

const content = 'First line\r\nZweite Zeile: äöü\n\n"quoted" \\ 🌍\n'
const [present, absent] = await Promise.all([service({ files: { 'myfile.txt': content } }), service()])
afterAll(present.close)
afterAll(absent.close)

/** A sentence for people that says which file is missing and not where. */
const explanation: unknown = expect.stringMatching(/^(?!.*\/)[A-Z][^\n]*myfile\.txt[^\n]*\.$/)

specify(present.main, [
  ['GET /myfile.txt: 200, FileContent whose content is the text of a file of that name', 'GET /myfile.txt', json({ content })],
])

specify(absent.main, [
  ['when the file is absent, 404 with a human-readable explanatory body', 'GET /myfile.txt', plain(explanation, {}, 404)],
  ['HEAD of an absent file: 404 as well', 'HEAD /myfile.txt', plain('', {}, 404)],
])

test('the file is read for each request: it can be created, changed and removed', async () => {
  const { main, folder } = await serviceOfTest()
  const path = join(folder, 'myfile.txt')
  expect(comparable(await send(main, 'GET /myfile.txt'))).toEqual(plain(explanation, {}, 404))
  for (const text of ['one', 'two', '']) {
    writeFileSync(path, text)
    expect(comparable(await send(main, 'GET /myfile.txt'))).toEqual(json({ content: text }))
  }
  rmSync(path)
  expect(comparable(await send(main, 'GET /myfile.txt'))).toEqual(plain(explanation, {}, 404))
})

test('a folder of that name is 404', async () => {
  const { main, folder } = await serviceOfTest()
  mkdirSync(join(folder, 'myfile.txt'))
  expect(comparable(await send(main, 'GET /myfile.txt'))).toEqual(plain(explanation, {}, 404))
})

test('a byte order mark and characters that JSON escapes are part of the text', async () => {
  const text = '\ufeff\u0000\u0001\u2028"\\'
  const { main } = await serviceOfTest({ files: { 'myfile.txt': text } })
  expect(comparable(await send(main, 'GET /myfile.txt'))).toEqual(json({ content: text }))
})
