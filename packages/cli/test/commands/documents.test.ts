/** The documents of an API: `lapidary routes`, `markdown` and `openapi`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import * as everything from '../../../lapidary/test/support/everything.ts'
import manifest from '../../package.json' with { type: 'json' }
import { folder, lapidary } from '../support/runCli.ts'

const { api, Colour, Job, Order, Person, Point, Receipt } = everything

test('without a terminal, each route is one line', async () => {
  const { code, output, errors } = await lapidary(['routes', 'everything.ts'])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  await expect(output).toMatchFileSnapshot('../golden/routes.txt')
})

test.each([160, 80, 40])('on a terminal of %i columns, routes are a table', async (columns) => {
  const { output } = await lapidary(['routes', 'everything.ts'], { columns })
  await expect(output).toMatchFileSnapshot(`../golden/routes-${columns}.txt`)
})

test.each([1, 20, 40, 60, 80, 120, 200])('on a terminal of %i columns, only a word without a break is wider', async (columns) => {
  const printed = async (width: number): Promise<string> => (await lapidary(['routes', 'everything.ts'], { columns: width })).output
  const [output, wide] = [await printed(columns), await printed(10_000)]
  const words = (text: string): string => text.replace(/\s+/g, '')
  expect(words(output)).toBe(words(wide))
  const [head, piece] = [/^.*?(?= {2}(?:path:|query:|headers:|body:|→))/gm, /(?:\w+: )?[\w-]+\?? \([^)]*\),?/g].map((form) =>
    Math.max(...(wide.match(form) ?? []).map((one) => one.trimEnd().length)),
  )
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.max(columns, head ?? 0, 4 + (piece ?? 0)))
})

test('routes --json prints the routes as JSON', async () => {
  const { output } = await lapidary(['routes', 'everything.ts', '--json'])
  const rows = JSON.parse(output) as { readonly name: string }[]
  expect(rows.map(({ name }) => name)).toEqual([...operations(api).map(({ name }) => name), 'hooks.jobDone', 'hooks.soldOut'])
  expect(rows.find(({ name }) => name === 'order')).toEqual({
    name: 'order',
    method: 'POST',
    path: '/orders',
    summary: '',
    deprecated: false,
    auth: null,
    captures: [],
    query: [],
    headers: [],
    cookies: [],
    body: ['JSON', 'form'],
    responses: [
      { status: 201, body: ['JSON'], headers: [{ name: 'Location', type: 'text', required: true }] },
      { status: 409, body: ['JSON'], headers: [] },
    ],
  })
  expect(rows.find(({ name }) => name === 'account')).toMatchObject({ auth: [[{ name: 'members', scheme: 'Basic', scopes: [] }]] })
  expect(rows.find(({ name }) => name === 'raw.node')).toMatchObject({
    method: null,
    path: '/raw/node',
    summary: 'Another server’s pages.',
    responses: [],
  })
})

test('markdown prints the documentation', async () => {
  expect(await lapidary(['markdown', 'everything.ts'])).toEqual({ code: 0, errors: '', output: markdown(await outline(api)) })
})

test('markdown takes a title, and the option for one encoding of request bodies', async () => {
  const { output } = await lapidary(['markdown', 'everything.ts', '--title', 'Everything', '--request-examples', 'first'])
  expect(output).toBe(markdown(await outline(api, { title: 'Everything' }), { requestExamples: 'first' }))
})

test('openapi prints the document, with the name of the package and the names of the exported schemas', async () => {
  const { code, output, errors } = await lapidary(['openapi', 'everything.ts'])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  const { name: title, version } = manifest
  expect(JSON.parse(output)).toEqual(await openapi(api, { title, version, schemas: { Colour, Job, Order, Person, Point, Receipt } }))
})

test.each(['3.0', '3.1', '3.2'] as const)('openapi prints the document of OpenAPI %s', async (version) => {
  const { output } = await lapidary(['openapi', 'everything.ts', '--title', 'T', '--api-version', '1.0.0', '--openapi', version])
  const options = { title: 'T', version: '1.0.0', schemas: { Colour, Job, Order, Person, Point, Receipt }, openapi: version }
  expect(JSON.parse(output)).toEqual(await openapi(api, options))
})

test('openapi takes a title, a version, servers and further schemas', async () => {
  const own = folder()
  const form = api.job.response.content?.schema?.['~standard'].jsonSchema?.input({ target: 'draft-2020-12' })
  const schema = `{ '~standard': { jsonSchema: { input: () => (${JSON.stringify(form)}) } } }`
  writeFileSync(join(own, 'schemas.mjs'), `export const Ticket = ${schema}`)
  const words = ['--title', 'T', '--api-version', '9.8.7', '--server', 'https://a.example', '--server', '/v1']
  const { output } = await lapidary(['openapi', 'everything.ts', ...words, '--schemas', join(own, 'schemas.mjs')])
  const document = JSON.parse(output)
  expect(document).toMatchObject({ info: { title: 'T', version: '9.8.7' }, servers: [{ url: 'https://a.example' }, { url: '/v1' }] })
  expect(document.components.schemas.Ticket).toMatchObject({ properties: { ticket: { type: 'integer' } } })
})

test.each(['markdown', 'openapi'])('%s writes to the file of --out, and prints nothing', async (command) => {
  const [printed, own] = [await lapidary([command, 'everything.ts']), folder()]
  expect(await lapidary([command, 'everything.ts', '--out', join(own, 'document')])).toEqual({ code: 0, output: '', errors: '' })
  expect(readFileSync(join(own, 'document'), 'utf8')).toBe(printed.output)
})

test('routes --client prints the routes for the light client', async () => {
  const { code, output, errors } = await lapidary(['routes', 'everything.ts', '--client'])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  await expect(output).toMatchFileSnapshot('../golden/routes-client.txt')
})

test('--only and --except select endpoints and groups', async () => {
  const { output } = await lapidary(['routes', 'everything.ts', '--client', '--only', 'people,stock.read', '--except', 'people.remove'])
  expect([...output.matchAll(/route: '([^']*)'/g)].map(([, route]) => route)).toEqual([
    'GET /people',
    'POST /people',
    'GET /people/:id',
    'PUT /people/:id',
    'GET /stock',
  ])
  expect(output).not.toMatch(/hooks|empty|counter/)
  const { code, errors } = await lapidary(['routes', 'everything.ts', '--client', '--only', 'peeple'])
  expect([code, errors]).toEqual([2, expect.stringContaining('no endpoint and no group named "peeple". The nearest: people. The')])
})

test('routes --client --check says whether the file is up to date', async () => {
  const file = join(folder(), 'people.routes.ts')
  const words = ['routes', 'everything.ts', '--client', '--only', 'people', '--out', file]
  const stale = {
    code: 1,
    output: '',
    errors: `${file} is not up to date: run lapidary routes everything.ts --client --only people --out ${file}.\n`,
  }
  expect(await lapidary([...words, '--check'])).toMatchObject(stale)
  expect(await lapidary(words)).toMatchObject({ code: 0, output: '' })
  expect(await lapidary([...words, '--check'])).toMatchObject({ code: 0, output: '', errors: '' })
  // A checkout of git on Windows has other line ends.
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll('\n', '\r\n'))
  expect(await lapidary([...words, '--check'])).toMatchObject({ code: 0 })
  writeFileSync(file, text.replace('/people', '/persons'))
  expect(await lapidary([...words, '--check'])).toMatchObject(stale)
})

test.each([
  [['--check'], '--check needs --client.'],
  [['--out', 'x.ts'], '--out needs --client.'],
  [['--client', '--check'], '--check compares a file: name it by --out src/api.routes.ts.'],
])('routes %j is a mistake', async (flags, message) => {
  expect(await lapidary(['routes', 'everything.ts', ...flags])).toMatchObject({ code: 2, errors: `${message}\n` })
})
