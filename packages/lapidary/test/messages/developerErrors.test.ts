/** Every message to the programmer: a table of mistakes in a definition, with the exact message of each. */

import { type } from 'arktype'
import {
  array,
  authScheme,
  basic,
  content,
  endpoint,
  events,
  file,
  flag,
  html,
  int,
  json,
  list,
  mediaType,
  mergePatch,
  mount,
  multipart,
  ndjson,
  noContent,
  ok,
  operations,
  optional,
  prefix,
  type RouteLine,
  reply,
  type Schema,
  text,
} from 'lapidary'
import { loadShedding, requestId, timeout } from 'lapidary/middleware'
import { authenticate, serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import * as adapterErrors from '../../src/messages/adapterErrors.ts'
import * as authErrors from '../../src/messages/authErrors.ts'
import * as developerErrors from '../../src/messages/developerErrors.ts'

/** A value of a wrong type, as plain JavaScript can write it. */
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
  'GET /a b',
]
/** Schemas of values that JSON does not have: where they are, what is wrong, and a cure. */
const noJson = 'This zod schema cannot produce its JSON Schema: JSON has no'
const noDate = `${noJson} Date. Describe its text, such as z.iso.datetime(), or z.codec(z.iso.datetime(), z.date(), …).`
const noBigInt = `${noJson} bigint. Write z.int() for a number within ±2^53, or its text, such as z.string().regex(/^-?\\d+$/).`
const absent = `${noJson} undefined. Leave it out, or let it be absent, such as z.string().optional().`
/** What JSON does not have, and what to write instead. */
const foreignTypes: Readonly<Record<string, readonly [schema: z.ZodType, sentence: string]>> = {
  'z.date()': [z.date(), noDate],
  'z.coerce.date()': [z.coerce.date(), noDate],
  'z.map()': [z.map(z.string(), z.number()), `${noJson} Map. Write an object, such as z.record(z.string(), z.number()).`],
  'z.set()': [z.set(z.string()), `${noJson} Set. Write a list, such as z.array(z.string()).`],
  'z.bigint()': [z.bigint(), noBigInt],
  'a literal of a bigint': [z.literal(1n), `${noJson} bigint. Write a number, such as z.literal(1), or a text.`],
  'z.symbol()': [z.symbol(), `${noJson} symbol. Leave it out, or write a text, such as z.enum(["open", "closed"]).`],
  'z.function()': [z.function() as never, `${noJson} function. Leave it out.`],
  'z.custom()': [
    z.custom(),
    `${noJson} form for z.custom() and z.instanceof(). Write a schema of the value on the wire, such as z.string().refine(isRight).`,
  ],
  'z.instanceof()': [
    z.instanceof(URL),
    `${noJson} form for z.custom() and z.instanceof(). Write a schema of the value on the wire, such as z.string().refine(isRight).`,
  ],
  'z.undefined()': [z.undefined(), absent],
  'z.void()': [z.void(), absent],
  'a literal of undefined': [
    z.literal(undefined),
    `${noJson} undefined. Leave it out, or let it be absent, such as z.literal("a").optional().`,
  ],
  'z.nan()': [z.nan(), `${noJson} NaN. Write z.number() or z.null().`],
}
const day = z.object({ day: z.date() })
const unwritableSchemas: readonly (readonly [place: string, definition: object, sentence: string])[] = [
  ['response 200, at "/day"', { response: ok(day) }, noDate],
  ['response 200', { response: ok(z.date()) }, noDate],
  ['response 201, at "/a/*/day"', { response: [noContent, reply(201, z.object({ b: z.string(), a: z.array(day) }))] }, noDate],
  ['response 200, at "/day"', { response: ok(list(day)) }, noDate],
  ['response 200, at "/day"', { response: ok(ndjson(day)) }, noDate],
  ['response 200, at "/day"', { response: ok(events({ cut: z.string(), sold: day })) }, noDate],
  ['body, at "/a~1b/1"', { body: z.object({ 'a/b': z.tuple([z.string(), z.date()]) }) }, noDate],
  ['body, at "/*/n"', { body: z.record(z.string(), z.union([z.object({ n: z.bigint() }), z.string()])) }, noBigInt],
  ['body, at "/day"', { body: mergePatch(day) }, noDate],
  ['error 409, at "/day"', { errors: [reply(409, day)] }, noDate],
]

