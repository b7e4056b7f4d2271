/** The responses of an OpenAPI document: declared ones, those of the toolkit, and both with one status. */
import {
  type AnyEndpoint,
  basic,
  content,
  created,
  endpoint,
  html,
  int,
  json,
  list,
  mediaType,
  ndjson,
  noContent,
  ok,
  optional,
  partialContent,
  reply,
  text,
  withHeaders,
} from 'lapidary'
import { type OpenApiDocument, openapi, type ResponseObject } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Book = z.object({ title: z.string() })
const Lent = z.object({ until: z.iso.date() })
const book = { $ref: '#/components/schemas/Book' }
const lent = { $ref: '#/components/schemas/Lent' }
const problem = { schema: { $ref: '#/components/schemas/Problem' } }
const example = { title: 'text' }
const inWords =
  'One JSON value per line, ended by a line feed. Each line is sent as soon as its value is available. Where `Accept` asks for `application/json`, the same lines are sent with that type.'
const linesOfBooks = {
  schema: { type: 'string', description: `${inWords} \`x-itemSchema\` describes one value.` },
  example: '{"title":"text"}\n',
  'x-itemSchema': book,
}
const refused = 'A part of the request is invalid; `errors` says which, and what was expected there.'

/** What `int` reads. */
const integer = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }

const documented = (...endpoints: readonly AnyEndpoint[]): Promise<OpenApiDocument> =>
  openapi(Object.fromEntries(endpoints.map((one, index) => [`of${index}`, one])), {
    title: 'Test',
    version: '1.0.0',
    schemas: { Book, Lent },
  })

const responsesOf = async (one: AnyEndpoint): Promise<Record<string, ResponseObject>> => {
  const { paths } = await documented(one)
  const [operation] = Object.values(Object.values(paths)[0] ?? {})
  // One operation alone shares nothing.
  return (operation?.responses ?? {}) as Record<string, ResponseObject>
}

