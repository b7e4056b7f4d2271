/** The parts of a documentation that endpoints share, and those of each endpoint. */
import {
  type AnyAuth,
  type AnyReply,
  apiKey,
  array,
  authScheme,
  basic,
  bearer,
  both,
  bytes,
  either,
  endpoint,
  flag,
  int,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  text,
} from 'lapidary'
import { markdown, type Outline, outline } from 'lapidary/docs'
import { describe, expect, test } from 'vitest'

const common = 'What endpoints have in common'

/** What stands in each section below a title. */
function below(title: string, document: string): Readonly<Record<string, string>> {
  const sections = document.split(/^## /m).slice(1)
  return Object.fromEntries(
    sections.map((section) => {
      const [, part = ''] = section.split(`### ${title}\n\n`)
      return [section.slice(0, section.indexOf('\n')), (part.split(/^###/m)[0] ?? '').trim()]
    }),
  )
}

const later = (description: string): AnyReply => reply(503, undefined, { headers: { 'Retry-After': int }, description })
const [away, full] = [later('The database is away.'), later('The disk is full.')]
const lineOf = (description: string): string =>
  `- Status code 503 (Service Unavailable): ${description} Headers: \`Retry-After\` (integer), **values**: \`42\`.`
const plain = reply(403, undefined, { description: 'Not for you.' })
const plain409 = reply(409, undefined, { description: 'No.' })
const never = reply(403, undefined, { headers: { 'X-Until': int }, description: 'Never.' })
const wrong = reply(400, undefined, { headers: { 'X-Until': int }, description: 'Wrong.' })
const badRequest = 'A part of the request is invalid; `errors` says which, and what was expected there.'
const internalError = 'An unexpected error occurred. Quote its `requestId` when you report it.'

describe('the errors of endpoints', () => {
  const errorsOf = async (...errors: readonly (readonly AnyReply[])[]): Promise<Readonly<Record<string, string>>> => {
    const api = Object.fromEntries(
      errors.map((own, index) => [`e${index}`, endpoint(`GET /${index}`, { response: noContent, errors: own })]),
    )
    return below('Errors', markdown(await outline(api)))
  }

  test.each<[string, readonly (readonly AnyReply[])[], readonly string[], readonly string[]]>([
    [
      'long and declared alike: once, and by its number',
      [[away], [away], []],
      [lineOf('The database is away.')],
      ['400, 500, 503', '400, 500, 503', '400, 500'],
    ],
    ['long and declared by one', [[away], []], [], [`${lineOf('The database is away.')}\n\nAlso: 400, 500`, '400, 500']],
    [
      'long, beside one of the same status that is another: each number has one meaning',
      [[away], [away], [full]],
      [lineOf('The database is away.')],
      ['400, 500, 503', '400, 500, 503', `${lineOf('The disk is full.')}\n\nAlso: 400, 500`],
    ],
    [
      'long and declared alike in two ways',
      [[away], [away], [full], [full]],
      [],
      [away, away, full, full].map(({ description = '' }) => `${lineOf(description)}\n\nAlso: 400, 500`),
    ],
    [
      'of one status in one endpoint: a header that both have is required',
      [[away, full]],
      [],
      [`${lineOf('The database is away. The disk is full.')}\n\nAlso: 400, 500`],
    ],
    [
      'long and declared alike, below a status of the toolkit',
      [[never], [never]],
      ['- Status code 403 (Forbidden): Never. Headers: `X-Until` (integer), **values**: `42`.'],
      ['400, 403, 500', '400, 403, 500'],
    ],
    ['long and declared twice by one', [[away, away], [away]], [lineOf('The database is away.')], ['400, 500, 503', '400, 500, 503']],
    [
      'with a body, and declared alike',
      [[reply(409, bytes)], [reply(409, bytes)]],
      ['- Status code 409 (Conflict)'],
      ['400, 409, 500', '400, 409, 500'],
    ],
    [
      'long and declared alike, of a status that the toolkit has another meaning for',
      [[wrong], [wrong]],
      [],
      Array.from(
        { length: 2 },
        () =>
          `- Status code 400 (Bad Request): Wrong. ${badRequest} Headers: \`X-Until\` (integer, optional), **values**: \`42\`.\n\nAlso: 500`,
      ),
    ],
    [
      'of one status in one endpoint, one of them without a description',
      [[reply(503, undefined, { headers: { 'Retry-After': int } }), away]],
      [],
      [`${lineOf('The database is away.')}\n\nAlso: 400, 500`],
    ],
    [
      'of one status in one endpoint, with a body and without: each stands for itself',
      [[reply(409), reply(409, bytes), reply(404), plain409]],
      [],
      [
        '- Status code 409 (Conflict): No.\n\n- Status code 409 (Conflict)\n\n  Supported content types are:\n\n  - `application/octet-stream`\n\n- Status code 404 (Not Found)\n\nAlso: 400, 500',
      ],
    ],
    [
      'of the statuses of the toolkit alone',
      [[reply(500, undefined, { description: 'Broken' }), reply(400)]],
      [],
      [`- Status code 500 (Internal Server Error): Broken. ${internalError}\n- Status code 400 (Bad Request): ${badRequest}`],
    ],
    [
      'with headers and without a period',
      [
        [
          reply(429, undefined, { headers: { 'X-Until': int } }),
          reply(404, undefined, { headers: { 'X-Until': int }, description: 'Gone?' }),
        ],
      ],
      [],
      [
        '- Status code 429 (Too Many Requests). Headers: `X-Until` (integer), **values**: `42`.\n- Status code 404 (Not Found): Gone? Headers: `X-Until` (integer), **values**: `42`.\n\nAlso: 400, 500',
      ],
    ],
    [
      'of one line',
      [[plain], [plain]],
      [],
      Array.from({ length: 2 }, () => '- Status code 403 (Forbidden): Not for you.\n\nAlso: 400, 500'),
    ],
  ])('%s', async (_what, errors, once, own) => {
    const { [common]: shared = '', ...each } = await errorsOf(...errors)
    expect(shared.split('\n').filter((line) => line.startsWith('- ') && !/ (400|500) /.test(line))).toEqual(once)
    expect(Object.values(each)).toEqual(own)
  })

  test('a status that an endpoint declares beside the same one of the toolkit stands once, with both reasons', async () => {
    const scoped = bearer<string, 'write'>('token').scopes('write')
    const both = reply(403, undefined, { description: 'Not today', headers: { 'WWW-Authenticate': text } })
    const api = {
      one: endpoint('GET /one', { auth: scoped, response: noContent, errors: [plain, reply(404), plain, both] }),
      two: endpoint('GET /two', { auth: scoped, response: noContent }),
      three: endpoint('GET /three/:id', {
        params: { id: int },
        response: noContent,
        errors: [reply(400, undefined, { description: 'No.' })],
      }),
    }
    const { 'GET /one': one, 'GET /two': two, 'GET /three/:id': three } = below('Errors', markdown(await outline(api)))
    const scope = 'The credentials are valid, and do not have the scopes that this takes.'
    expect([one, two, three]).toEqual([
      `- Status code 403 (Forbidden): Not for you. Not today. ${scope} Headers: \`WWW-Authenticate\` (text, optional), **values**: \`text\`.\n- Status code 404 (Not Found)\n\nAlso: 400, 401, 500`,
      '400, 401, 403, 500',
      '- Status code 400 (Bad Request): No. A part of the request is invalid; `errors` says which, and what was expected there.\n\nAlso: 500',
    ])
  })

  test('an error of the toolkit stands behind the own one of its status, which has a body', async () => {
    const auth = bearer<string, 'write'>('token').scopes('write')
    const { 'GET /': printed = '' } = below(
      'Errors',
      markdown(await outline({ one: endpoint('GET /', { auth, response: noContent, errors: [reply(403, bytes), reply(404)] }) })),
    )
    expect(printed.match(/Status code \d+|Also.*/g)).toEqual([
      'Status code 403',
      'Status code 403',
      'Status code 404',
      'Also: 400, 401, 500',
    ])
  })

  test('without an endpoint, the shared errors that it alone had are gone', async () => {
    const made: Outline = await outline({
      open: endpoint('GET /open', { response: noContent }),
      shut: endpoint('GET /shut', { auth: basic('people'), response: noContent }),
    })
    expect(markdown(made)).toContain('Status code 401')
    expect(markdown({ ...made, sections: made.sections.filter(({ auth }) => auth === null) })).not.toContain('401')
  })

  test('an error with its own body has its content types, and any other is problem details', async () => {
    const { sections } = await outline({
      one: endpoint('GET /', { response: noContent, errors: [reply(404, bytes), reply(409), reply(304)] }),
    })
    expect(sections[0]?.errors.map(({ problem, encodings }) => [problem, encodings.flatMap(({ types }) => types)])).toEqual([
      [false, ['application/octet-stream']],
      [true, []],
      [false, []],
    ])
  })
})

test('each endpoint lists the headers of every response once', async () => {
  const document = markdown(
    await outline({ one: endpoint('GET /', { response: noContent, errors: [plain], responseHeaders: { 'X-Robots-Tag': 'none' } }) }),
  )
  expect(document.match(/.*X-Robots-Tag.*/g)).toEqual(['- `X-Robots-Tag` (text), **values**: `none`'])
  expect(below('Response', document)['GET /']).toContain('Headers of every response, including errors:')
})

describe('the credentials of an endpoint', () => {
  const key = { name: 'key', challenge: 'Key', credentials: () => undefined, openapi: {} }
  const people =
    'Basic authentication, realm `people`\n\nThe user name and the password, joined by a colon and encoded in base64 (RFC 7617).\n\n- `Authorization: Basic YW5uOnNlY3JldA==`'
  const robots =
    'Bearer authentication, realm `robots`, scopes `read`, `write`\n\nThe token, unchanged (RFC 6750).\n\n- `Authorization: Bearer token`'
  const robot = bearer<string, 'read' | 'write'>('robots').scopes('read', 'write')

  test.each<[what: string, auth: AnyAuth, printed: string]>([
    ['Basic', basic('people'), people],
    ['Bearer, with scopes', robot, robots],
    [
      'a key in the query',
      apiKey({ in: 'query', name: 'key' }),
      'ApiKey authentication (`key`)\n\nThe key, in the query parameter `key`.\n\n- `?key=key`',
    ],
    ['a scheme whose realm is not its name', { ...basic('people'), name: 'staff' }, people.replace(',', ' (`staff`),')],
    [
      'a description that begins like a heading',
      authScheme({ ...key, description: '# One\n\n> key' }),
      'Key authentication (`key`)\n\n\\# One\n\n\\> key',
    ],
    [
      'optional ones',
      optional(basic('people')),
      `A request without credentials is served as well. One with wrong credentials is not.\n\n${people}`,
    ],
    [
      'optional ones, where wrong ones count as none',
      optional(basic('people'), { invalid: 'ignore' }),
      `A request without credentials is served as well. Wrong credentials count as none.\n\n${people}`,
    ],
    [
      'either of two',
      either(basic('people'), robot),
      `The first of these whose credentials a request has is verified.\n\n${people}\n\nOr:\n\n${robots}`,
    ],
    ['two together', both(basic('people'), authScheme(key)), `All of these:\n\n${people}\n\nKey authentication (\`key\`)`],
    ['a scheme that shows none', authScheme(key), 'Key authentication (`key`)'],
    ['a scheme without an example', authScheme({ ...key, headers: (id: string) => ({ 'X-Id': id }) }), 'Key authentication (`key`)'],
    [
      'a challenge with a word that ends in "realm"',
      authScheme({ ...key, challenge: 'Key subrealm="one", realm="two"' }),
      'Key authentication (`key`), realm `two`',
    ],
    [
      'a scheme of two headers',
      authScheme({ ...key, headers: (id: string) => ({ 'X-Id': id, 'X-Of': 'all' }), example: 'ann', description: 'Who one is.' }),
      'Key authentication (`key`)\n\nWho one is.\n\n- `X-Id: ann`\n- `X-Of: all`',
    ],
  ])('%s', async (_what, auth, printed) => {
    const document = markdown(await outline({ one: endpoint('GET /', { auth, response: noContent }) }))
    expect(below('Authentication', document)['GET /']).toBe(printed)
  })
})

describe('the example of an error', () => {
  const response = ok(text)

  test('is a text of JSON', async () => {
    const { errorExample } = await outline({ one: endpoint('GET /', { query: { n: int }, response }) })
    expect(errorExample?.example).toEqual({ language: 'json', text: expect.stringMatching(/^\{"type":"about:blank",/), base64: false })
  })

  test.each([
    ['gives a value twice', endpoint('GET /', { query: { n: optional(int) }, response }), 'GET /?n=42&n=42'],
    ['gives a required one once more', endpoint('GET /:x', { query: { m: int, n: optional(int) }, response }), 'GET /text?m=42&m=42'],
    ['is not one for a flag', endpoint('GET /', { query: { loud: flag }, response }), undefined],
    [
      'is not one for a flag or a list',
      endpoint('GET /', { query: { loud: flag, tags: array(int), n: optional(int) }, response }),
      'GET /?n=42&n=42',
    ],
    [
      'is percent-encoded',
      endpoint('GET /', { query: { 'a b': text({ examples: ['c d', 'e&f'] }) }, response }),
      'GET /?a%20b=c%20d&a%20b=e%26f',
    ],
    [
      'may need optional credentials',
      endpoint('GET /', { auth: optional(basic('people')), query: { n: int }, response }),
      'GET /?n=42&n=42',
    ],
    ['needs no credentials', endpoint('GET /', { auth: basic('people'), query: { n: int }, response }), undefined],
    ['needs no body', endpoint('POST /', { query: { n: int }, body: text, response, examples: { body: 'x' } }), undefined],
  ])('%s', async (_what, one, line) => {
    expect((await outline({ nothing: {}, ...prefix('/', { one }) })).errorExample?.line).toBe(line)
  })
})