const notRoutes = routes.map((line): [string, () => unknown, string] => [
  `the route "${line}"`,
  () => get(line),
  `"${line}" is not a route. Write a method, one space and a path, such as "GET /users/:id".`,
])
const prefixes = ['', 'users', '/users/', '/users/:id/', '/users/*path', '/*path/a', '//', '/a//b', '/static/*', '/{tenant}', '/a/..']
const notPrefixes = prefixes.map((path): [string, () => unknown, string] => [
  `prefix "${path}"`,
  () => prefix(wrongly(path), {}),
  `"${path}" is not a prefix. Write a path without a rest and without a trailing slash, such as "/users" or "/tenants/:tenant".`,
])
const notMountPaths = [...prefixes, '/users/:id'].map((path): [string, () => unknown, string] => [
  `a mount at "${path}"`,
  () => mount(wrongly(path)),
  `"${path}" is not a path of a mount. Write one without captures and without a trailing slash, such as "/static".`,
])
const unknownMethods = ['GTE', 'ANY', '-', 'GETGET'].map((method): [string, () => unknown, string] => [
  `the method ${method}`,
  () => operations({ one: endpoint(wrongly(`${method} /one`), { response: noContent }) }),
  `${method} /one: Node.js answers the method ${method} with 400, before a handler runs. Write GET, POST or another one of http.METHODS.`,
])
const wrongExamples: [string, () => unknown, string][] = [
  { body: 'a', ruby: { body: 'b' } },
  { ruby: { bdy: 'b' } },
  { ruby: 'b' },
  { ruby: null },
  { response: 'a', summary: 'A response.' },
  ['a'],
  'a',
].map((examples) => [
  `examples ${JSON.stringify(examples)}`,
  () => operations({ one: endpoint('PUT /one', { body: text, response: ok(text), examples: wrongly(examples) }) }),
  'PUT /one has wrong "examples". Write one, { body, response }, or several by name, { ruby: { body, response, summary } }. No name can be "body" or "response".',
])
const capturedPrefixes: [string, () => unknown, string][] = [
  [
    'a capture that the prefix has too',
    () => prefix('/tenants/:id', { one: endpoint('GET /stones/:id', { response: noContent }) }),
    'GET /tenants/:id/stones/:id has the capture :id twice. Give each capture its own name.',
  ],
  [
    'a capture that an outer prefix has too',
    () => prefix('/a/:id', { b: prefix('/b/:id', { c: endpoint('GET /c', { response: noContent }) }) }),
    'GET /a/:id/b/:id/c has the capture :id twice. Give each capture its own name.',
  ],
  [
    'a prefix with one capture twice',
    () => prefix('/a/:id/b/:id', {}),
    '/a/:id/b/:id has the capture :id twice. Give each capture its own name.',
  ],
  [
    'a codec without its capture in a prefix',
    () => prefix('/tenants/:tenant', wrongly({ tenent: int }), {}),
    '/tenants/:tenant has a codec for "tenent" but no capture :tenent. Write :tenent in the path, or remove the codec.',
  ],
  [
    'an optional capture in a prefix',
    () => prefix('/tenants/:tenant', wrongly({ tenant: optional(int) }), {}),
    '/tenants/:tenant: a capture is one text that is always there. Give :tenant a codec such as int. The codec cannot be an array or a flag, cannot be optional, and cannot have a default.',
  ],
  [
    'a number in a prefix',
    () => prefix('/tenants/:tenant', wrongly({ tenant: 1 }), {}),
    '/tenants/:tenant: params.tenant is a number, expected a codec. Write int, text, optional(text) or codec({ … }). Schemas can describe only the bodies and the parameters of a request.',
  ],
  [
    'a mount below a capture',
    () => prefix('/tenants/:tenant', { deep: prefix('/files', { raw: mount('/raw') }) }),
    'The mount at "/tenants/:tenant/files/raw" is below a prefix with captures. Move it out of the prefix, or declare an endpoint with a last *name.',
  ],
]

/** Patterns of other toolkits, and segments that no request can have. */
const segments: Readonly<Record<string, string>> = {
  'GET /files/*': '*',
  'GET /files/*path/info': '*path',
  'GET /*one/*two': '*one',
  'GET /files/*1': '*1',
  'GET /files/a*path': 'a*path',
  'GET /:': ':',
  'GET /:1': ':1',
  'GET /:a-b': ':a-b',
  'GET /x/**': '**',
  'GET /users/{id}': '{id}',
  'GET /users/{id}.json': '{id}.json',
  'GET /users/<id>': '<id>',
  'GET /users/<int:id>': '<int:id>',
  'GET /users/[id]': '[id]',
  'GET /users/[...rest]': '[...rest]',
  'GET /users/user-:id': 'user-:id',
  'GET /users/(a|b)': '(a|b)',
  'GET /a\\\\b': 'a\\\\b',
  'GET /a%20b': 'a%20b',
  'GET /a/./b': '.',
  'GET /a/..': '..',
}
const notSegments = Object.entries(segments).map(([line, segment]): [string, () => unknown, string] => [
  `the segment ${segment}`,
  () => get(line),
  `"${line}" has the segment "${segment}", which is not supported. Write :name for one segment, a last *name for several, or mount("/files") for all paths below.`,
])

