/** The flags of endpoints: their names, and the requests that they make. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { array, codec, endpoint, flag, int, noContent, optional, text } from 'lapidary'
import { expect, onTestFinished, test } from 'vitest'
import { isSwitch, listFlags } from '../../src/call/flags.ts'
import { lapidary } from '../support/runCli.ts'

test.each([
  ['x', 'x'],
  ['sortBy', 'sortBy'],
  ['sort_by', 'sort_by'],
  ['X-Api-Key', 'X-Api-Key'],
  ['userID', 'userID'],
  ['page2Size', 'page2Size'],
  ['filter[name]', 'filter-name'],
  ['Größe', 'Größe'],
  ['_', 'query'],
  ['no-cache', 'query-no-cache'],
  ['body', 'query-body'],
  ['id', 'query-id'],
])('the query parameter %s is the flag --%s', (name, expected) => {
  const one = endpoint('GET /:id', { query: { [name]: text }, response: noContent })
  const flags = listFlags(one, [new Option('--body <text>')])
  expect(flags.find(({ part }) => part === 'query')?.flag).toBe(expected)
})

test.each([
  ['--kernel_id', 'the name that the description has'],
  ['--kernel-id', 'the same with hyphens'],
])('%s is a flag: %s', async (flag) => {
  const server = createServer(({ url }, response) => void response.end(JSON.stringify(url))).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } }
  const parameters = [
    { name: 'kernel_id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'X-Depth', in: 'header', schema: { type: 'string' } },
  ]
  const paths = { '/kernels/{kernel_id}': { get: { operationId: 'kernel', parameters, responses } } }
  const path = join(folder, 'openapi.json')
  writeFileSync(path, JSON.stringify({ openapi: '3.1.0', info: { title: 'Kernels', version: '1' }, paths }))
  expect((await lapidary(['call', path, 'kernel', flag, '7', '--X-Depth', '1', '--base', base])).output).toBe('"/kernels/7"')
  const { output } = await lapidary(['call', path, 'kernel', '--help'])
  expect(output).toContain('  --kernel_id <value> ')
  expect(output).toContain('  --x-depth <value> ')
  expect(output).not.toContain('--kernel-id')
  const refused = await lapidary(['check', path, '--url', base, '--capture', 'kernel-id=7', '--requests', '40'])
  expect(refused.errors).not.toContain('has a capture named')
})

test('three names that would be one flag are three flags', () => {
  const one = endpoint('GET /a', { query: { 'a-b': text, a_b: text, aB: text }, response: noContent })
  expect(listFlags(one, []).map(({ flag }) => flag)).toEqual(['query-a-b', 'query-a-b-2', 'query-a-b-2-2'])
})

test('a parameter without a value is a switch', () => {
  const word = codec({ name: 'word', parse: (given) => given, print: (given) => given, schema: {}, example: '' })
  const query = { flag, text, int, word, optional: optional(text), many: array(text), loud: optional(flag) }
  const flags = listFlags(endpoint('GET /a', { query, response: noContent }), [])
  expect(flags.filter(({ parameter }) => isSwitch(parameter)).map(({ name }) => name)).toEqual(['flag'])
})

test('a name that is reserved, ambiguous or not a valid flag gets a flag with a prefix', async () => {
  await expect((await lapidary(['call', 'smallApi.ts', 'odd', '--help'])).output).toMatchFileSnapshot('../golden/help-call-odd.txt')

  const server = createServer(({ url, headers }, response) => {
    response.end(JSON.stringify([decodeURIComponent(url ?? ''), headers['x-1'], headers['x-real-ip']]))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const flags = {
    'path-base': 'a',
    'path-user-id': 'b',
    'query-base': 'c',
    'query-help': 'd',
    'query-user-id': '1',
    'filter-name': 'e',
    x1: '2',
    'query-x-1': '3',
    query: 'f',
    'query-2': 'g',
    größe: 'h',
    'header-x-1': '4',
    'x-real-ip': 'i',
  }
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, output, errors } = await lapidary(['call', 'smallApi.ts', 'odd', ...words, '--query-no-cache', '--base', base])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(JSON.parse(output)).toEqual(['/odd/a/b?base=c&help=d&no-cache=&userID=1&filter[name]=e&x1=2&x_1=3&$=f&--=g&Größe=h', '4', 'i'])
})
