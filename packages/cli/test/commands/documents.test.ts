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

test.each(['markdown', 'openapi'])('%s reports a file that cannot be written', async (command) => {
  const file = join(folder(), 'nowhere', 'document')
  expect(await lapidary([command, 'everything.ts', '--out', file])).toEqual({
    code: 1,
    output: '',
    errors: `${file} cannot be written: no such file or directory.\n`,
  })
})
