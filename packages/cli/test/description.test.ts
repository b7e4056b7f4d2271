/** Every command takes an OpenAPI document in place of a module. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoint, text } from 'lapidary'
import type { HttpHandler } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { z } from 'zod'
import { rulesLeftOut } from '../src/documentRules.ts'
import { begin, folder, lapidary } from './support/runCli.ts'
import { nextStonesDocument, stonesDocument } from './support/stonesDocument.ts'

/** A folder with both documents, in YAML and in JSON. */
function createDocuments(): string {
  const own = folder()
  writeFileSync(join(own, 'openapi.yaml'), stringify(stonesDocument))
  writeFileSync(join(own, 'openapi.json'), JSON.stringify(stonesDocument, null, 2))
  writeFileSync(join(own, 'next.yml'), stringify(nextStonesDocument))
  return own
}

async function startServer(handler: HttpHandler): Promise<string> {
  const { url, close } = await listen(handler, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return url
}

const note = 'One part of openapi.yaml is not read in full: lapidary limits openapi.yaml lists it.\n'

test('routes, markdown, manifest and openapi read it', async () => {
  const around = { folder: createDocuments() }
  const routes = await lapidary(['routes', 'openapi.yaml'], around)
  expect({ ...routes, output: routes.output.split('\n')[0] }).toEqual({
    code: 0,
    output: 'GET /stones  listStones  query: sort? (name|hardness)  → 200 JSON',
    errors: note,
  })
  expect((await lapidary(['markdown', 'openapi.yaml'], around)).output).toMatch(/^# Stones\n/)
  expect(JSON.parse((await lapidary(['manifest', 'openapi.json'], around)).output).endpoints).toHaveProperty('addStone')
  const { output } = await lapidary(['openapi', 'openapi.yaml'], around)
  expect(JSON.parse(output)).toMatchObject({ info: stonesDocument.info, servers: stonesDocument.servers })
})

test('limits lists what is not read in full, with its place', async () => {
  const around = { folder: createDocuments() }
  const { code, output, errors } = await lapidary(['limits', 'openapi.yaml'], around)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toMatch(/^\/paths\/~1stones~1\{id\}\/get\/responses\/200\/links\/all {2}link\n {4}\S/)
  expect(JSON.parse((await lapidary(['limits', 'openapi.yaml', '--json'], around)).output)).toMatchObject([{ kind: 'link' }])
})

test('diff compares documents with each other and with manifests, and finds the lines', async () => {
  const around = { folder: createDocuments() }
  const { code, output } = await lapidary(['diff', 'openapi.json', 'next.yml', '--format', 'github'], around)
  expect(code).toBe(1)
  expect(output).toContain('::error file=next.yml,line=9,title=GET /stones%3A query sort changed::Old clients may send "hardness"')
  await lapidary(['manifest', 'openapi.yaml', '--out', 'old.json'], around)
  expect(await lapidary(['diff', 'old.json', 'openapi.json'], around)).toMatchObject({ code: 0, output: /same on the wire/ })
})

test('mock serves it below the path of its server, and check and call go there', async () => {
  const around = { folder: createDocuments() }
  const mocking = begin(['mock', 'openapi.yaml', '--port', '0'], around)
  const [, url = ''] = /listening on (\S+)\/api\/v1 /.exec(await mocking.waitForOutput('(seed')) ?? []
  const checked = await lapidary(['check', 'openapi.yaml', '--url', url, '--requests', '300', '--seed', '1'], around)
  expect(checked).toEqual({
    code: 0,
    output: expect.stringContaining(`${url}/api/v1  seed 1`),
    errors: `${note}Requests go to ${url}/api/v1, because the document names a server with this path. A URL that ends with a slash is taken as it is.\n${rulesLeftOut.length} rules that no OpenAPI document promises were left out: --all-rules tests them, too.\n`,
  })
  expect((await lapidary(['call', 'openapi.yaml', 'listStones', '--base', url], around)).output).toMatch(/^\[\{"name"/)
  mocking.stop()
  await mocking.ended
})

test('check of a server that reads and refuses in its own way finds nothing', async () => {
  const around = { folder: createDocuments() }
  const body = JSON.stringify([{ name: 'opal', hardness: 6, further: true }])
  // As frameworks of other languages do: 422, HTML, no HEAD, no Allow, and a lenient parser.
  const url = await startServer(({ method, target }) => {
    const { pathname, searchParams } = new URL(target, 'http://x')
    const refuse = (status: number) => ({ status, headers: ['Content-Type', 'text/html'], body: '<p>no</p>' })
    if (method !== 'GET') return refuse(404)
    if (pathname !== '/api/v1/stones') return refuse(/^\/api\/v1\/stones\/[-+ \d.e%x]+$/i.test(pathname) ? 404 : 422)
    const last = searchParams.getAll('sort').at(-1) ?? ''
    return ['', 'name', 'hardness'].includes(last) ? { status: 200, headers: ['Content-Type', 'application/json'], body } : refuse(422)
  })
  const words = ['check', 'openapi.yaml', '--url', url, '--requests', '400', '--seed', '1']
  const { code, output } = await lapidary(words, around)
  expect({ code, output }).toMatchObject({ code: 0, output: /All \d+ rules passed\./ })
  const all = await lapidary([...words, '--all-rules'], around)
  expect(all.code).toBe(1)
  for (const name of ['problem', 'head', 'methods', 'accept']) expect(all.output).toMatch(new RegExp(`(?:, | endpoints  )${name}\\n`))
})

test('check finds nothing with the document of the server itself, which says less than its description', async () => {
  const own = folder()
  const Color = z.object({ name: z.string() })
  const key = ({ name }: z.infer<typeof Color>) => name
  const ranges = rangePagination(Color, { name: { codec: text, get: key } }, { key, default: 'name' })
  const api = { colors: endpoint('GET /colors', { ...ranges.declaration }) }
  writeFileSync(join(own, 'colors.json'), JSON.stringify(await openapi(api, { title: 'Colors', version: '1' })))
  const url = await startServer(serve(api, { colors: (input) => ranges.page(input, [{ name: 'opal' }, { name: 'onyx' }]) }))
  const { code, output } = await lapidary(['check', 'colors.json', '--url', url, '--requests', '300', '--seed', '1'], { folder: own })
  expect({ code, output }).toMatchObject({ code: 0, output: /All \d+ rules passed\./ })
})

/** A document whose operationIds are other names than those of the endpoints. */
function createZonesDocument(): string {
  const own = folder()
  const get = (operationId: string): object => ({
    get: { operationId, tags: ['zones'], responses: { 200: { description: 'All.', content: { 'application/json': { schema: {} } } } } },
  })
  const paths = { '/zones': get('zonesList'), '/search': get('zonesSearch'), '/keys': get('keys/list'), '/logs': get('logs') }
  writeFileSync(join(own, 'zones.json'), JSON.stringify({ openapi: '3.1.0', info: { title: 'Zones', version: '1' }, paths }))
  delete (paths as Partial<typeof paths>)['/search']
  writeFileSync(join(own, 'next.json'), JSON.stringify({ openapi: '3.1.0', info: { title: 'Zones', version: '2' }, paths }))
  return own
}

test('an endpoint has its own name and its operationId, wherever one is named', async () => {
  const around = { folder: createZonesDocument() }
  const targets = new Set<string>()
  const url = await startServer(({ target }) => {
    targets.add(target.split('?')[0] ?? '')
    return { status: 200, headers: ['Content-Type', 'application/json'], body: '[]' }
  })
  const words = ['check', 'zones.json', '--url', `${url}/`, '--requests', '100']
  const paths = async (...flags: readonly string[]): Promise<readonly string[]> => {
    targets.clear()
    await lapidary([...words, ...flags], around)
    return ['/keys', '/logs', '/search', '/zones'].filter((path) => targets.has(path))
  }
  expect(await paths('--only', 'zonesSearch', '--only', 'keys/list')).toEqual(['/keys', '/search'])
  expect(await paths('--except', 'zonesSearch', '--except', 'logs')).toEqual(['/keys', '/zones'])
  expect(await paths('--only', 'zones')).toEqual(['/search', '/zones'])
  for (const name of ['zonesSearch', 'zones.search'])
    expect(await lapidary(['call', 'zones.json', name, '--base', url], around)).toEqual({ code: 0, output: '[]', errors: '' })
  expect((await lapidary(['routes', 'zones.json', '--client', '--only', 'zonesSearch'], around)).output).toContain('GET /search')
  expect((await lapidary(['diff', 'zones.json', 'next.json', '--allow', 'zonesSearch'], around)).code).toBe(0)
})

test.each([
  [['check', 'zones.json', '--url', 'http://127.0.0.1:1', '--only', 'zoneSearch'], 'no endpoint and no group named "zoneSearch"'],
  [['call', 'zones.json', 'zoneSearch'], 'no endpoint "zoneSearch"'],
  [['routes', 'zones.json', '--client', '--only', 'zoneSearch'], 'no endpoint and no group named "zoneSearch"'],
])('%j names the nearest names', async (words, message) => {
  const { code, errors } = await lapidary(words, { folder: createZonesDocument() })
  expect({ code, errors }).toMatchObject({ code: 2, errors: expect.stringContaining(message) })
  expect(errors).toContain('The nearest: zones.search, zones')
})

test('call names the declared media types in Accept, and -H another', async () => {
  const around = { folder: createDocuments() }
  const seen: (string | undefined)[] = []
  const url = await startServer((request) => {
    seen.push(request.header('accept'))
    return { status: 200, headers: ['Content-Type', 'application/json'], body: '[]' }
  })
  const call = ['call', 'openapi.yaml', 'listStones', '--base', url]
  const { errors } = await lapidary([...call, '--verbose'], around)
  expect(errors).toContain('\n> Accept: application/json\n')
  await lapidary([...call, '-H', 'accept: text/csv'], around)
  expect(seen).toEqual(['application/json', 'text/csv'])
})

test('a URL with a slash at its end is taken as it is', async () => {
  const seen: string[] = []
  const url = await startServer(({ target }) => {
    seen.push(target)
    return { status: 404, headers: [], body: null }
  })
  const { errors } = await lapidary(['check', 'openapi.yaml', '--url', `${url}/`, '--requests', '10'], { folder: createDocuments() })
  expect(errors).not.toContain('Requests go to')
  expect(seen.every((target) => target.startsWith('/stones'))).toBe(true)
})

test.each([
  [['check', 'openapi.yaml'], 'The document names https://stones.example/api/v1, which is not taken by itself'],
  [['routes', 'none.yaml'], 'There is no file at none.yaml. Name an OpenAPI document, such as openapi.yaml.'],
  [['routes', 'openapi.yaml', '--export', 'api'], '--export names an export of a module, and openapi.yaml is a document: leave it out.'],
  [['limits', 'api.ts'], 'api.ts is a module, which has no limits. Name an OpenAPI document.'],
  [['routes', 'broken.yaml'], 'broken.yaml'],
  [['routes', 'other.json'], 'other.json'],
])('%j is rejected', async (words, message) => {
  const own = createDocuments()
  writeFileSync(join(own, 'broken.yaml'), 'openapi: [')
  writeFileSync(join(own, 'other.json'), '{"a":1}')
  const { code, output, errors } = await lapidary(words, { folder: own })
  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors).toContain(message)
  expect(errors).not.toContain(own)
})

test('the reader of documents is loaded only for a document', () => {
  const sources = fileURLToPath(new URL('../src', import.meta.url))
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const loading = files.filter((name) => /^import (?!type).*'@lapidary\/openapi/m.test(readFileSync(join(sources, name), 'utf8')))
  expect(loading).toEqual([])
})
