/** Finding the API among the exports of a module. */
import { endpoint, mount, noContent, text } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CliError } from '../src/context.ts'
import { findApi, findSchemas } from '../src/findExports.ts'
import { lapidary } from './support/runCli.ts'

const one = endpoint('GET /one', { response: noContent })
const [api, other] = [{ one }, { deep: { one, files: mount('/files') } }]
const of = (exports: Readonly<Record<string, unknown>>) => ({ name: './api.ts', path: '/api.ts', exports })

describe('the API is', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string | undefined, unknown]>([
    ['the export with the given name', { api, other }, 'other', other],
    ['the export with the given name, even "default"', { api, default: other }, 'default', other],
    ['the export with the given name, even without endpoints', { api, empty: {} }, 'empty', {}],
    ['"api", before all others', { other, default: other, api }, undefined, api],
    ['the default export, before any name but "api"', { main: api, default: other }, undefined, other],
    ['the only record of endpoints', { one, main: api, port: 8081, empty: {}, User: z.object({}) }, undefined, api],
    ['the only one, although "api" is something else', { api: 'v1', main: api }, undefined, api],
    ['that of a CommonJS module, whose exports are its default export as well', { main: api, default: { main: api } }, undefined, api],
    ['the namespace of a module, which is a record like any', { api: Object.assign(Object.create(null), api) }, undefined, api],
  ])('%s', (_what, exports, name, found) => {
    expect(findApi(of(exports), name)).toEqual(found)
  })
})

const circle: Record<string, unknown> = { one }
circle['circle'] = circle

describe('it is an error', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string | undefined, string]>([
    [
      'to export two without a name to choose one',
      { main: api, other },
      undefined,
      './api.ts exports several APIs: main, other. Choose one: --export main.',
    ],
    ['to name a missing export', { main: api, other }, 'mane', './api.ts exports no API named "mane". Its APIs: main, other.'],
    ['to name an export that is not an API', { port: 8081 }, 'port', './api.ts exports no API named "port". Its APIs: none.'],
    ['to name an inherited member', { main: api }, 'toString', './api.ts exports no API named "toString". Its APIs: main.'],
    [
      'to export nothing',
      {},
      undefined,
      './api.ts exports no API, which is a record of endpoints: export const api = { … }. It exports nothing.',
    ],
    [
      'to export everything but a record of endpoints',
      { one, files: mount('/files'), User: z.object({}), port: 8081, nothing: null, start: () => {}, mixed: { one, port: 1 }, circle },
      undefined,
      './api.ts exports no API, which is a record of endpoints: export const api = { … }. It exports one (an endpoint), files (a mount), User (a schema), port (a number), nothing (null), start (a function), mixed (an object), circle (an object).',
    ],
  ])('%s', (_what, exports, name, sentence) => {
    expect(() => findApi(of(exports), name)).toThrow(new CliError(2, sentence))
  })
})

test('the exported schemas of several modules, by name', () => {
  const [User, Day] = [z.object({ name: z.string() }), z.object({ day: z.date() })]
  const [first, second] = [of({ User: text, Day, port: 1, default: User }), of({ User, nothing: null })]
  // A date has no JSON Schema, and what is no schema has none either.
  expect(findSchemas(first, second)).toEqual({ User })
})

test.each([
  ['routes', './unsoundApi.ts'],
  ['routes', './unsoundApi.ts', '--json'],
  ['routes', './unsoundApi.ts', '--client'],
  ['markdown', './unsoundApi.ts'],
  ['openapi', './unsoundApi.ts'],
  ['call', './unsoundApi.ts', 'add', '--body', '{}'],
  ['manifest', './unsoundApi.ts'],
  ['diff', './unsoundApi.ts', './smallApi.ts'],
  ['check', './unsoundApi.ts', '--url', 'http://127.0.0.1:1'],
  ['mock', './unsoundApi.ts', '--port', '0'],
])('a description that is wrong is one sentence, and no stack trace: %s', async (...words) => {
  expect(await lapidary(words)).toEqual({
    code: 2,
    output: '',
    errors:
      'POST /things: body, at "/at": This zod schema cannot produce its JSON Schema: JSON has no Date. Describe its text, such as z.iso.datetime(), or z.codec(z.iso.datetime(), z.date(), …).\n',
  })
})