/** Values that look like schemas, as their libraries make them. */
const strangers: Readonly<Record<string, unknown>> = {
  TypeBox: { [Symbol.for('TypeBox.Kind')]: 'Object', type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  'TypeBox 1': { '~kind': 'Object', type: 'object', properties: { a: { '~kind': 'String', type: 'string' } }, required: ['a'] },
  // A class with static members.
  Effect: Object.assign(class {}, { ast: { _tag: 'TypeLiteral' }, annotations: () => ({}), pipe: () => ({}) }),
  'plain JSON Schema': { type: 'object', properties: { a: { type: 'string' } } },
  'a codec': int,
  'a reply': noContent,
  'a class': class {},
  'a text': 'User',
  'what only looks like a Standard Schema': { '~standard': { version: 1, vendor: 'own' } },
  null: null,
}
const noSchema =
  'A body needs a Standard Schema or a media type. Write a schema of zod 4.2+ or ArkType 2.1.28+, or json, text, form or bytes. TypeBox, Effect and plain JSON Schema are not Standard Schemas by themselves.'
const noJsonSchema = (vendor: string): string =>
  `This ${vendor} schema cannot produce its JSON Schema (it has no "~standard".jsonSchema). Use a schema whose "~standard" has jsonSchema (zod 4.2+ but not zod/mini or zod/v3, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.`
const half: Readonly<Record<string, readonly [unknown, string]>> = {
  'zod 3': [z3.object({ a: z3.string() }), 'zod'],
  'zod/mini': [mini.object({ a: mini.string() }), 'zod'],
  'Effect, as a Standard Schema': [{ '~standard': { version: 1, vendor: 'effect', validate: () => ({ value: 1 }) } }, 'effect'],
}
const places: Readonly<Record<string, (schema: never) => unknown>> = {
  'content()': (schema) => content(schema, json),
  'ok()': (schema) => ok(schema),
  'reply()': (schema) => reply(409, schema),
  'list()': (schema) => list(schema),
  'lines()': (schema) => ndjson(schema),
  'mergePatch()': (schema) => mergePatch(schema),
  'a body': (schema) => post({ body: schema }),
}
const notSchemas = Object.entries(places).flatMap(([place, declare]): [string, () => unknown, string][] => [
  ...Object.entries(strangers).map(([what, value]): [string, () => unknown, string] => [
    `${what} in ${place}`,
    () => declare(wrongly(value)),
    noSchema,
  ]),
  ...Object.entries(half).map(([what, [schema, vendor]]): [string, () => unknown, string] => [
    `${what} in ${place}`,
    () => declare(wrongly(schema)),
    noJsonSchema(vendor),
  ]),
])

/** Schemas, which can describe a parameter of a request in place of a codec. */
const schemas: Readonly<Record<string, readonly [unknown, string]>> = {
  'a schema of zod': [z.string(), 'a schema'],
  'a schema of zod 3': [z3.string(), 'a schema'],
  'a schema of zod/mini': [mini.string(), 'a schema'],
  'a schema of ArkType': [type('string'), 'a schema'],
}
const halfParameters = ['query.q', 'headers.X-A', 'params.id'].flatMap((place) =>
  Object.entries({ 'zod 3': z3.string(), 'zod/mini': mini.string() }).map(([what, schema]): [string, () => unknown, string] => [
    `a schema of ${what} as ${place}`,
    () => codecPlaces[place]?.(schema),
    `GET /users/:id: ${place}: ${noJsonSchema('zod')} Or describe it by codecs.`,
  ]),
)

/** Values that are not codecs, with the words for them in messages. */
const notCodec: Readonly<Record<string, readonly [unknown, string]>> = {
  'a plain JSON Schema': [{ type: 'string' }, 'an object'],
  'a medium': [json, 'a body'],
  'a constructor': [Number, 'a function'],
  'what only reads': [{ read: () => '' }, 'an object'],
  'what only writes': [{ write: () => [] }, 'an object'],
  'a text': ['int', 'a string'],
  nothing: [undefined, 'nothing'],
  null: [null, 'nothing'],
}
const codecPlaces: Readonly<Record<string, (codec: unknown) => unknown>> = {
  'query.q': (codec) => get('GET /users/:id', { query: { q: codec } }),
  'headers.X-A': (codec) => get('GET /users/:id', { headers: { 'X-A': codec } }),
  'params.id': (codec) => get('GET /users/:id', { params: { id: codec } }),
  'response.headers.X-A': (codec) => get('GET /users/:id', { response: ok(text, { headers: wrongly({ 'X-A': codec }) }) }),
  'errors[0].headers.X-A': (codec) => get('GET /users/:id', { errors: [reply(404, text, { headers: wrongly({ 'X-A': codec }) })] }),
}
const notCodecs = Object.entries(codecPlaces).flatMap(([place, declare]) =>
  Object.entries(place.includes('.headers') ? { ...notCodec, ...schemas } : notCodec).map(
    ([what, [value, called]]): [string, () => unknown, string] => [
      `${what} as ${place}`,
      () => declare(value),
      `GET /users/:id: ${place} is ${called}, expected a codec. Write int, text, optional(text) or codec({ … }). Schemas can describe only the bodies and the parameters of a request.`,
    ],
  ),
)

const notReply: Readonly<Record<string, readonly [unknown, string]>> = {
  nothing: [undefined, 'nothing'],
  null: [null, 'nothing'],
  'a medium': [json, 'a body'],
  'text without ok': [text, 'a body'],
  'a schema without ok': [z.object({}), 'a schema'],
  'a content without ok': [content(z.object({}), json), 'a body'],
  'a status': [404, 'a number'],
  'a function': [ok, 'a function'],
}
const notReplies = Object.entries(notReply).flatMap(([what, [value, called]]): [string, () => unknown, string][] => {
  const sentence = (place: string): string =>
    `GET /a: ${place} is ${called}, expected a reply. Write ok(User), noContent or reply(409, User).`
  return [
    [`${what} as the response`, () => get('GET /a', { response: value }), sentence('response')],
    [`${what} as an error`, () => get('GET /a', { errors: [value] }), sentence('errors[0]')],
  ]
})

const parts =
  'params, query, headers, cookies, auth, body, response, errors, etag, idempotent, maxBodySize, rawBody, timeout, rateLimit, pagination, responseHeaders, deprecated, meta, tags, summary, description, examples'

const schemaWithout: Schema<unknown> = { '~standard': { version: 1, vendor: 'homemade', validate: (value) => ({ value }) } }
const bodyOn = { body: z.object({}) }

describe('endpoint, prefix, mount, content, reply', () => {
  test.each<[string, () => unknown, string]>([
    ...notRoutes,
    ...notPrefixes,
    ...notMountPaths,
    ...capturedPrefixes,
    ...wrongExamples,
    ...unknownMethods,
    ...notSegments,
    ...notSchemas,
    ...notCodecs,
    ...halfParameters,
    ...notReplies,
    [
      'a definition that is empty',
      () => endpoint('GET /a', wrongly({})),
      'GET /a: response is nothing, expected a reply. Write ok(User), noContent or reply(409, User).',
    ],
    [
      'no definition',
      () => endpoint('GET /a', wrongly(undefined)),
      'GET /a: response is nothing, expected a reply. Write ok(User), noContent or reply(409, User).',
    ],
    ...['respones', 'querry', 'param', 'error', 'tag', 'Response'].map((part): [string, () => unknown, string] => [
      `the unknown part ${part}`,
      () => get('GET /a', { [part]: undefined }),
      `GET /a has the unknown option "${part}". Use one of ${parts}.`,
    ]),
    [
      'a record of errors',
      () => get('GET /a', { errors: { gone: reply(410) } }),
      'GET /a: errors is an object, expected a list of replies. Write [reply(404), reply(409, User)].',
    ],
    [
      'a codec in place of the query',
      () => get('GET /a', { query: 5 }),
      'GET /a: query is a number, expected a codec. Write int, text, optional(text) or codec({ … }). Schemas can describe only the bodies and the parameters of a request.',
    ],
    ...Object.entries({ 'a text': ['people', 'a string'], 'a check': [basic, 'a function'], null: [null, 'nothing'] } as const).map(
      ([what, [auth, called]]): [string, () => unknown, string] => [
        `${what} as the auth scheme`,
        () => get('GET /a', { auth }),
        `GET /a: auth is ${called}, expected an auth scheme. Write basic("people"), bearer("secret") or either(people, secret).`,
      ],
    ),
    ['a capture twice', () => get('GET /:id/:id'), 'GET /:id/:id has the capture :id twice. Give each capture its own name.'],
    ...['', 'a b', 'a=b', 'a;b', 'é', '__proto__'].map((name): [string, () => unknown, string] => [
      `the cookie name ${JSON.stringify(name)}`,
      () => get('GET /a', { cookies: { [name]: text } }),
      `GET /a: "${name}" is not a cookie name. Use letters, digits, hyphens and underscores, such as session.`,
    ]),
    ...Object.entries({ list: array(text), flag, 'flag with options': flag({ description: 'Loud.' }) }).map(
      ([what, parameter]): [string, () => unknown, string] => [
        `a cookie that is a ${what}`,
        () => get('GET /a', { cookies: { id: parameter } }),
        'GET /a: a cookie is one text. Give id a codec such as int, optional(text) or bool: no array or flag.',
      ],
    ),
    [
      'a cookie without a codec',
      () => get('GET /a', { cookies: { id: 5 } }),
      'GET /a: cookies.id is a number, expected a codec. Write int, text, optional(text) or codec({ … }). Schemas can describe only the bodies and the parameters of a request.',
    ],
    [
      'a codec without its capture',
      () => get('GET /users', { params: { id: int } }),
      'GET /users has a codec for "id" but no capture :id. Write :id in the path, or remove the codec.',
    ],
    ...Object.entries({ 'is optional': optional(int), 'is a list': array(int), 'is a flag': flag }).map(
      ([what, codec]): [string, () => unknown, string] => [
        `a capture that ${what}`,
        () => get('GET /users/:id', { params: { id: codec } }),
        'GET /users/:id: a capture is one text that is always there. Give :id a codec such as int. The codec cannot be an array or a flag, cannot be optional, and cannot have a default.',
      ],
    ),
    [
      'a body on GET',
      () => get('GET /users', bodyOn),
      'GET /users declares a body, but a body on GET has no meaning. Use query parameters, or POST.',
    ],
    [
      'a body that can only be written',
      () => post({ body: html(() => '') }),
      'POST /users takes text/html; charset=utf-8 as its body, but that media type can only be written. Use json, form, text or bytes.',
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
      'a header of the second response that has no name',
      () => get('GET /users', { response: [noContent, reply(203, text, headers('X Y'))] }),
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
      'GET /users declares the header "x-a" twice, with different capital letters. Capital letters do not matter in header names: declare it once.',
    ],
    ...['Content-Length', 'content-type', 'Transfer-Encoding', 'Connection', 'Host', 'Accept', 'Authorization', 'Date', 'Vary'].map(
      (name): [string, () => unknown, string] => [
        `the header ${name}`,
        () => get('GET /users', headers(name)),
        `GET /users declares the header "${name}", which the toolkit sets itself. Remove it.`,
      ],
    ),
    [
      'content without a medium',
      () => content(z.int()),
      'content() needs at least one media type after the schema, such as content(User, json).',
    ],
    ...[0, 99, 100, 199, 600, 200.5, Number.NaN].map((status): [string, () => unknown, string] => [
      `the status ${status}`,
      () => reply(status),
      `${status} is not a valid status. Use an integer from 200 to 599; errors have 4XX, 5XX and default as well.`,
    ]),
    ...[204, 205, 304].map((status): [string, () => unknown, string] => [
      `a body with the status ${status}`,
      () => reply(status, text),
      `A response with status ${status} never has a body. Remove the body.`,
    ]),
    [
      'something else in an API',
      () => operations({ a: { b: wrongly(5) } }),
      'a.b is not an endpoint, a mount, a webhook or a record of them.',
    ],
    ['null in an API', () => operations({ a: wrongly(null) }), 'a is not an endpoint, a mount, a webhook or a record of them.'],
    ['nothing in an API', () => operations({ a: wrongly(undefined) }), 'a is not an endpoint, a mount, a webhook or a record of them.'],
    [
      'a number that is not an integer',
      () => int.print(1.5),
      '1.5 cannot be written: expected an integer such as 42, within ±9007199254740991.',
    ],
  ])('%s', (_mistake, declare, sentence) => {
    expect(declare).toThrow(TypeError)
    expect(declare).toThrow(new TypeError(sentence))
  })
})

describe('serve', () => {
  const people = basic<string>('people')
  const one = endpoint('GET /users/:id', { response: noContent })
  const returnNothing = (): void => {}
  const handler = () => ({ status: 200, headers: [], body: null })

  test.each<[string, () => unknown, string]>([
    [
      'two endpoints with one route',
      () => serve({ one, other: endpoint('GET /users/:name', { response: noContent }) }, { one: returnNothing, other: returnNothing }),
      '"one" and "other" both answer GET /users/:name. Change the path or method of one of them.',
    ],
    [
      'two endpoints with one route, below prefixes',
      () =>
        serve(
          { a: { one }, b: prefix('/users', { two: endpoint('GET /:id/', { response: noContent }) }) },
          { a: { one: returnNothing }, b: { two: returnNothing } },
        ),
      '"a.one" and "b.two" both answer GET /users/:id/. Change the path or method of one of them.',
    ],
    [
      'two mounts with one prefix',
      () => serve({ one: mount('/a/b'), other: prefix('/a', { deep: mount('/b') }) }, { one: handler, other: { deep: handler } }),
      '"one" and "other.deep" are both mounted at /a/b. Change the prefix of one of them.',
    ],
    [
      'a mount below the rest of an endpoint',
      () =>
        serve(
          {
            near: mount('/files'),
            far: mount('/other/a'),
            deep: mount('/files/a'),
            rest: endpoint('GET /:any/*path', { response: noContent }),
          },
          { near: handler, far: handler, deep: handler, rest: returnNothing },
        ),
      '"rest" takes all paths of "far" (/other/a). Change the prefix of the mount, or the path of the endpoint.',
    ],
    [
      'a mount below the literals and the rest of an endpoint',
      () =>
        serve(
          { beside: mount('/b/c'), below: mount('/a/b/c'), rest: endpoint('GET /a/:one/*path', { response: noContent }) },
          { beside: handler, below: handler, rest: returnNothing },
        ),
      '"rest" takes all paths of "below" (/a/b/c). Change the prefix of the mount, or the path of the endpoint.',
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
      () => serve({ one }, wrongly({ one: returnNothing, two: returnNothing })),
      'The handlers have "two", but the API has no such endpoint. Remove it, or add the endpoint to the API.',
    ],
    [
      'a handler without an endpoint, further down',
      () => serve({ a: { one } }, wrongly({ a: { one: returnNothing, two: returnNothing } })),
      'The handlers have "a.two", but the API has no such endpoint. Remove it, or add the endpoint to the API.',
    ],
    [
      'an auth scheme without a check',
      () => serve({ me: endpoint('GET /me', { auth: people, response: noContent }) }, { me: returnNothing }),
      'GET /me requires the auth scheme "people", but serve() has no authenticator for it. Add { auth: [authenticate(people, verify)] } as the third argument.',
    ],
    [
      'an auth scheme with the check of another of the same name',
      () =>
        serve(
          { me: endpoint('GET /me', { auth: people, response: noContent }) },
          { me: returnNothing },
          { auth: [authenticate(basic<string>('people'), () => 'Ann')] },
        ),
      'GET /me requires the auth scheme "people", but serve() has no authenticator for it. Add { auth: [authenticate(people, verify)] } as the third argument.',
    ],
    ...['fallbak', 'limit', 'Report'].map((option): [string, () => unknown, string] => [
      `the unknown option ${option}`,
      () => serve({ one }, { one: returnNothing }, wrongly({ [option]: undefined })),
      `serve() has the unknown option "${option}". Use one of middleware, auth, fallback, maxBodySize, idempotency, format, mapError, onError.`,
    ]),
    ...['1mb', -1, Number.NaN, null].map((limit): [string, () => unknown, string] => [
      `the body limit ${limit}`,
      () => serve({ one }, { one: returnNothing }, wrongly({ maxBodySize: limit })),
      `serve(): maxBodySize is ${limit}, expected a number of bytes from 0, or a size with its unit. Write '5 MB', or remove it.`,
    ]),
    [
      'the body limit of an endpoint',
      () =>
        serve({ put: endpoint('PUT /put', { body: text, response: noContent, maxBodySize: wrongly('5MB') }) }, { put: () => undefined }),
      "PUT /put: maxBodySize is 5MB, expected a number of bytes from 0, or a size with its unit. Write '5 MB', or remove it.",
    ],
    [
      'a body limit without a body',
      () => serve({ get: endpoint('GET /get', { response: noContent, maxBodySize: 1 }) }, { get: () => undefined }),
      'GET /get has the option maxBodySize, but takes no body. Remove the option, or declare a body.',
    ],
    ...[0, -1, Number.NaN, 2_147_483_648, '5 s', '5000', null].map((time): [string, () => unknown, string] => [
      `the timeout ${time}`,
      () => endpoint('GET /get', { response: noContent, timeout: wrongly(time) }),
      `GET /get: timeout is ${time}, expected milliseconds above 0 and at most 2147483647, or Infinity for no limit. Write 5_000 for five seconds.`,
    ]),
    [
      'a schema that cannot give its JSON Schema',
      () => serve({ me: endpoint('GET /me', { response: ok(schemaWithout) }) }, { me: () => 1 }),
      'This homemade schema cannot produce its JSON Schema (it has no "~standard".jsonSchema). Use a schema whose "~standard" has jsonSchema (zod 4.2+ but not zod/mini or zod/v3, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.',
    ],
    ...Object.entries(foreignTypes).map(([name, [schema, sentence]]): [string, () => unknown, string] => [
      `a member of ${name}`,
      () => serve({ one: endpoint('POST /one', { response: ok(z.object({ it: schema })) }) }, { one: () => ({ it: 1 }) as never }),
      `POST /one: response 200, at "/it": ${sentence}`,
    ]),
    ...unwritableSchemas.map(([place, definition, sentence]): [string, () => unknown, string] => [
      `a schema with a type that JSON has not: ${place}`,
      () => serve({ one: endpoint('POST /one', { response: noContent, ...definition }) }, { one: () => {} }),
      `POST /one: ${place}: ${sentence}`,
    ]),
    [
      'files of a size, as many as a client sends',
      () =>
        serve(
          { put: endpoint('PUT /put', { body: multipart({ all: array(file({ maxSize: '5 MB' })) }), response: noContent }) },
          { put: () => {} },
        ),
      'PUT /put: body.all is a list of files with a maxSize, but has no maxItems, so the size of the body has no limit. Write array(file({ … }), { maxItems: 10 }), or give the endpoint a maxBodySize.',
    ],
    [
      'a size of a file that is no size',
      () => file({ maxSize: wrongly('5 megs') }),
      "file(): maxSize is 5 megs, expected a number of bytes from 0, or a size with its unit. Write '5 MB', or remove it.",
    ],
  ])('%s', (_mistake, start, sentence) => {
    expect(start).toThrow(TypeError)
    expect(start).toThrow(new TypeError(sentence))
  })

  test.each([0.5, 1, 2_147_483_647])('the timeout %d is one', (time) => {
    expect(endpoint('GET /get', { response: noContent, timeout: time }).timeout).toBe(time)
  })

  test('a mount can be beside an endpoint with a rest, and in front of it', async () => {
    const rest = endpoint('GET /a/*path', { response: noContent })
    const { fetch } = serve({ beside: mount('/b/c'), above: mount('/a'), rest }, { beside: handler, above: handler, rest: returnNothing })
    const statuses = ['/b/c/d', '/a', '/a/c'].map(async (path) => (await fetch(new Request(`http://test.invalid${path}`))).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 204])
  })

  test('arguments are never changed', () => {
    const api = { users: { one }, raw: mount('/raw') }
    const moved = prefix('/v1', api)
    expect(api.users.one).toBe(one)
    expect([one.route, moved.users.one.route, moved.raw.prefix, api.raw.prefix]).toEqual([
      'GET /users/:id',
      'GET /v1/users/:id',
      '/v1/raw',
      '/raw',
    ])
    const params = { id: int }
    const responseHeaders = { 'X-A': 'a' }
    const made = endpoint('GET /users/:id', { params, response: noContent, responseHeaders })
    expect(made.params).not.toBe(params)
    responseHeaders['X-A'] = 'b'
    expect(made.responseHeaders).toEqual({ 'X-A': 'a' })
    expect([one, moved, moved.users, made, made.params, made.query, made.errors, made.response, api.raw].every(Object.isFrozen)).toBe(true)
  })

  test('operations() gives each operation its name, in the order of declaration', () => {
    const names = operations({ users: { one, raw: mount('/raw') }, empty: {}, last: one }).map(({ name, path }) => [name, path])
    expect(names).toEqual([
      ['users.one', ['users', 'one']],
      ['users.raw', ['users', 'raw']],
      ['last', ['last']],
    ])
  })
})

