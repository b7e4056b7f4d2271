/** The flags of endpoints: their names, and the requests that they make. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Option } from 'commander'
import { array, codec, endpoint, flag, int, noContent, optional, text } from 'lapidary'
import { expect, onTestFinished, test } from 'vitest'
import { isSwitch, listFlags } from '../../src/call/flags.ts'
import { lapidary } from '../support/runCli.ts'

test.each([
  ['x', 'x'],
  ['sortBy', 'sort-by'],
  ['sort_by', 'sort-by'],
  ['X-Api-Key', 'x-api-key'],
  ['userID', 'user-id'],
  ['page2Size', 'page2-size'],
  ['filter[name]', 'filter-name'],
  ['Größe', 'größe'],
  ['_', 'query'],
  ['no-cache', 'query-no-cache'],
  ['body', 'query-body'],
  ['id', 'query-id'],
])('the query parameter %s is the flag --%s', (name, expected) => {
  const one = endpoint('GET /:id', { query: { [name]: text }, response: noContent })
  const flags = listFlags(one, [new Option('--body <text>')])
  expect(flags.find(({ part }) => part === 'query')?.flag).toBe(expected)
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