test.each<[string, AnyEndpoint, number, ResponseObject]>([
  [
    'the description of a reply is its own, else its reason phrase',
    endpoint('GET /', { response: ok(Book) }),
    200,
    { description: 'OK', content: { 'application/json': { schema: book, example } } },
  ],
  ['a reply without a body has none', endpoint('DELETE /', { response: noContent }), 204, { description: 'No Content' }],
  [
    'headers have types, and are required if they are always sent',
    endpoint('POST /', {
      response: created({ headers: { Location: text({ description: 'where it is', examples: ['/books/1'] }), 'X-Size': optional(int) } }),
    }),
    201,
    {
      description: 'Created',
      headers: {
        Location: { description: 'where it is', required: true, schema: { type: 'string' }, example: '/books/1' },
        'X-Size': { schema: integer, example: 42 },
      },
    },
  ],
  [
    'an example has the values of its headers',
    endpoint('GET /', {
      response: partialContent(list(Book), { headers: { 'X-Size': int, 'X-Note': optional(text) }, description: 'A page.' }),
      examples: { response: withHeaders([{ title: 'The Waves' }], { 'X-Size': 7, 'X-Note': undefined }) },
    }),
    206,
    {
      description: 'A page.',
      headers: {
        'X-Size': { required: true, schema: integer, example: 7 },
        'X-Note': { schema: { type: 'string' }, example: 'text' },
      },
      content: { 'application/json': { schema: { type: 'array', items: book }, example: [{ title: 'The Waves' }] } },
    },
  ],
  [
    'of several types, Accept chooses',
    endpoint('GET /', {
      response: ok(
        content(
          Book,
          json,
          html(() => '<p>'),
        ),
      ),
      responseHeaders: { 'X-Shelf': 'A' },
    }),
    200,
    {
      description: 'OK',
      headers: {
        'X-Shelf': { required: true, schema: { type: 'string' }, example: 'A' },
        Vary: { required: true, schema: { type: 'string' }, example: 'Accept' },
      },
      content: { 'application/json': { schema: book, example }, 'text/html': { schema: { type: 'string' }, example: '<p>' } },
    },
  ],
  [
    'an error without a body is a problem',
    endpoint('GET /', { response: noContent, errors: [reply(404, undefined, { description: 'There is no such book.' })] }),
    404,
    { description: 'There is no such book.', content: { 'application/problem+json': problem } },
  ],
  [
    'an error is not negotiated: the first of its types is the only one',
    endpoint('GET /', {
      response: noContent,
      errors: [
        reply(
          409,
          content(
            Lent,
            { ...json, types: ['application/json', 'application/problem+json'] },
            html(() => '<p>'),
          ),
        ),
      ],
    }),
    409,
    { description: 'Conflict', content: { 'application/json': { schema: lent, example: { until: '2024-02-29' } } } },
  ],
  [
    'an error of a status without a body has none',
    endpoint('GET /', { response: noContent, errors: [reply(304)] }),
    304,
    { description: 'Not Modified' },
  ],
  [
    'an error has its own headers, and those of every response',
    endpoint('GET /', {
      response: noContent,
      errors: [reply(503, text, { headers: { 'Retry-After': int({ description: 'seconds', examples: [1] }) } })],
      responseHeaders: { 'X-Shelf': 'A' },
    }),
    503,
    {
      description: 'Service Unavailable',
      headers: {
        'Retry-After': { description: 'seconds', required: true, schema: integer, example: 1 },
        'X-Shelf': { required: true, schema: { type: 'string' }, example: 'A' },
      },
      content: { 'text/plain': { schema: { type: 'string' } } },
    },
  ],
  [
    'an error of the toolkit has its own header, and those of every response',
    endpoint('GET /', { auth: basic('staff'), response: noContent, responseHeaders: { 'X-Shelf': 'A' } }),
    401,
    {
      description: 'The credentials are missing or wrong.',
      headers: {
        'WWW-Authenticate': { required: true, schema: { type: 'string' }, example: 'Basic realm="staff", charset="UTF-8"' },
        'X-Shelf': { required: true, schema: { type: 'string' }, example: 'A' },
      },
      content: { 'application/problem+json': problem },
    },
  ],
  [
    'an error of the toolkit with two possible headers requires neither',
    endpoint('POST /', { body: content(Book, json), response: noContent }),
    415,
    {
      description: 'The `Content-Type` is missing or not accepted, the charset is not UTF-8, or the body has a `Content-Encoding`.',
      headers: {
        Accept: { schema: { type: 'string' }, example: 'application/json' },
        'Accept-Encoding': { schema: { type: 'string' }, example: 'identity' },
      },
      content: { 'application/problem+json': problem },
    },
  ],
  [
    'a declared error and one of the toolkit with one status are merged',
    endpoint('GET /', {
      response: noContent,
      errors: [reply(400, Lent, { headers: { 'X-Why': text }, description: 'It is lent.' })],
    }),
    400,
    {
      description: `It is lent.\n\n${refused}`,
      headers: { 'X-Why': { schema: { type: 'string' }, example: 'text' } },
      content: { 'application/json': { schema: lent, example: { until: '2024-02-29' } }, 'application/problem+json': problem },
    },
  ],
  [
    'problem details of the handler and of the toolkit are one schema',
    endpoint('GET /', { response: noContent, errors: [reply(400)] }),
    400,
    { description: refused, content: { 'application/problem+json': problem } },
  ],
  [
    'several errors of one status are alternatives',
    endpoint('GET /', {
      response: noContent,
      errors: [
        reply(409, Lent, { headers: { 'X-Why': text, 'X-When': int }, description: 'It is lent.' }),
        reply(409, Book, { headers: { 'x-why': text }, description: 'There is one already.' }),
        reply(409, Lent, { headers: { 'X-Why': text }, description: 'It is lent.' }),
        reply(409, z.object({ a: z.literal(1) }), { headers: { 'X-Why': text } }),
      ],
    }),
    409,
    {
      description: 'It is lent.\n\nThere is one already.',
      headers: {
        'X-Why': { required: true, schema: { type: 'string' }, example: 'text' },
        'X-When': { schema: integer, example: 42 },
      },
      content: {
        'application/json': {
          schema: { anyOf: [lent, book, { type: 'object', properties: { a: { type: 'number', const: 1 } }, required: ['a'] }] },
          example: { until: '2024-02-29' },
        },
      },
    },
  ],
  [
    'a header that one of two errors of a status can leave out is not required',
    endpoint('GET /', {
      response: noContent,
      errors: [reply(409, undefined, { headers: { 'X-Why': text } }), reply(409, undefined, { headers: { 'X-Why': optional(text) } })],
    }),
    409,
    {
      description: 'Conflict',
      headers: { 'X-Why': { schema: { type: 'string' }, example: 'text' } },
      content: { 'application/problem+json': problem },
    },
  ],
  [
    'a header of a media type that the reply declares itself stands once',
    endpoint('GET /', {
      response: ok(content(Book, mediaType({ types: ['text/csv'], headers: { 'Content-Language': 'en' }, writer: () => () => 'title' })), {
        headers: { 'content-language': optional(text) },
      }),
    }),
    200,
    {
      description: 'OK',
      headers: { 'content-language': { schema: { type: 'string' }, example: 'text' } },
      content: { 'text/csv': expect.anything() },
    },
  ],
  [
    'an alternative that is a union with a description keeps both',
    endpoint('GET /', {
      response: noContent,
      errors: [reply(409, z.union([Lent, z.int()]).describe('What there is.')), reply(409, Book)],
    }),
    409,
    {
      description: 'Conflict',
      content: {
        'application/json': {
          schema: { anyOf: [{ anyOf: [lent, integer], description: 'What there is.' }, book] },
          example: { until: '2024-02-29' },
        },
      },
    },
  ],
  [
    'a header of one of several media types is not required',
    endpoint('GET /', {
      response: ok(
        content(Book, json, mediaType({ types: ['text/csv'], headers: { 'Content-Language': 'en' }, writer: () => () => 'title' })),
      ),
    }),
    200,
    {
      description: 'OK',
      headers: {
        'Content-Language': { schema: { type: 'string' }, example: 'en' },
        Vary: { required: true, schema: { type: 'string' }, example: 'Accept' },
      },
      content: { 'application/json': expect.anything(), 'text/csv': expect.anything() },
    },
  ],
  [
    'the items of several streams of one status are alternatives',
    endpoint('GET /', { response: noContent, errors: [reply(409, ndjson(Lent)), reply(409, ndjson(Book)), reply(409, ndjson(Lent))] }),
    409,
    {
      description: expect.stringMatching(/^One JSON value per line, /),
      content: {
        'application/x-ndjson': {
          schema: { type: 'string', description: expect.stringMatching(/ `x-itemSchema` describes one value\.$/) },
          example: '{"until":"2024-02-29"}\n',
          'x-itemSchema': { anyOf: [lent, book] },
        },
      },
    },
  ],
  [
    'the framing of a stream is described, and its aliases only in words',
    endpoint('GET /', { response: ok(ndjson(Book, { aliases: ['application/json;charset=utf-8'] }), { description: 'All books.' }) }),
    200,
    {
      description: `All books.\n\n${inWords}`,
      headers: { Vary: { required: true, schema: { type: 'string' }, example: 'Accept' } },
      content: {
        'application/x-ndjson': linesOfBooks,
        'application/jsonl': linesOfBooks,
      },
    },
  ],
])('%s', async (_what, one, status, response) => {
  expect((await responsesOf(one))[status]).toEqual(response)
})

