/** Unexpected errors: the response is a 500 with a request id, the report has the rest, and the server goes on. */
import { bool, date, endpoint, HttpError, int, json, list, ndjson, noContent, ok, oneOf, text, withHeaders } from 'lapidary'
import { type ErrorContext, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const Person = z.object({ name: z.string(), age: z.int(), tags: z.array(z.string()).optional() })
const secret = '/etc/secret SELECT password'
/** A value of a wrong type, as a handler in plain JavaScript can return it. */
const wrongly = (value: unknown): never => value as never

const thrown: Readonly<Record<string, unknown>> = {
  'an Error': new Error(secret),
  'an error with a status of another kind': Object.assign(new Error(secret), { status: 404 }),
  'a text': secret,
  nothing: undefined,
  null: null,
}

/** Values that the definition does not allow, each with the message in the report. */
const values: Readonly<Record<string, readonly [value: unknown, says: RegExp]>> = {
  'a member of the wrong type': [{ name: 'Ann', age: '36' }, /GET \/value\/:name .*"\/age" expected an integer, got a string/],
  'a number that is not an integer': [{ name: 'Ann', age: 1.5 }, /"\/age" expected an integer, got a number/],
  'an integer that is too large': [{ name: 'Ann', age: 2 ** 53 }, /"\/age" expected an integer/],
  'a member that is missing': [{ name: 'Ann' }, /"\/age" expected an integer, got nothing/],
  'an item of the wrong type': [{ name: 'Ann', age: 1, tags: ['a', 2] }, /"\/tags\/1" expected a string, got an integer/],
  nothing: [undefined, /: expected an object, got nothing/],
  null: [null, /: expected an object, got null/],
  'a list': [[], /: expected an object, got an array/],
}

/** Headers that the definition does not allow, each with the message in the report. */
const ann = { name: 'Ann', age: 36 }
const fine = { 'X-Text': 'a', 'X-Count': 1, 'X-Day': '2024-02-29', 'X-Sure': true, 'X-Unit': 'cm' }
const headers: Readonly<Record<string, readonly [headers: object, says: RegExp]>> = {
  'a line break': [{ ...fine, 'X-Text': 'a\r\nSet-Cookie: b=c' }, /GET \/headers\/:name.*X-Text/],
  'a bare line feed': [{ ...fine, 'X-Text': 'a\nb' }, /X-Text/],
  'a NUL': [{ ...fine, 'X-Text': 'a\0b' }, /X-Text/],
  'a character beyond Latin-1': [{ ...fine, 'X-Text': 'a→b' }, /X-Text/],
  'a text that is missing': [{ ...fine, 'X-Text': undefined }, /X-Text/],
  'a text that is a number': [{ ...fine, 'X-Text': 5 }, /X-Text/],
  'an integer that is text': [{ ...fine, 'X-Count': '1' }, /X-Count/],
  'an integer that is missing': [{ ...fine, 'X-Count': undefined }, /X-Count/],
  'an invalid date': [{ ...fine, 'X-Day': '2023-02-29' }, /X-Day/],
  'a boolean that is text': [{ ...fine, 'X-Sure': 'no' }, /X-Sure/],
  'a name that is not one of them': [{ ...fine, 'X-Unit': 'mile' }, /X-Unit/],
}

/** Thrown errors that no adapter can send. */
const unsendable: Readonly<Record<string, HttpError>> = {
  'a line break in a header': new HttpError(404, { headers: { 'X-Text': 'a\r\nSet-Cookie: b=c' } }),
  'a character beyond Latin-1 in a header': new HttpError(404, { headers: { 'X-Text': '→' } }),
  'an invalid header name': new HttpError(404, { headers: { 'X Text': 'a' } }),
  'a line break in the reason': new HttpError(404, { reason: 'No\r\nSet-Cookie: b=c' }),
  'a status that is too small': new HttpError(42),
  'a status that is too large': new HttpError(1000),
  'a body that JSON cannot hold': new HttpError(404, { body: { count: 1n } }),
}

const Headers = { 'X-Text': text, 'X-Count': int, 'X-Day': date, 'X-Sure': bool, 'X-Unit': oneOf('cm', 'in') }
const api = {
  thrown: endpoint('GET /thrown/:name', { response: noContent }),
  rejected: endpoint('GET /rejected/:name', { response: noContent }),
  value: endpoint('GET /value/:name', { response: ok(Person) }),
  items: endpoint('GET /items/:name', { response: ok(list(Person)) }),
  lines: endpoint('GET /lines/:name', { response: ok(ndjson(Person)) }),
  headers: endpoint('GET /headers/:name', { response: ok(Person, { headers: Headers }) }),
  bare: endpoint('GET /bare', { response: ok(Person, { headers: Headers }) }),
  text: endpoint('GET /text', { response: ok(text) }),
  json: endpoint('GET /json', { response: ok(json) }),
  raised: endpoint('GET /raised/:name', { response: noContent }),
  raisedLater: endpoint('GET /raisedLater/:name', { response: noContent }),
  undeclared: endpoint('GET /undeclared', { response: ok(Person) }),
}
const at = <Value>(record: Readonly<Record<string, Value>>, name: string): Value => {
  if (!Object.hasOwn(record, name)) throw new Error(`no case ${name}`)
  return record[name] as Value
}

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  const reports: { readonly error: unknown; readonly incident: ErrorContext }[] = []

  beforeAll(async () => {
    const server = serve(
      api,
      {
        thrown: ({ params }) => {
          throw at(thrown, params.name)
        },
        rejected: ({ params }) => Promise.reject(at(thrown, params.name)),
        value: ({ params }) => wrongly(at(values, params.name)[0]),
        items: ({ params }) => wrongly([ann, at(values, params.name)[0]]),
        lines: ({ params }) => wrongly([at(values, params.name)[0]]),
        headers: ({ params }) => withHeaders(ann, wrongly(at(headers, params.name)[0])),
        bare: () => wrongly(ann),
        text: () => wrongly(5),
        json: () => wrongly(undefined),
        raised: ({ params }) => {
          throw at(unsendable, params.name)
        },
        raisedLater: async ({ params }) => {
          throw at(unsendable, params.name)
        },
        undeclared: () => wrongly({ ...ann, password: secret, toJSON: () => secret }),
      },
      { onError: (error, incident) => reports.push({ error, incident }) },
    )
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  /** The report of a request that must be answered 500; the answer gives nothing away but the id to quote. */
  async function expectReport(
    target: string,
  ): Promise<{ readonly error: unknown; readonly says: string; readonly incident: ErrorContext }> {
    const before = reports.length
    const response = await adapter.fetch(target)
    const body = await response.text()
    expect([response.status, body]).toEqual([500, expect.anything()])
    expect(body).not.toMatch(/secret|SELECT|\.ts|Error:/)
    const [report, ...more] = reports.slice(before)
    expect(more).toEqual([])
    expect(JSON.parse(body)).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'An unexpected error occurred. Quote the request id when you report it.',
      requestId: report?.incident.requestId,
    })
    expect(report?.incident).toMatchObject({ method: 'GET', target, requestId: expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/) })
    if (report === undefined) throw new Error('nothing was reported')
    return { ...report, says: report.error instanceof Error ? report.error.message : String(report.error) }
  }
  const target = (path: string, name: string): string => `/${path}/${encodeURIComponent(name)}`

  test.each(Object.keys(thrown))('a handler that throws %s', async (name) => {
    for (const path of ['thrown', 'rejected']) {
      const { error, incident } = await expectReport(target(path, name))
      expect(error).toBe(thrown[name])
      expect(incident.route).toBe(`GET /${path}/:name`)
    }
  })

  test.each(Object.entries(values))('a handler that returns %s', async (name, [, says]) => {
    const { says: message, incident } = await expectReport(target('value', name))
    expect(message).toMatch(says)
    expect(incident.route).toBe('GET /value/:name')
  })

  test.each(Object.keys(values))('a list with one invalid item: %s', async (name) => {
    expect((await expectReport(target('items', name))).says).toMatch(/GET \/items\/:name .*"\/1/)
  })

  test.each(Object.keys(values))('a stream whose first item is invalid: %s', async (name) => {
    const { says, incident } = await expectReport(target('lines', name))
    expect(says).toMatch(/expected/)
    expect(incident.route).toBe('GET /lines/:name')
  })

  test.each(Object.entries(headers))('a response header with %s', async (name, [, says]) => {
    expect((await expectReport(target('headers', name))).says).toMatch(says)
  })

  test('declared headers that the handler left out', async () => {
    expect((await expectReport('/bare')).says).toMatch(
      /^GET \/bare declares the response headers X-Text, .*: return withHeaders\(body, \{ 'X-Text': …, .* \}\)\.$/,
    )
  })

  test('a text that is a number', async () => {
    expect((await expectReport('/text')).says).toMatch(/GET \/text/)
  })

  test('undefined as a JSON value', async () => {
    expect((await expectReport('/json')).says).toMatch(/GET \/json/)
  })

  test.each(Object.keys(unsendable))('a thrown error with %s', async (name) => {
    await expectReport(target('raised', name))
    await expectReport(target('raisedLater', name))
  })

  test.each([42, 1000])('the report of a thrown error of status %i says which statuses can be sent', async (status) => {
    expect((await expectReport(target('raised', `a status that is too ${status < 200 ? 'small' : 'large'}`))).says).toBe(
      `An error of status ${status} cannot be sent: its status is not an integer from 200 to 599. Throw it with a status from 200 to 599, header names that are tokens, and printable Latin-1 values.`,
    )
  })

  test('members that are not declared are never sent', async () => {
    const response = await adapter.fetch('/undeclared')
    expect(await response.text()).toBe('{"name":"Ann","age":36}')
  })
})