test('every message consists of whole sentences', () => {
  for (const say of Object.values({ ...developerErrors, ...adapterErrors, ...authErrors })) {
    const sentence = (say as (...words: readonly unknown[]) => string)('one', 'two', 'three.')
    expect(sentence).toMatch(/\.$/)
    expect(sentence).not.toMatch(/undefined|\n/)
  }
})

describe('what an endpoint states once', () => {
  const start = (definition: object): unknown =>
    serve({ one: endpoint('POST /', { response: ok(text), ...definition } as never) } as never, { one: () => 'one' } as never)

  test.each<[what: string, definition: object, message: string]>([
    ['NaN', { query: { q: text({ maxLength: Number.NaN }) } }, 'POST /: query.q has a maxLength that is no number'],
    ['a text', { headers: { 'X-Q': text({ minLength: wrongly('8') }) } }, 'POST /: headers.X-Q has a minLength that is "8"'],
    ['a text', { cookies: { q: int({ max: wrongly('9') }) } }, 'POST /: cookies.q has a maximum that is "9"'],
    ['a text', { query: { q: array(text, { minItems: wrongly('1') }) } }, 'POST /: query.q has a minItems that is "1"'],
    ['null', { query: { q: optional(int({ min: wrongly(null) })) } }, 'POST /: query.q has a minimum that is no number'],
    ['a text', { query: { q: array(text, { maxItems: wrongly('1') }) } }, 'POST /: query.q has a maxItems that is "1"'],
    ['NaN', { query: { q: array(text({ maxLength: Number.NaN })) } }, 'POST /: query.q has a maxLength that is no number'],
    ['NaN', { body: multipart({ a: text({ maxLength: Number.NaN }) }) }, 'POST /: body.a has a maxLength that is no number'],
  ])('a bound that is %s would be none, and is refused at the start (%#)', (_what, definition, message) => {
    expect(() => start(definition)).toThrow(`${message}, so it limits nothing. Write a number, or remove it.`)
  })

  test('so is one of a capture', () => {
    const q = text({ maxLength: Number.NaN })
    expect(() => endpoint('GET /:q', { params: { q }, response: ok(text) })).toThrow('GET /:q: params.q has a maxLength that is no number')
  })

  const csv = (more: object) => mediaType({ types: ['text/csv'], reader: () => String, writer: () => String, ...more })
  test.each<[definition: object, message: string]>([
    [
      { responseHeaders: { 'X-A': 'a\r\nb' } },
      'POST /: responseHeaders has the header "X-A" with the value "a\\r\\nb", which cannot be sent.',
    ],
    [{ responseHeaders: { 'X-A': '€' } }, 'POST /: responseHeaders has the header "X-A" with the value "€", which cannot be sent.'],
    [{ response: ok(csv({ types: ['csv'] })) }, 'POST / has the media type "csv", expected a type and a subtype.'],
    [
      { response: ok(csv({ types: ['text/csv\nX-A: b'] })) },
      'POST / has the media type "text/csv\\nX-A: b", expected a type and a subtype.',
    ],
    [{ body: csv({ types: ['csv'] }) }, 'POST / has the media type "csv", expected a type and a subtype.'],
    [{ errors: [reply(409, csv({ types: ['csv'] }))] }, 'POST / has the media type "csv", expected a type and a subtype.'],
    [{ response: ok(csv({ headers: { 'X A': 'b' } })) }, 'POST /: text/csv has the header "X A" with the value "b", which cannot be sent.'],
    [
      { auth: authScheme({ name: 'own', challenge: '', credentials: () => '', openapi: {} }) },
      'The auth scheme "own" has the challenge ""',
    ],
    [{ auth: basic('a\r\nb') }, 'The auth scheme "a\\r\\nb" has the challenge'],
    [{ auth: basic('Büro – außen') }, 'The auth scheme "Büro – außen" has the challenge'],
    [
      { auth: authScheme({ name: 'own', credentials: () => '', openapi: {} } as never) },
      'The auth scheme "own" has the challenge undefined',
    ],
  ])('what no head can carry is refused at the start (%#)', (definition, message) => {
    expect(() => start(definition)).toThrow(message)
  })

  test('a realm can have quotes', async () => {
    const people = basic('the "people" \\ here')
    const api = { one: endpoint('GET /', { auth: people, response: ok(text) }) }
    const server = serve(api, { one: () => 'one' }, { auth: [authenticate(people, () => undefined)] })
    const { headers } = await server.fetch(new Request('http://test.invalid/'))
    expect(headers.get('WWW-Authenticate')).toBe('Basic realm="the \\"people\\" \\\\ here", charset="UTF-8"')
  })

  test.each<[start: () => unknown, message: string]>([
    [() => requestId({ header: 'X Request' }), 'requestId(): header is "X Request", expected the name of a header.'],
    [() => timeout(1, { retryAfter: Number.NaN }), 'timeout(): retryAfter is NaN, expected an integer from 0.'],
    [() => loadShedding({ retryAfter: wrongly('soon') }), 'loadShedding(): retryAfter is "soon", expected an integer from 0.'],
    [
      () => serveStatic('.', { headers: { 'X-A': 'a\nb' } }),
      'serveStatic() has the header "X-A" with the value "a\\nb", which cannot be sent.',
    ],
    [
      () => serveStatic('.', { cacheControl: wrongly(5) }),
      'serveStatic() has the header "Cache-Control" with the value 5, which cannot be sent.',
    ],
  ])('what cannot be sent is refused where it is called (%#)', (begin, message) => {
    expect(begin).toThrow(message)
  })
})
