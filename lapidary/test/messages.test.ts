/** Every complaint to the programmer, as a table: a mistake in a description, and the exact sentence that it gets. */
import {
  basic,
  content,
  endpoint,
  flag,
  html,
  int,
  lines,
  many,
  mount,
  noContent,
  ok,
  optional,
  type RouteLine,
  reply,
  type Schema,
  text,
  under,
  walk,
} from 'lapidary'
import { check, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as complaint from '../src/describe/complaint.ts'

/** What plain JavaScript may write, whatever the types say. */
const wrongly = (value: unknown): never => value as never
const get = (line: string, more: object = {}): unknown => endpoint(line as RouteLine, { response: noContent, ...more })
const post = (more: object): unknown => get('POST /users', more)
const headers = (...names: readonly string[]) => ({ headers: Object.fromEntries(names.map((name) => [name, text])) })

const routes = [
  '',
  'GET',
  'GET/users',
  'get /users',
  'GET  /users',
  'GET users',
  'GET /users ',
  'HEAD /users',
  'OPTIONS /users',
  'TRACE /users',
  'GET /a//b',
  'GET //',
  'GET /a?b',
  'GET /a#b',
  'GET /:',
  'GET /:1',
  'GET /:a-b',
  'GET /a b',
]
const notRoutes = routes.map((line): [string, () => unknown, string] => [
  `the route "${line}"`,
  () => get(line),
  `"${line}" is not a route. Write a method, one space and a path, such as "GET /users/:id".`,
])
const prefixes = ['', 'users', '/users/', '/users/:id', '//', '/a//b']
const notPrefixes = prefixes.flatMap((prefix): [string, () => unknown, string][] => {
  const sentence = `"${prefix}" is not a prefix. Write a path without captures and without a slash at its end, such as "/users".`
  return [
    [`under "${prefix}"`, () => under(wrongly(prefix), {}), sentence],
    [`a mount at "${prefix}"`, () => mount(wrongly(prefix)), sentence],
  ]
})

const schemaWithout: Schema<unknown> = { '~standard': { version: 1, vendor: 'homemade', validate: (value) => ({ value }) } }
const bodyOn = { body: z.object({}) }

describe('endpoint, under, mount, content, reply', () => {
  test.each<[string, () => unknown, string]>([
    ...notRoutes,
    ...notPrefixes,
    ['a capture twice', () => get('GET /:id/:id'), 'GET /:id/:id has the capture :id twice. Give each capture a name of its own.'],
    [
      'a codec without its capture',
      () => get('GET /users', { params: { id: int } }),
      'GET /users has a codec for "id" but no capture :id. Write :id in the path, or leave the codec out.',
    ],
    ...Object.entries({ 'is optional': optional(int), 'is a list': many(int), 'is a flag': flag }).map(
      ([what, codec]): [string, () => unknown, string] => [
        `a capture that ${what}`,
        () => get('GET /users/:id', { params: { id: codec } }),
        'GET /users/:id: a capture is always there, once. Give :id a plain codec such as int, without optional, many or flag.',
      ],
    ),
    [
      'a body on GET',
      () => get('GET /users', bodyOn),
      'GET /users has a body, but a body on GET, HEAD or OPTIONS has no meaning. Use query parameters, or POST.',
    ],
    [
      'a body that can only be written',
      () => post({ body: html(() => '') }),
      'POST /users takes text/html; charset=utf-8 as its body, but that medium can only be written. Use json, form, text or octets.',
    ],
    [
      'a stream as a body',
      () => post({ body: lines(z.int()) }),
      'POST /users takes application/x-ndjson as its body, but that medium can only be written. Use json, form, text or octets.',
    ],
    ...['', 'X Y', 'X:', 'Ä', 'X\n'].map((name): [string, () => unknown, string] => [
      `the header ${JSON.stringify(name)}`,
      () => get('GET /users', headers(name)),
      `GET /users: "${name}" is not a header name. Use letters, digits and hyphens, such as X-Request-Id.`,
    ]),
    [
      'a response header that has no name',
      () => get('GET /users', { response: reply(200, text, headers('X Y')) }),
      'GET /users: "X Y" is not a header name. Use letters, digits and hyphens, such as X-Request-Id.',
    ],
    [
      'a header of a declared error that has no name',
      () => get('GET /users', { errors: [reply(404, text, headers('X Y'))] }),
      'GET /users: "X Y" is not a header name. Use letters, digits and hyphens, such as X-Request-Id.',
    ],
    [
      'a header twice',
      () => get('GET /users', headers('X-A', 'x-a')),
      'GET /users declares the header "x-a" twice in different case. Header names have no case: declare it once.',
    ],
    ...['Content-Length', 'content-type', 'Transfer-Encoding', 'Connection', 'Host', 'Accept', 'Authorization', 'Date', 'Vary'].map(
      (name): [string, () => unknown, string] => [
        `the header ${name}`,
        () => get('GET /users', headers(name)),
        `GET /users declares the header "${name}", which the toolkit keeps itself. Leave it out.`,
      ],
    ),
    [
      'content without a medium',
      () => content(z.int()),
      'content() needs at least one medium after the schema, such as content(User, json).',
    ],
    ...[0, 99, 100, 199, 600, 200.5, Number.NaN].map((status): [string, () => unknown, string] => [
      `the status ${status}`,
      () => reply(status),
      `${status} is not a status. Use a whole number from 200 to 599.`,
    ]),
    ...[204, 205, 304].map((status): [string, () => unknown, string] => [
      `a body with the status ${status}`,
      () => reply(status, text),
      `An answer with status ${status} never has a body. Leave the body out.`,
    ]),
    ['something else in an API', () => walk({ a: { b: wrongly(5) } }), 'a.b is neither an endpoint, a mount nor a record of them.'],
    ['nothing in an API', () => walk({ a: wrongly(undefined) }), 'a is neither an endpoint, a mount nor a record of them.'],
    [
      'an integer that is none',
      () => int.print(1.5),
      '1.5 cannot be written here: expected an integer such as 42, within ±9007199254740991.',
    ],
  ])('%s', (_mistake, declare, sentence) => {
    expect(declare).toThrow(TypeError)
    expect(declare).toThrow(new TypeError(sentence))
  })
})

describe('serve', () => {
  const people = basic<string>('people')
  const one = endpoint('GET /users/:id', { response: noContent })
  const answer = (): void => {}
  const kernel = () => ({ status: 200, headers: [], body: null })

  test.each<[string, () => unknown, string]>([
    [
      'two endpoints with one route',
      () => serve({ one, other: endpoint('GET /users/:name', { response: noContent }) }, { one: answer, other: answer }),
      '"one" and "other" both answer GET /users/:name. Give one of them another path or method.',
    ],
    [
      'two endpoints with one route, below prefixes',
      () =>
        serve(
          { a: { one }, b: under('/users', { two: endpoint('GET /:id/', { response: noContent }) }) },
          { a: { one: answer }, b: { two: answer } },
        ),
      '"a.one" and "b.two" both answer GET /users/:id. Give one of them another path or method.',
    ],
    [
      'two mounts with one prefix',
      () => serve({ one: mount('/a/b'), other: under('/a', { deep: mount('/b') }) }, { one: kernel, other: { deep: kernel } }),
      '"one" and "other.deep" are both mounted at /a/b. Give one of them another prefix.',
    ],
    [
      'an endpoint without a handler',
      () => serve({ a: { one } }, wrongly({ a: {} })),
      'GET /users/:id ("a.one") has no handler. Add a function under "a.one" to the handlers.',
    ],
    [
      'a record without handlers',
      () => serve({ a: { one } }, wrongly({})),
      'GET /users/:id ("a.one") has no handler. Add a function under "a.one" to the handlers.',
    ],
    [
      'no handlers at all',
      () => serve({ one }, wrongly(undefined)),
      'GET /users/:id ("one") has no handler. Add a function under "one" to the handlers.',
    ],
    [
      'a handler that is inherited',
      () => serve({ toString: one }, wrongly({})),
      'GET /users/:id ("toString") has no handler. Add a function under "toString" to the handlers.',
    ],
    [
      'a handler that is no function',
      () => serve({ one }, wrongly({ one: 5 })),
      'GET /users/:id ("one") has no handler. Add a function under "one" to the handlers.',
    ],
    [
      'a mount without a handler',
      () => serve({ raw: mount('/raw') }, wrongly({})),
      'the mount /raw ("raw") has no handler. Add a function under "raw" to the handlers.',
    ],
    [
      'a handler without an endpoint',
      () => serve({ one }, wrongly({ one: answer, two: answer })),
      'There is a handler "two", but no such endpoint. Remove it, or add the endpoint to the api.',
    ],
    [
      'a handler without an endpoint, further down',
      () => serve({ a: { one } }, wrongly({ a: { one: answer, two: answer } })),
      'There is a handler "a.two", but no such endpoint. Remove it, or add the endpoint to the api.',
    ],
    [
      'an auth scheme without a check',
      () => serve({ me: endpoint('GET /me', { auth: people, response: noContent }) }, { me: answer }),
      'GET /me asks for the auth scheme "people", but serve() was given no check for it. Add { auth: [check(people, verify)] } as the third argument.',
    ],
    [
      'an auth scheme with the check of another of the same name',
      () =>
        serve(
          { me: endpoint('GET /me', { auth: people, response: noContent }) },
          { me: answer },
          { auth: [check(basic<string>('people'), () => 'Ann')] },
        ),
      'GET /me asks for the auth scheme "people", but serve() was given no check for it. Add { auth: [check(people, verify)] } as the third argument.',
    ],
    [
      'a schema that cannot give its JSON Schema',
      () => serve({ me: endpoint('GET /me', { response: ok(schemaWithout) }) }, { me: () => 1 }),
      'This homemade schema cannot give its JSON Schema (it has no "~standard".jsonSchema). Use a schema whose "~standard" has jsonSchema (zod 4.2+, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.',
    ],
    [
      'a schema with a type that JSON has not',
      () => serve({ me: endpoint('GET /me', { response: ok(z.object({ day: z.date() })) }) }, { me: () => ({ day: new Date() }) }),
      'This zod schema cannot give its JSON Schema (Date cannot be represented in JSON Schema). Use a schema whose "~standard" has jsonSchema (zod 4.2+, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.',
    ],
  ])('%s', (_mistake, start, sentence) => {
    expect(start).toThrow(TypeError)
    expect(start).toThrow(new TypeError(sentence))
  })

  test('what was given is never changed', () => {
    const api = { users: { one }, raw: mount('/raw') }
    const moved = under('/v1', api)
    expect(api.users.one).toBe(one)
    expect([one.route, moved.users.one.route, moved.raw.prefix, api.raw.prefix]).toEqual([
      'GET /users/:id',
      'GET /v1/users/:id',
      '/v1/raw',
      '/raw',
    ])
    const params = { id: int }
    const made = endpoint('GET /users/:id', { params, response: noContent })
    expect(made.params).not.toBe(params)
    expect([one, moved, moved.users, made, made.params, made.query, made.errors, made.response, api.raw].every(Object.isFrozen)).toBe(true)
  })

  test('everything is told by its name, in the order of its declaration', () => {
    const names = walk({ users: { one, raw: mount('/raw') }, empty: {}, last: one }).map(({ name, path }) => [name, path])
    expect(names).toEqual([
      ['users.one', ['users', 'one']],
      ['users.raw', ['users', 'raw']],
      ['last', ['last']],
    ])
  })
})

test('every complaint is a sentence or more, with an end', () => {
  for (const say of Object.values(complaint)) {
    const sentence = (say as (...words: readonly unknown[]) => string)('one', 'two', 'three.')
    expect(sentence).toMatch(/\.$/)
    expect(sentence).not.toMatch(/undefined|\n/)
  }
})
