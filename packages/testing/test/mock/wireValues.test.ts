/** The mock of an API whose values go both ways: it responds with the texts of the wire, and keeps each rule of `check`. */
import { checkServer, formatReport, mock } from '@lapidary/testing'
import {
  collection,
  created,
  endpoint,
  events,
  list,
  ndjson,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  respond,
  schemaCodec,
  text,
  withHeaders,
} from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { listen } from 'lapidary/node'
import { cursorPagination, pagePagination, paginate, rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const dateTime = z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
const Stone = schemaCodec(z.object({ name: z.string(), cutAt: dateTime }))
const Day = schemaCodec(dateTime)
const Period = schemaCodec(z.object({ since: dateTime, until: dateTime.optional() }))
const opal = { name: 'opal', cutAt: new Date('2026-05-01T10:00:00.000Z') }

const api = {
  add: endpoint('POST /orders', {
    body: Stone,
    response: ok(Stone),
    errors: [reply(409, Stone)],
    examples: { body: opal, response: opal },
  }),
  later: endpoint('PUT /orders', {
    body: optional(Stone),
    response: [created(Stone), reply(202, Stone)],
    examples: {
      now: { body: opal, response: withHeaders(opal, { Location: '/orders' }) },
      later: { body: { ...opal, name: 'agate' }, response: respond(202, opal) },
    },
  }),
  all: endpoint('GET /all', { query: Period, response: ok(list(Stone)) }),
  lines: endpoint('GET /lines', { response: ok(ndjson(Stone)) }),
  events: endpoint('GET /events', { response: ok(events({ cut: Stone, day: Day })) }),
  upload: endpoint('POST /lines', { body: ndjson(Stone), response: noContent }),
  day: endpoint('GET /days/:day', {
    params: { day: Day },
    query: { filter: schemaCodec(dateTime.optional()) },
    headers: { 'X-Day': Day },
    response: ok(Day),
  }),
  stones: prefix('/stones', collection(Stone)),
  // Captures that are decoded name the collection.
  cut: prefix('/days/:day/stones', { day: Day }, collection(Stone)),
}

test('passes every rule', async () => {
  const { url, close } = await listen(mock(api))
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const report = await checkServer(api, url, { write: true, seed: 1, requests: 1_500, seconds: 120, time: 60_000 })
  expect(report.failures, formatReport(report)).toEqual([])
  expect(report.endpoints.filter(({ skipReason }) => skipReason !== '')).toEqual([])
})

test('a client of it gets the values', async () => {
  const call = client(api, 'http://mock.test', { fetch: mock(api).fetch })
  expect(await call.add({ body: opal })).toEqual(opal)
  expect(await call.later({ body: { ...opal, name: 'agate' } })).toMatchObject({ status: 202, body: opal })
  const [first] = await call.all({ query: { since: opal.cutAt } })
  expect(first?.cutAt).toBeInstanceOf(Date)
  const { headers } = await call.stones.create({ body: opal })
  expect(await call.stones.item({ params: { id: Number(headers.Location.split('/').at(-1)) } })).toMatchObject(opal)
})

test('an example can be null on the wire', async () => {
  const Name = schemaCodec(
    z.codec(z.string().nullable(), z.object({ text: z.string().optional() }), {
      decode: (text) => (text === null ? {} : { text }),
      encode: ({ text }) => text ?? null,
    }),
  )
  const { fetch } = mock({
    one: endpoint('GET /one', { response: ok(Name), examples: { response: {} } }),
    other: endpoint('GET /other', { response: [ok(Name), reply(202, Name)], examples: { none: { response: respond(202, {}) } } }),
  })
  const getText = async (target: string) => (await fetch(new Request(`http://mock.test${target}`))).text()
  expect([await getText('/one'), await getText('/other')]).toEqual(['null', 'null'])
})

describe('pages of items that are decoded', () => {
  const big = z.codec(z.string().regex(/^\d{1,9}$/), z.bigint(), { decode: BigInt, encode: String })
  const tags = z.codec(z.array(z.string()), z.set(z.string()), { decode: (all) => new Set(all), encode: (all) => [...all] })
  const Row = schemaCodec(z.object({ id: big, cutAt: dateTime, tags }))
  type Row = { readonly id: bigint; readonly cutAt: Date; readonly tags: Set<string> }
  const fields = { cut: { codec: text, get: ({ cutAt }: Row) => cutAt.toISOString() } }
  const key = ({ id }: Row): string => String(id)
  const ranges = rangePagination(Row, fields, { key, default: 'cut' })
  const cursors = cursorPagination(Row, fields, { key, default: 'cut' })
  const cursorsInBody = cursorPagination(Row, fields, { key, default: 'cut', body: { items: 'items', next: 'next' } })
  const numbers = pagePagination(Row)
  const pages = {
    ranges: endpoint('GET /ranges', { ...ranges.declaration }),
    cursors: endpoint('GET /cursors', { ...cursors.declaration }),
    cursorsInBody: endpoint('GET /cursors-in-body', { ...cursorsInBody.declaration }),
    // A filter beside the page is decoded, too: the links to other pages repeat it.
    numbers: endpoint('GET /numbers', {
      ...numbers.declaration,
      query: { ...numbers.declaration.query, since: schemaCodec(dateTime.optional()) },
    }),
  }
  const rows: readonly Row[] = Array.from({ length: 7 }, (_, index) => ({
    id: BigInt(index),
    cutAt: new Date(index * 1_000),
    tags: new Set([`${index}`]),
  }))
  const served = serve(pages, {
    ranges: (input) => ranges.page(input, rows),
    cursors: (input) => cursors.page(input, rows),
    cursorsInBody: (input) => cursorsInBody.page(input, rows),
    numbers: (input) => numbers.page(input, rows, { link: (query) => link(pages.numbers, { query: { ...input.query, ...query } }) }),
  })

  test('a mock has many, and a client gets the values', async () => {
    const call = client(pages, 'http://mock.test', { fetch: mock(pages).fetch })
    for (const walk of [paginate(call.ranges), paginate(call.cursors), paginate(call.cursorsInBody), paginate(call.numbers)]) {
      const ids = new Set<bigint>()
      for await (const { id, cutAt, tags } of walk) {
        ids.add(id)
        expect([typeof id, cutAt instanceof Date, tags instanceof Set]).toEqual(['bigint', true, true])
      }
      expect(ids.size).toBeGreaterThan(50)
    }
    const since = new Date('2026-05-01T10:00:00.000Z')
    let filtered = 0
    for await (const _row of paginate(call.numbers, { input: { query: { since } } })) filtered += 1
    expect(filtered).toBeGreaterThan(50)
  })

  test.each([
    ['the mock', () => mock(pages)],
    ['a server', () => served],
  ])('%s passes each rule, also that of pages', async (_what, create) => {
    const { url, close } = await listen(create())
    onTestFinished(() => close({ drain: 0, grace: 0 }))
    const requests = process.env['SAMPLES'] === 'whole' ? 5_000 : 1_000
    const report = await checkServer(pages, url, { seed: 1, requests, seconds: 120, time: 60_000 })
    expect(report.failures, formatReport(report)).toEqual([])
    expect(report.endpoints.filter(({ passed }) => passed.includes('pagination'))).toHaveLength(4)
  })
})

test('a handler of its own deals in the values', async () => {
  const call = client(api, 'http://mock.test', {
    fetch: mock(api, { handlers: { add: ({ body }) => ({ ...body, cutAt: new Date(0) }) } }).fetch,
  })
  expect(await call.add({ body: opal })).toEqual({ ...opal, cutAt: new Date(0) })
})
