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
  withHeaders,
} from 'lapidary'
import { markdown, type Outline, outline } from 'lapidary/docs'
import { expect, test } from 'vitest'
import { z } from 'zod'
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
    /^GET \/book, response declares .*return withHeaders\(body, headers\)/,
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
  expect(markdown(made).match(/^## .*/gm)).toEqual(['## What endpoints have in common', ...expected])
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
