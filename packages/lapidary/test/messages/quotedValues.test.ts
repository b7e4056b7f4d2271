/** No message repeats a value of the request, even if the library of the schema does. */
import { type } from 'arktype'
import { endpoint, list, noContent, ok, type Schema, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startCpuTime } from '../support/cpuTime.ts'

interface VendorIssue {
  readonly message: string
  readonly received?: string
}
type Rule = (value: string) => VendorIssue | undefined

/** A schema of a text of at least 8 characters, as another library would make it. */
const vendorSchema = (vendor: string, rule: Rule): Schema<string> => ({
  '~standard': {
    version: 1,
    vendor,
    validate: (value) => {
      const issue = typeof value === 'string' ? rule(value) : { message: `not a text: ${JSON.stringify(value)}` }
      return issue === undefined ? { value: value as string } : { issues: [issue] }
    },
    jsonSchema: { input: () => ({ type: 'string', minLength: 8 }) },
  },
})
const short = (value: string): boolean => value.length < 8
const rejectHash = (value: string): boolean => value.includes('#')

/** Schemas of the libraries, with messages as they write them. */
const schemas = {
  zod: z.string().min(8),
  arktype: type('string >= 8'),
  arktypeUnion: type("'abcdefgh' | 'ijklmnop'"),
  arktypeIntersection: type('string >= 8 & string.alpha'),
  arktypeBranches: type('string >= 8 | string.email'),
  valibot: vendorSchema('valibot', (value) =>
    short(value) ? { message: `Invalid length: Expected >=8 but received "${value}"`, received: `"${value}"` } : undefined,
  ),
  valibotCheck: vendorSchema('valibot', (value) =>
    rejectHash(value) ? { message: `Invalid input: Received "${value}"`, received: `"${value}"` } : undefined,
  ),
  valibotOwn: vendorSchema('valibot', (value) => (rejectHash(value) ? { message: 'No hash, please.', received: `"${value}"` } : undefined)),
  joi: vendorSchema('joi', (value) =>
    short(value) ? { message: `"password" with value "${value}" fails to match the required pattern` } : undefined,
  ),
  effect: vendorSchema('effect', (value) =>
    short(value) ? { message: `Expected minLength(8), actual ${JSON.stringify(value)}` } : undefined,
  ),
  unknown: vendorSchema('constructor', (value) => (rejectHash(value) ? { message: `${value} (was ${value}) (was it?)` } : undefined)),
}

/** The sentence about `my#key`, of six characters. */
const sentences: Readonly<Record<keyof typeof schemas, string>> = {
  zod: 'Too small: expected string to have >=8 characters',
  arktype: 'expected at least length 8',
  arktypeUnion: 'expected one of abcdefgh, ijklmnop',
  arktypeIntersection: 'expected a string of at least 8 characters that matches ^[A-Za-z]*$',
  arktypeBranches: 'expected a string or an email address such as ann@example.org that passes a further check',
  valibot: 'expected a string of at least 8 characters',
  valibotCheck: 'expected a string of at least 8 characters',
  valibotOwn: 'No hash, please.',
  joi: 'expected a string of at least 8 characters',
  effect: 'expected a string of at least 8 characters',
  unknown: 'expected a string of at least 8 characters',
}
const secret = 'my#key'

const detailsOf = async (name: keyof typeof schemas): Promise<readonly unknown[]> => {
  const schema = schemas[name] as Schema<string>
  const api = {
    body: endpoint('POST /body', { body: schema, response: noContent }),
    list: endpoint('POST /list', { body: list(schema), response: noContent }),
    query: endpoint('GET /query', { query: { password: schema }, response: ok(text) }),
    header: endpoint('GET /header', { headers: { 'X-Password': schema }, response: ok(text) }),
    cookie: endpoint('GET /cookie', { cookies: { password: schema }, response: ok(text) }),
    path: endpoint('GET /path/:password', { params: { password: schema }, response: ok(text) }),
  }
  const handler = (): string => 'ok'
  const nothing = (): void => {}
  const server = serve(api, { body: nothing, list: nothing, query: handler, header: handler, cookie: handler, path: handler })
  const encoded = encodeURIComponent(secret)
  const post = (body: string) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
    ['/body', post(JSON.stringify(secret))],
    ['/list', post(JSON.stringify([secret]))],
    [`/query?password=${encoded}`],
    ['/header', { headers: { 'X-Password': secret } }],
    ['/cookie', { headers: { Cookie: `password=${encoded}` } }],
    [`/path/${encoded}`],
  ]
  const details: unknown[] = []
  for (const [path, init] of requests) {
    const response = await server.fetch(new Request(`http://test.invalid${path}`, init))
    const body = await response.text()
    expect([path, response.status, body.includes(secret)]).toEqual([path, 400, false])
    details.push(...(JSON.parse(body) as { readonly errors: readonly { readonly detail: string }[] }).errors.map(({ detail }) => detail))
  }
  return details
}

test.each(Object.keys(schemas) as (keyof typeof schemas)[])('%s', async (name) => {
  // Of a parameter, the type is that of its text.
  expect((await detailsOf(name)).map((detail) => String(detail).replace(/, got a string$/, ''))).toEqual(Array(6).fill(sentences[name]))
})

test('a value that only a further check rejects is not repeated either', async () => {
  const api = { one: endpoint('POST /', { body: schemas.unknown, response: noContent }) }
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '"my#secret key"' }
  const response = await serve(api, { one: () => {} }).fetch(new Request('http://test.invalid/', init))
  expect(await response.json()).toMatchObject({ errors: [{ detail: 'expected a string that passes a further check' }] })
})

test('the name of a member that is not declared is in the pointer alone', async () => {
  const body = z.strictObject({ name: z.string().optional() }).or(z.strictObject({ id: z.int() }))
  const api = { one: endpoint('POST /', { body: z.strictObject({ one: body }), response: noContent }) }
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"one":{"name":"a","my#key":1},"my#key":1}' }
  const response = await serve(api, { one: () => {} }).fetch(new Request('http://test.invalid/', init))
  const { errors } = (await response.json()) as { readonly errors: readonly { readonly detail: string }[] }
  expect(errors.map(({ detail }) => detail).join()).not.toContain(secret)
})

test('a message of many quotations takes linear time', async () => {
  const quoting = vendorSchema('arktype', (value) => ({ message: `${value} (was ${value}` }))
  const api = { one: endpoint('POST /', { body: quoting, response: noContent }) }
  const server = serve(api, { one: () => {} })
  const send = async (count: number): Promise<number> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(' (was '.repeat(count)) }
    const getTime = startCpuTime()
    expect((await server.fetch(new Request('http://test.invalid/', init))).status).toBe(400)
    return getTime()
  }
  await send(1_000)
  // Quadratic time would be seconds.
  expect(await send(70_000)).toBeLessThan(1_500)
})
