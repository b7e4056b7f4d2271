/** The documentation of an API: its outline as data, and the outline as Markdown. */

import {
  array,
  basic,
  bool,
  bytes,
  content,
  created,
  date,
  endpoint,
  flag,
  form,
  html,
  int,
  json,
  list,
  mediaType,
  mount,
  ndjson,
  noContent,
  ok,
  oneOf,
  operations,
  optional,
  prefix,
  type Reply,
  reply,
  text,
  webhook,
  withHeaders,
} from 'lapidary'
import { markdown, type Outline, outline } from 'lapidary/docs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyParameter } from '../../src/contract/parameters/parameter.ts'
import { api as everything } from '../support/everything.ts'

const Book = z.object({ title: z.string(), pages: z.int(), published: z.iso.date(), tags: z.array(z.string()) })
const Shelf = z.object({ shelf: z.string(), free: z.int().optional() })
const waves = { title: 'The Waves', pages: 324, published: '1931-10-08', tags: ['novel', 'sea'] }
const orlando = { title: 'Orlando', pages: 336, published: '1928-10-11', tags: [] }
const page = html<readonly { readonly title: string }[]>((books) => `<ul>${books.map(({ title }) => `<li>${title}</li>`).join('')}</ul>`)

const id = int({ description: 'The number of the book.', examples: [7] })

const library = {
  hello: endpoint('GET /hello', {
    query: { name: optional(text, { description: 'Whom to greet.', examples: ['Ann', 'Ben'] }) },
    response: ok(text),
    summary: 'A greeting.',
    examples: { response: 'Hello, Ann!' },
  }),
  books: prefix('/books', {
    all: endpoint('GET /', {
      query: {
        sort: optional(oneOf('title', 'pages'), { description: 'What to sort by.' }),
        since: date,
        tag: array(text, { description: 'Only books with all of these.', examples: [['novel', 'sea']] }),
        lent: flag,
      },
      headers: { 'X-Depth': int, 'X-Note': optional(text) },
      response: ok(content(list(Book), json, page), {
        headers: { 'X-Count': int({ description: 'How many there are.' }), 'X-Newest': optional(date), 'X-Tags': array(text) },
        description: 'The books on the shelves.',
      }),
      description: 'Every book.\n\nLent ones are left out.',
      examples: { response: withHeaders([waves, orlando], { 'X-Count': 2, 'X-Newest': undefined, 'X-Tags': ['novel', 'sea'] }) },
    }),
    add: endpoint('POST /', {
      auth: basic('librarians'),
      body: content(Book, json, form),
      response: created({ headers: { Location: text({ description: 'Where the book is.', examples: ['/books/7'] }) } }),
      errors: [reply(409, Shelf, { headers: { 'X-Shelf': text }, description: 'The shelf is full.' }), reply(429)],
      examples: { body: waves },
    }),
    remove: endpoint('DELETE /:id', { params: { id }, response: noContent, errors: [reply(404)] }),
    stream: endpoint('GET /stream', { response: ok(ndjson(Book)), examples: { response: [waves, orlando] } }),
    cover: endpoint('PUT /:id/cover/:side', {
      params: { id },
      body: bytes,
      response: ok(bytes),
      examples: { body: new Uint8Array([0x89, 0x50, 0x4e, 0x47]), response: new TextEncoder().encode('stored') },
    }),
  }),
  fits: endpoint('GET /fits', { query: { exactly: bool }, response: reply(202, Shelf) }),
  pictures: mount('/pictures', { description: 'Scans of the covers.' }),
  nothing: {},
}

const introductions = [{ title: 'The library', paragraphs: ['All of its books.', 'Closed on *Sundays*.'] }]

test('the documentation of a small API is that of the golden file', async () => {
  await expect(markdown(await outline(library, { title: 'Library', introductions }))).toMatchFileSnapshot('../golden/docs.md')
})

test('an outline is plain data: JSON does not change it', async () => {
  const made = await outline(library, { introductions })
  expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made)
})

test('an outline can be changed before it is rendered', async () => {
  const made = await outline(library)
  made.sections = made.sections.filter(({ name }) => name === 'pictures')
  made.introductions.push({ title: 'Only pictures', paragraphs: [] })
  expect(markdown(made)).toBe('## Only pictures\n\n## Everything under /pictures\n\nScans of the covers.\n')
})

