/** What has a default in the schema of a response is always on the wire, though the handler leaves it out, and OpenAPI says so. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type AnyEndpoint, type Api, content, endpoint, events, form, int, json, list, mediaType, ndjson, ok, reply, text } from 'lapidary'
import { client } from 'lapidary/client'
import { outline } from 'lapidary/docs'
import { openapi, type ResponseObject, type SchemaObject } from 'lapidary/openapi'
import { rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter } from '../support/matrix/eachAdapter.ts'

const Issue = z.object({ id: z.int(), labels: z.array(z.string()).default([]) })
const Note = toStandardJsonSchema(v.object({ id: v.number(), word: v.optional(v.string(), 'none') }))
const pages = rangePagination(
  Issue,
  { id: { codec: int, get: ({ id }) => id } },
  { key: { codec: int, get: ({ id }) => id }, default: 'id' },
)
const plain = mediaType<z.input<typeof Issue>>({ types: ['text/x-issue'], writer: () => JSON.stringify })

const api = {
  one: endpoint('GET /one', { response: ok(Issue), examples: { response: { id: 7 } } }),
  note: endpoint('GET /note', { response: ok(Note) }),
  list: endpoint('GET /list', { response: ok(list(Issue)) }),
  streamedList: endpoint('GET /streamed', { response: ok(list(Issue)) }),
  lines: endpoint('GET /lines', { response: ok(ndjson(Issue)) }),
  changes: endpoint('GET /changes', { response: ok(events({ opened: Issue })) }),
  page: endpoint('GET /page', { ...pages.declaration }),
  missing: endpoint('GET /missing', { response: ok(text), errors: [reply(404, Issue)] }),
  add: endpoint('POST /add', { body: Issue, response: ok(Issue) }),
  negotiated: endpoint('GET /negotiated', { response: ok(content(Issue, json, plain, form)) }),
} satisfies Api
const server = serve(api, {
  one: () => ({ id: 1 }),
  note: () => ({ id: 1 }),
  list: () => [{ id: 1 }, { id: 2, labels: ['a'] }],
  async *streamedList() {
    yield { id: 1 }
  },
  async *lines() {
    yield { id: 1 }
    yield { id: 2, labels: undefined }
  },
  async *changes() {
    yield { event: 'opened', data: { id: 1 } }
  },
  page: (input) => pages.page(input, [{ id: 1 }]),
  missing: ({ fail }) => fail(404, { body: { id: 1 } }),
  add: ({ body: { id } }) => ({ id }),
  negotiated: () => ({ id: 1 }),
})

const rows: readonly [string, string, string][] = [
  ['JSON', '/one', '{"id":1,"labels":[]}'],
  ['JSON by Valibot', '/note', '{"id":1,"word":"none"}'],
  ['a list', '/list', '[{"id":1,"labels":[]},{"id":2,"labels":["a"]}]'],
  ['a streamed list', '/streamed', '[{"id":1,"labels":[]}]'],
  ['the lines of a stream', '/lines', '{"id":1,"labels":[]}\n{"id":2,"labels":[]}\n'],
  ['events', '/changes', 'event: opened\ndata: {"id":1,"labels":[]}\n\n'],
  ['a page', '/page', '[{"id":1,"labels":[]}]'],
  ['an error', '/missing', '{"id":1,"labels":[]}'],
  ['one of several media types', '/negotiated', '{"id":1,"labels":[]}'],
]
describeEachAdapter(server, ({ fetch }) => {
  test.each(rows)('%s', async (_what, path, body) => {
    expect(await (await fetch(path)).text()).toBe(body)
  })

  test('a media type that writes by code of its own gets the value as the handler returns it', async () => {
    const headers = { Accept: 'text/x-issue' }
    expect(await (await fetch('/negotiated', { headers })).text()).toBe('{"id":1}')
  })
})

const document = await openapi(api, { title: 'Test', version: '1.0.0', schemas: { Issue } })
const mediaOf = (path: string, status = '200', type = 'application/json') =>
  (document.paths[path]?.get?.responses[status] as ResponseObject | undefined)?.content?.[type]
const required = ['id', 'labels']
const output = { $ref: '#/components/schemas/IssueOutput' }

test('a schema of requests and responses is two components, where they differ', async () => {
  const { Issue: input, IssueOutput } = document.components.schemas
  expect([input?.['required'], IssueOutput?.['required']]).toEqual([['id'], required])
  expect(document.paths['/add']?.post).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Issue' } } } },
    responses: { 200: { content: { 'application/json': { schema: output } } } },
  })
  const responsesOnly = await openapi({ one: api.one }, { title: 'Test', version: '1.0.0', schemas: { Issue } })
  expect(responsesOnly.components.schemas['Issue']?.['required']).toEqual(required)
  expect(Object.keys(responsesOnly.components.schemas)).toEqual(['Issue', 'Problem'])
})

test.each<[string, SchemaObject | undefined, unknown]>([
  ['JSON', mediaOf('/one')?.schema, output],
  ['a list', mediaOf('/list')?.schema, { type: 'array', items: output }],
  ['the lines of a stream', mediaOf('/lines', '200', 'application/jsonl')?.['x-itemSchema'], output],
  ['a page', mediaOf('/page', '206')?.schema, { type: 'array', items: output }],
  ['an error', mediaOf('/missing', '404')?.schema, output],
  ['Valibot', mediaOf('/note')?.schema, expect.objectContaining({ required: ['id', 'word'] })],
  ['a media type of one’s own', mediaOf('/negotiated', '200', 'text/x-issue')?.schema, { type: 'string' }],
  ['a form', mediaOf('/negotiated', '200', 'application/x-www-form-urlencoded')?.schema, { $ref: '#/components/schemas/Issue' }],
])('the document requires it in %s', (_what, schema, expected) => {
  expect(schema).toEqual(expected)
})

test('the document requires it in the data of an event', () => {
  const item = mediaOf('/changes', '200', 'text/event-stream')?.['x-itemSchema']
  expect(item).toMatchObject({ anyOf: [{ properties: { data: { contentSchema: output } } }] })
})

test('examples of responses have it, those of requests have what they are given', async () => {
  expect(mediaOf('/one')?.example).toEqual({ id: 7, labels: [] })
  const given = { add: endpoint('POST /add', { body: Issue, response: ok(Issue), examples: { body: { id: 7 }, response: { id: 7 } } }) }
  const { paths } = await openapi(given, { title: 'Test', version: '1.0.0' })
  const { requestBody, responses } = paths['/add']?.post ?? {}
  expect(requestBody?.content['application/json']?.example).toEqual({ id: 7 })
  expect(responses?.['200']).toMatchObject({ content: { 'application/json': { example: { id: 7, labels: [] } } } })
  expect(JSON.stringify(await outline(given))).toContain('{\\"id\\":7,\\"labels\\":[]}')
})

test.each<[string, AnyEndpoint, readonly string[]]>([
  [
    'a name that the schema states',
    endpoint('POST /', { body: Issue.meta({ id: 'Ticket' }), response: ok(z.array(Issue.meta({ id: 'Ticket' }))) }),
    ['Ticket', 'TicketOutput', 'Problem'],
  ],
  ['in responses alone', endpoint('GET /', { response: ok(z.array(Issue.meta({ id: 'Slip' }))) }), ['Slip', 'Problem']],
  ['in requests alone', endpoint('POST /', { body: Issue.meta({ title: 'Form' }), response: ok(text) }), ['Form', 'Problem']],
])('components: %s', async (_what, one, names) => {
  const { components } = await openapi({ one }, { title: 'Test', version: '1.0.0' })
  expect(Object.keys(components.schemas).sort()).toEqual([...names].sort())
})

test('components: those within a schema have their own names, and one of requests and responses has one if it has no defaults', async () => {
  const Slip = Issue.meta({ id: 'Slip' })
  const Point = z.object({ x: z.int(), y: z.int() }).meta({ id: 'Point' })
  const Team = z.object({ lead: Slip, place: Point })
  const shown = { team: endpoint('GET /team', { response: ok(Team) }), move: endpoint('PUT /point', { body: Point, response: ok(text) }) }
  const { components } = await openapi(shown, { title: 'Test', version: '1.0.0', schemas: { Team } })
  expect(Object.keys(components.schemas).sort()).toEqual(['Point', 'Problem', 'Slip', 'Team'])
  const { Slip: slip, Team: team } = components.schemas
  expect([slip?.['required'], team?.['required']]).toEqual([required, ['lead', 'place']])
})

test('a call of the client sends no defaults, and reads them', async () => {
  const sent: string[] = []
  const issues = client(api, 'http://test.invalid', {
    fetch: async (...given) => {
      const request = new Request(...given)
      sent.push(await request.clone().text())
      return server.fetch(request)
    },
  })
  expect(await issues.add({ body: { id: 3 } })).toEqual({ id: 3, labels: [] })
  expect(sent).toEqual(['{"id":3}'])
})
