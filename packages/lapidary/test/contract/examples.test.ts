/** Several examples of an endpoint, by name: in Markdown, in OpenAPI, and as requests. */
import {
  array,
  content,
  created,
  endpoint,
  file,
  form,
  html,
  json,
  mediaType,
  multipart,
  noContent,
  ok,
  optional,
  reply,
  respond,
  text,
  withHeaders,
} from 'lapidary'
import { documentedRequests, markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Order = z.object({ item: z.string(), count: z.int().default(1) })
const page = html<z.infer<typeof Order>>(({ item }) => item)
const api = {
  order: endpoint('POST /orders', {
    body: content(Order, json, form),
    response: [created(content(Order, json, page)), reply(202, text)],
    examples: {
      ruby: {
        summary: 'A _red_\nstone.',
        body: { item: 'ruby' },
        response: withHeaders({ item: 'ruby', count: 1 }, { Location: '/orders/1' }),
      },
      many: { body: { item: 'opal', count: 99 }, response: respond(202, 'later') },
      __proto__: { body: { item: 'agate' } },
      constructor: { body: { item: 'jade' } },
    },
  }),
  tagged: endpoint('GET /tagged', {
    response: ok(text),
    etag: true,
    examples: { first: { response: 'one' }, second: { response: 'two' } },
  }),
  none: endpoint('PUT /none', { body: Order, response: noContent, examples: {} }),
}

const sections = async () => (await outline(api)).sections

test('each encoding has each example, by its name', async () => {
  const [order] = await sections()
  expect(order?.request.map(({ examples }) => examples.map(({ name, summary, text }) => [name, summary, text]))).toEqual([
    [
      ['ruby', 'A _red_\nstone.', '{"item":"ruby"}'],
      ['many', '', '{"item":"opal","count":99}'],
      ['constructor', '', '{"item":"jade"}'],
    ],
    [
      ['ruby', 'A _red_\nstone.', 'item=ruby'],
      ['many', '', 'item=opal&count=99'],
      ['constructor', '', 'item=jade'],
    ],
  ])
})

test('each response has the examples with its status', async () => {
  const [order, tagged] = await sections()
  expect(order?.responses.map(({ encodings }) => encodings.map(({ examples }) => examples.map(({ name, text }) => [name, text])))).toEqual([
    [[['ruby', '{"item":"ruby","count":1}']], [['ruby', 'ruby']]],
    [[['many', 'later']]],
  ])
  expect(order?.responses[0]?.headers[0]?.examples).toEqual(['/orders/1'])
  expect(tagged?.responses[0]?.encodings[0]?.examples.map(({ text }) => text)).toEqual(['one', 'two'])
})

test('each example is a request in each type of the body', async () => {
  const [order] = await sections()
  if (order === undefined) throw new Error('There is a section.')
  expect(documentedRequests(order).map(({ headers, body }) => [headers['Content-Type'], body?.text])).toEqual([
    ['application/json;charset=utf-8', '{"item":"ruby"}'],
    ['application/json', '{"item":"ruby"}'],
    ['application/json;charset=utf-8', '{"item":"opal","count":99}'],
    ['application/json', '{"item":"opal","count":99}'],
    ['application/json;charset=utf-8', '{"item":"jade"}'],
    ['application/json', '{"item":"jade"}'],
    ['application/x-www-form-urlencoded', 'item=ruby'],
    ['application/x-www-form-urlencoded', 'item=opal&count=99'],
    ['application/x-www-form-urlencoded', 'item=jade'],
  ])
})

test('Markdown names them, and shows their summaries as text', async () => {
  const document = markdown(await outline(api))
  expect(document).toContain(
    'Example `ruby` (`application/json;charset=utf-8`, `application/json`): A _red_ stone.\n\n```json\n{"item":"ruby"}\n```',
  )
  expect(document).toContain('Example `many` (`application/x-www-form-urlencoded`):')
  expect(document).toContain('Example `second` (`text/plain;charset=utf-8`):')
  expect(document).toContain('Example (`application/json;charset=utf-8`, `application/json`):')
})

test('OpenAPI has them by name, and an example without a name as the only one', async () => {
  const { paths } = await openapi(api, { title: 'Orders', version: '1' })
  const order = paths['/orders']?.post
  expect(order?.requestBody?.content['application/json']).toMatchObject({
    examples: {
      ruby: { summary: 'A _red_\nstone.', value: { item: 'ruby' } },
      many: { value: { item: 'opal', count: 99 } },
      constructor: { value: { item: 'jade' } },
    },
  })
  expect(order?.requestBody?.content['application/json']).not.toHaveProperty('example')
  expect(JSON.parse(JSON.stringify(order?.responses))).toMatchObject({
    201: { content: { 'application/json': { examples: { ruby: { value: { item: 'ruby', count: 1 } } } } } },
    202: { content: { 'text/plain': { examples: { many: { value: 'later' } } } } },
  })
  expect(paths['/none']?.put?.requestBody?.content['application/json']).toMatchObject({ example: { item: 'text' } })
})

test.each<[string, () => Promise<unknown>, string]>([
  [
    'no headers where the reply declares some',
    () => outline({ one: endpoint('POST /', { response: created, examples: { ruby: { response: 'wrong' as never } } }) }),
    "declares the response header Location: return withHeaders({ Location: '/stones/7' }).",
  ],
  [
    'a body that its schema does not allow',
    () => outline({ one: endpoint('POST /', { body: Order, response: noContent, examples: { ruby: { body: 'wrong' as never } } }) }),
    'POST /, request: the example for application/json',
  ],
])('an example with %s is refused', async (_what, document, message) => {
  await expect(document()).rejects.toThrow(message)
})

/** The example of a body in this media type, as the outline has it. */
async function getExample(type: string, written: string | Uint8Array) {
  const own = mediaType<string>({ types: [type], reader: () => String, writer: () => () => written })
  const { sections } = await outline({ one: endpoint('GET /', { response: ok(own), examples: { response: 'a' } }) })
  const [example] = sections[0]?.responses[0]?.encodings[0]?.examples ?? []
  return { language: example?.language, text: example?.text, base64: example?.base64 }
}

test.each([
  ['text/plain;charset=utf-8', 'text'],
  ['application/octet-stream', 'text'],
  ['text/event-stream', 'text'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
  ['application/jsonl', 'json'],
  ['application/merge-patch+json', 'json'],
  ['image/svg+xml', 'xml'],
  ['text/html; charset=utf-8', 'html'],
])('an example of %s has the language %s', async (type, language) => {
  expect(await getExample(type, 'a')).toEqual({ language, text: 'a', base64: false })
})

test.each<[what: string, written: string | Uint8Array, isText: boolean]>([
  ['letters', 'é💎', true],
  ['a tab, and both line ends', 'a\tb\r\nc\n', true],
  ['bytes of a text', new TextEncoder().encode('a'), true],
  ['bytes that are no text', Uint8Array.of(0xff), false],
  ...['\0', '\b', '\v', '\f', '\u000e', '\u001f', '\u007f'].map((character): [string, string, boolean] => [
    `the character ${JSON.stringify(character)}`,
    `a${character}`,
    false,
  ]),
])('an example of %s is shown as it is, or in base64 where a page cannot show it', async (_what, written, isText) => {
  const bytes = Buffer.from(written as string)
  expect(await getExample('text/csv', written)).toEqual(
    isText
      ? { language: 'csv', text: bytes.toString(), base64: false }
      : { language: 'text', text: bytes.toString('base64'), base64: true },
  )
})

test('the example of a form with files names its boundary', async () => {
  const one = endpoint('POST /', { body: multipart({ title: text }), response: noContent, examples: { body: { title: 'opal' } } })
  const { sections } = await outline({ one })
  expect(sections[0]?.request[0]).toMatchObject({
    types: ['multipart/form-data; boundary=boundary'],
    examples: [{ text: expect.stringMatching(/^--boundary\r\n[\s\S]*opal\r\n--boundary--\r\n$/) }],
  })
})

test('the files of an example have a declared type, and no more bytes than one may have', async () => {
  const body = multipart({
    title: text({ description: 'What it is called.' }),
    photo: file({ types: ['image/*', 'text/plain'], maxSize: 3 }),
    notes: array(file()),
  })
  const given = { title: 'opal', photo: 'abcdef', notes: ['first', 'second'] } as never
  const one = endpoint('POST /', { body, response: noContent, examples: { body: given } })
  const { sections } = await outline({ one })
  const shown = sections[0]?.request[0]?.examples[0]?.text.replaceAll('\r\n', '\n')
  expect(shown).toContain('filename="blob"\nContent-Type: image/x\n\nabc\n--boundary')
  for (const note of ['first', 'second'])
    expect(shown).toContain(`name="notes"; filename="blob"\nContent-Type: application/octet-stream\n\n${note}\n`)
  const { paths } = await openapi({ one }, { title: 'Photos', version: '1' })
  const { schema } = Object(paths['/']?.post?.requestBody?.content['multipart/form-data'])
  expect(schema).toMatchObject({
    properties: { title: { type: 'string', description: 'What it is called.' } },
    required: ['title', 'photo'],
  })
})

test('a form of which all may be left out requires nothing', async () => {
  const one = endpoint('POST /', { body: multipart({ title: optional(text) }), response: noContent })
  const { paths } = await openapi({ one }, { title: 'Photos', version: '1' })
  expect(Object(paths['/']?.post?.requestBody?.content['multipart/form-data']).schema).not.toHaveProperty('required')
})

test('a form keeps the parts that it was declared with', () => {
  const parts: Record<string, typeof text> = { title: text }
  const { media } = multipart(parts)
  parts['more'] = text
  expect(Object.keys(media[0]?.parts ?? {})).toEqual(['title'])
})