test('a change of an outline does not change its options', async () => {
  const given = [{ title: 'The library', paragraphs: ['One.'] }]
  const made = await outline({}, { introductions: given })
  made.introductions[0]?.paragraphs.push('Two.')
  expect(given).toEqual([{ title: 'The library', paragraphs: ['One.'] }])
})

test('introductions stand in their order, one without a title as paragraphs alone', async () => {
  const made = await outline(
    {},
    {
      introductions: [
        { title: 'One', paragraphs: ['# a', 'b'] },
        { title: '', paragraphs: ['c'] },
      ],
    },
  )
  expect(markdown(made)).toBe('## One\n\n\\# a\n\nb\n\nc\n')
})

test('what endpoints have in common ends with the errors, and shows no example where there is none', async () => {
  const made = await outline({ one: endpoint('GET /one', { response: noContent }) })
  const shared = (document: string): string => /what was expected there\.\n\n([\s\S]*?)\n\n## GET \/one/.exec(document)?.[1] ?? ''
  expect(shared(markdown(made))).toMatch(/^Endpoints list these by their status codes only:\n\n- Status code 400 .*\n- Status code 500 .*$/)
  const [section] = made.sections
  const silent = section && markdown({ ...made, sections: [{ ...section, builtInErrors: [] }] })
  expect(silent).toMatch(/what was expected there\.\n\n## GET \/one/)
})

test('texts of an endpoint are inline where they stand in a line, and paragraphs where they stand alone', async () => {
  const description = '# One\n<b>two'
  const one = endpoint('GET /one', {
    query: { n: int({ description }) },
    response: ok(text, { description }),
    errors: [reply(404, undefined, { description })],
    summary: description,
    description,
  })
  const [, section = ''] = markdown(await outline({ one })).split('## GET /one\n\n')
  expect(section.split(/\n\n(?=#)/)).toEqual([
    '\\# One\n\\<b>two\n\n\\# One\n\\<b>two',
    '### Query parameters\n\n- `n` (integer, required), **values**: `42`. # One \\<b>two',
    expect.stringMatching(/^### Response\n\nStatus code 200 \(OK\): # One \\<b>two\n\n/),
    '### Errors\n\n- Status code 404 (Not Found): # One \\<b>two\n\nAlso: 400, 406, 500\n',
  ])
})

test.each<[what: string, parameter: AnyParameter, printed: string]>([
  ['an empty default', text({ default: '' }), '`x` (text, default the empty text)'],
  ['a default of 0', int({ default: 0 }), '`x` (integer, default 0), **values**: `0`'],
  ['a list of choices', array(oneOf('a', 'b')), '`x` (list of choice, may be repeated), **values**: `a`, `b`'],
  ['a list that ends', array(text, { maxItems: 2 }), '`x` (list of text, 0 to 2, may be repeated), **values**: `text`'],
  ['a list that cannot be empty', array(int, { minItems: 1 }), '`x` (list of integer, 1 or more, required), **values**: `42`'],
  ['bounds', int({ min: 1, max: 5 }), '`x` (integer from 1 to 5, required), **values**: `5`'],
  ['one bound', int({ min: 1 }), '`x` (integer from 1, required), **values**: `42`'],
  ['a pattern', text({ pattern: /^\d+$/, examples: ['1'] }), '`x` (text that matches ^\\\\d+$, required), **values**: `1`'],
])('a parameter with %s is documented', async (_what, parameter, printed) => {
  const document = markdown(await outline({ one: endpoint('GET /', { query: { x: parameter }, response: noContent }) }))
  expect(document).toContain(`### Query parameters\n\n- ${printed}\n`)
})

test('of the captures of a path, the rest alone tells of its slashes', async () => {
  const { sections } = await outline({ one: endpoint('GET /:id/*path', { params: { id }, response: noContent }) })
  expect(sections[0]?.captures.map(({ name, description }) => [name, description])).toEqual([
    ['id', 'The number of the book.'],
    ['path', expect.stringMatching(/^One or more segments/)],
  ])
})

test('a member of an object tells which other members a request needs as well', async () => {
  const filter = z.object({ kind: z.string(), tags: z.array(z.string()), word: z.string().optional() }).optional()
  const area = z.object({ x: z.int(), y: z.int() }).optional()
  const { sections } = await outline({ one: endpoint('GET /', { query: { filter, area, page: optional(int) }, response: noContent }) })
  expect(sections[0]?.query.map(({ name, ...field }) => ('requires' in field ? [name, field.requires] : name))).toEqual([
    'filter[kind]',
    ['filter[tags]', ['filter[kind]']],
    ['filter[word]', ['filter[kind]']],
    ['area[x]', ['area[y]']],
    ['area[y]', ['area[x]']],
    'page',
  ])
})

test('the header of a media type is required where it is the only one, and stands once', async () => {
  const german = mediaType<unknown>({ types: ['text/plain'], headers: { 'Content-Language': 'de' }, writer: () => () => 'Wellen' })
  const api = {
    alone: endpoint('GET /alone', { response: ok(content(Book, german)) }),
    beside: endpoint('GET /beside', { response: ok(content(Book, json, german)) }),
    declared: endpoint('GET /declared', { response: ok(content(Book, german), { headers: { 'content-language': optional(text) } }) }),
    constant: endpoint('GET /constant', { response: ok(content(Book, german)), responseHeaders: { 'Content-Language': 'en' } }),
  }
  const { sections } = await outline(api)
  expect(sections.map(({ responses: [response] }) => response?.headers.map(({ name, required }) => [name, required]))).toEqual([
    [['Content-Language', true]],
    [['Content-Language', false]],
    [['content-language', false]],
    [],
  ])
  expect(sections.map(({ responses: [response] }) => response?.problem)).toEqual([false, false, false, false])
})

test('the section of a mount has nothing but its prefix and its description', async () => {
  const { sections } = await outline({ raw: mount('/raw') })
  expect(sections).toEqual([
    {
      name: 'raw',
      method: null,
      path: '/raw',
      summary: '',
      description: '',
      deprecated: null,
      auth: null,
      captures: [],
      query: [],
      headers: [],
      cookies: [],
      request: [],
      responses: [],
      errors: [],
      builtInErrors: [],
      responseHeaders: [],
    },
  ])
})

test('an API without endpoints has a document of one line feed', async () => {
  expect(markdown(await outline({}))).toBe('\n')
})

/** The examples of the request, by the line that announces each. */
const announced = (document: string): readonly string[] =>
  (/### Request\n([\s\S]*?)### Response/.exec(document)?.[1] ?? '').split('\n').filter((line) => line.startsWith('Example'))

test('the request is shown in each encoding, or in the first alone', async () => {
  const made = await outline({ add: library.books.add })
  const first = 'Example (`application/json;charset=utf-8`, `application/json`):'
  expect(announced(markdown(made))).toEqual([first, 'Example (`application/x-www-form-urlencoded`):'])
  const short = markdown(made, { requestExamples: 'first' })
  expect(announced(short)).toEqual([first])
  expect(short).toContain('- `application/x-www-form-urlencoded`')
})

test('example bodies are encoded by each media type, without undeclared members', async () => {
  const secret = { ...waves, secret: 'never shown' }
  const { sections } = await outline({
    add: endpoint('POST /', { body: content(Book, json, form), response: noContent, examples: { body: secret } }),
  })
  expect(sections[0]?.request.map(({ examples }) => examples[0]?.text)).toEqual([
    JSON.stringify(waves),
    'title=The+Waves&pages=324&published=1931-10-08&tags=novel&tags=sea',
  ])
})

test('the example of a stream is that of its schema, else it has a value for each branch of a union', async () => {
  const branches = z.union([z.object({ a: z.int() }), z.object({ b: z.int() })])
  const { sections } = await outline({
    made: endpoint('GET /made', { response: ok(ndjson(branches)) }),
    stated: endpoint('GET /stated', { response: ok(ndjson(branches.meta({ examples: [{ b: 7 }] }))) }),
  })
  const texts = sections.map(({ responses: [response] }) => response?.encodings[0]?.examples.map(({ text }) => text))
  expect(texts).toEqual([['{"a":42}\n{"b":42}\n'], ['{"b":7}\n']])
})

test('a streamed example comes from any iterable', async () => {
  async function* books() {
    yield waves
    yield orlando
  }
  const { sections } = await outline({
    lines: endpoint('GET /lines', { response: ok(ndjson(Book)), examples: { response: books() } }),
    list: endpoint('GET /list', { response: ok(list(Book)), examples: { response: books() } }),
    made: endpoint('GET /made', { response: ok(ndjson(z.object({ n: z.int() }))) }),
  })
  const texts = sections.map(({ responses: [response] }) => response?.encodings[0]?.examples[0]?.text)
  expect(texts).toEqual([`${JSON.stringify(waves)}\n${JSON.stringify(orlando)}\n`, JSON.stringify([waves, orlando]), '{"n":42}\n'])
})

test.each<[string, Reply<unknown, unknown>, unknown, RegExp]>([
  [
    'a body',
    ok(Book),
    { ...waves, title: 1 },
    /^GET \/book, response: the example for application\/json;charset=utf-8 cannot be written: at "\/title" expected/,
  ],
  [
    'a form',
    ok(content(z.object({ shelf: Shelf }), form)),
    { shelf: { shelf: 'A' } },
    /^GET \/book, response: the example for application\/x-www-form-urlencoded cannot be written: [^.]*"shelf"[^.]*\. Remove it, or send JSON\. Give the endpoint/,
  ],
  [
    'a reply with headers',
    ok(Book, { headers: { 'X-Count': int } }),
    waves,
    /^GET \/book, response declares .*return withHeaders\(body, \{ 'X-Count': /,
  ],
])('an invalid example of %s is rejected with its place', async (_what, response, example, sentence) => {
  const wrong = endpoint('GET /book', { response, examples: { response: example } })
  await expect(outline({ wrong })).rejects.toThrow(sentence)
})

test('each kind of endpoint has its section under its route, with an example for each schema', async () => {
  const made = await outline(everything)
  const expected = operations(everything).map(({ operation }) =>
    operation['~kind'] === 'mount' ? `## Everything under ${operation.prefix}` : `## ${operation.route}`,
  )
  expect(markdown(made).match(/^## .*/gm)).toEqual(['## What endpoints have in common', ...expected, '## Webhooks'])
  const silent = made.sections.filter(({ request, responses }) =>
    [...request, ...responses.filter(({ status }) => status !== 206).flatMap(({ encodings }) => encodings)].some(
      ({ examples }) => examples.length === 0,
    ),
  )
  const schemaless = operations(everything).filter(
    ({ operation }) =>
      operation['~kind'] === 'endpoint' &&
      [
        operation.examples.body === undefined ? operation.body : undefined,
        operation.examples.response === undefined ? operation.response.content : undefined,
      ].some((one) => one !== undefined && one.schema === undefined),
  )
  expect(silent.map(({ name }) => name)).toEqual(schemaless.map(({ name }) => name))
})

test('a custom scheme is documented with its challenge and its realm', async () => {
  const auth = basic('a "quoted\\" realm')
  const challenge = 'Key realm="the \\"inner\\" ring", charset="UTF-8"'
  const { sections } = await outline({ one: endpoint('GET /', { auth: { ...auth, name: 'keys', challenge }, response: noContent }) })
  expect(sections[0]?.auth?.alternatives[0]?.[0]).toMatchObject({ name: 'keys', scheme: 'Key', realm: 'the "inner" ring' })
})

test('the realm of a challenge is found in any case', async () => {
  const auth = { ...basic('people'), challenge: 'Key Realm="vault"' }
  const { sections } = await outline({ one: endpoint('GET /', { auth, response: noContent }) })
  expect(sections[0]?.auth?.alternatives[0]?.[0]?.realm).toBe('vault')
})

test('an outline of another source is rendered as well', () => {
  const blank: Outline = { title: '', introductions: [], errorExample: null, sections: [] }
  expect(markdown({ ...blank, title: 'C #' })).toBe('# C \\#\n')
})

test('webhooks have a section at the end, with what they have in common, and one of their own each', async () => {
  const api = {
    hello: endpoint('GET /hello', { response: ok(text) }),
    paid: webhook('order.paid', {
      body: z.object({ id: z.int() }),
      summary: 'An order is paid.',
      description: 'It is sent once.',
      examples: { body: { id: 7 } },
    }),
    gone: webhook('order.gone', { body: text, deprecated: true }),
  }
  const made = markdown(await outline(api))
  const section = made.slice(made.indexOf('## Webhooks'))
  expect(section).toContain('[Standard Webhooks](https://www.standardwebhooks.com)')
  for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) expect(section).toContain(`- \`${header}\`, such as`)
  expect(section).toContain('- 410: The receiver wants no further attempts.')
  expect(section).toContain('### order.paid\n\nAn order is paid.\n\nIt is sent once.\n\nSupported content types are:')
  expect(section).toContain('{"id":7}')
  expect(section).toContain('### order.gone\n\n**Deprecated**.')
  expect((await outline({ hello: api.hello })).webhooks).toBe(undefined)
  expect(markdown(await outline({ hello: api.hello }))).not.toContain('Webhooks')
})