test('errors that several operations share are components, named by their reason phrases', async () => {
  const [staff, guests] = [basic('staff'), basic('guests')]
  const { paths, components } = await documented(
    endpoint('GET /a', { auth: staff, response: noContent }),
    endpoint('GET /b', { auth: staff, response: noContent, errors: [reply(500), reply(404)] }),
    endpoint('GET /c', { auth: guests, response: noContent, errors: [reply(409, undefined, { description: 'It is lent.' })] }),
    endpoint('GET /d', { auth: guests, response: noContent, errors: [reply(409, undefined, { description: 'It is lent.' })] }),
    endpoint('GET /e', { auth: basic('owners'), response: noContent }),
  )
  expect(Object.keys(components.responses)).toEqual(['BadRequest', 'Unauthorized', 'InternalServerError', 'Unauthorized2', 'Conflict'])
  const descriptions = Object.values(paths).map(({ get }) =>
    Object.values(get?.responses ?? {}).map((one) => ('$ref' in one ? one.$ref.split('/').at(-1) : one.description)),
  )
  expect(descriptions).toEqual([
    ['No Content', 'BadRequest', 'Unauthorized', 'InternalServerError'],
    ['No Content', 'BadRequest', 'Unauthorized', 'Not Found', 'InternalServerError'],
    ['No Content', 'BadRequest', 'Unauthorized2', 'Conflict', 'InternalServerError'],
    ['No Content', 'BadRequest', 'Unauthorized2', 'Conflict', 'InternalServerError'],
    ['No Content', 'BadRequest', 'The credentials are missing or wrong.', 'InternalServerError'],
  ])
})

test('errors of two statuses are not shared, although they are described alike', async () => {
  const { components } = await documented(
    endpoint('GET /a', { response: noContent, errors: [reply(404, undefined, { description: 'No.' })] }),
    endpoint('GET /b', { response: noContent, errors: [reply(410, undefined, { description: 'No.' })] }),
  )
  expect(Object.keys(components.responses)).toEqual(['BadRequest', 'InternalServerError'])
})

test.each<[string, AnyEndpoint, RegExp]>([
  [
    'a body',
    endpoint('GET /book', { response: ok(Book), examples: { response: { title: 1 } as never } }),
    /^GET \/book, response 200: the example for application\/json;charset=utf-8 cannot be written: at "\/title" expected a string/,
  ],
  [
    'a reply with headers',
    endpoint('GET /book', { response: ok(Book, { headers: { 'X-Size': int } }), examples: { response: example as never } }),
    /^GET \/book, response 200 declares the response header X-Size: return withHeaders\(body, \{ 'X-Size': … \}\)\.$/,
  ],
  [
    'a request',
    endpoint('POST /book', { body: Book, response: noContent, examples: { body: {} as never } }),
    /^POST \/book, request: the example for application\/json;charset=utf-8 cannot be written: at "\/title" expected a string, got nothing/,
  ],
])('an invalid example of %s is rejected with its place', async (_what, one, sentence) => {
  await expect(documented(one)).rejects.toThrow(TypeError)
  await expect(documented(one)).rejects.toThrow(sentence)
})
