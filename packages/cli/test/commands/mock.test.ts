/** `lapidary mock`: a server of the description alone. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { printedErrors } from '../../../lapidary/test/support/printedErrors.ts'
import { begin, lapidary } from '../support/runCli.ts'

const module = 'smallApi.ts'
const address = /listening on (http:\S+) \(seed (\d+)\)\n/

/** A mock that runs, and how to end it. */
async function running(words: readonly string[], columns?: number) {
  const command = begin(['mock', module, '--port', '0', ...words], columns === undefined ? {} : { columns })
  onTestFinished(async () => {
    command.stop()
    await command.ended
  })
  const output = await command.waitForOutput('listening on')
  const [, url = '', seed] = address.exec(output) ?? []
  return { ...command, url, seed }
}

test('it responds until it is interrupted, and exits with 0', async () => {
  const { url, seed, stop, ended } = await running([])
  expect(seed).toBe('1')
  expect((await fetch(`${url}/search?word=opal`)).status).toBe(200)
  expect((await fetch(`${url}/search`)).status).toBe(400)
  expect((await fetch(`${url}/account`)).status).toBe(401)
  stop()
  const { code, output, errors } = await ended
  expect({ code, output, errors }).toEqual({ code: 0, output: `listening on ${url} (seed 1)\n`, errors: '' })
})

test('on a terminal it logs each request', async () => {
  const { url, stop, ended } = await running(['--seed', '42'], 80)
  await (await fetch(`${url}/search?word=opal`)).text()
  await (await fetch(`${url}/nowhere`, { method: 'POST' })).text()
  stop()
  const lines = (await ended).output.split('\n').slice(1, -1)
  expect(lines.map((line) => line.replace(/\d+ ms$/, 'some ms'))).toEqual([
    'GET /search?word=opal 200 some ms',
    'POST /nowhere 404 some ms',
  ])
})

test('the same seed gives the same response, and faults have the given rates', async () => {
  const [one, same] = [await running(['--seed', '7']), await running(['--seed', '7'])]
  const body = async ({ url }: { readonly url: string }): Promise<string> => (await fetch(`${url}/stream`)).text()
  expect(await body(one)).toBe(await body(same))
  const { url } = await running(['--unavailable', '1', '--delay', '1-2'])
  const response = await fetch(`${url}/stream`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  const printed = printedErrors()
  const cut = await running(['--cut', '1'])
  await expect(body(cut)).rejects.toThrow()
  expect(printed).toEqual([[{ method: 'GET', target: '/stream' }, expect.objectContaining({ name: 'ResponseCut' })]])
})

test('a port in use is reported with one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await lapidary(['mock', module, '--port', `${port}`])).toEqual({
    code: 1,
    output: '',
    errors: `Another program listens on 127.0.0.1:${port}. Stop it, or choose another port: --port 8082, or --port 0 for any free port.\n`,
  })
})

describe('invalid options are rejected with one sentence:', () => {
  test.each([
    [['--port', 'x'], '--port: expected an integer such as 1000, got "x".'],
    [['--port', '70000'], '--port: expected an integer such as 1000, got "70000".'],
    [['--seed', '1.5'], '--seed: expected an integer such as 1000, got "1.5".'],
    [['--delay', '300-50'], '--delay: expected the minimum and the maximum in milliseconds, such as 50-300, got "300-50".'],
    [['--unavailable', '2'], '--unavailable: expected a share of the requests from 0 to 1, such as 0.05, got "2".'],
    [['--cut', ''], '--cut: expected a share of the requests from 0 to 1, such as 0.05, got "".'],
    [['--export', 'nope'], 'smallApi.ts exports no API named "nope". Its APIs: api.'],
  ])('%j', async (words, sentence) => {
    expect(await lapidary(['mock', module, ...words])).toEqual({ code: 2, output: '', errors: `${sentence}\n` })
  })
})
