/** Rows on routing: each spelling of a target names one resource only. */
import type { Reply } from './replies.ts'
import { get, head, hidden, judged, type Row, refused, served, where } from './row.ts'

/** By their paths, the methods that each answers. */
const allowed: readonly (readonly [target: string, wrong: string, methods: string])[] = [
  ['/hello', 'POST', 'GET, HEAD, OPTIONS'],
  ['/hello/', 'DELETE', 'GET, HEAD, OPTIONS'],
  ['/position/1/2', 'PATCH', 'GET, HEAD, OPTIONS'],
  ['/marketing', 'GET', 'OPTIONS, POST'],
  ['/users', 'DELETE', 'GET, HEAD, OPTIONS, POST'],
  ['/users/1', 'POST', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['/user/1', 'PUT', 'DELETE, GET, HEAD, OPTIONS'],
  ['/secret', 'DELETE', 'GET, HEAD, OPTIONS, POST'],
  ['/products/1', 'PATCH', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['/colors', 'TRACE', 'GET, HEAD, OPTIONS'],
  ['/echo/json', 'PROPFIND', 'OPTIONS, POST'],
]

const sorted = (list: string | undefined): string | undefined => list?.split(', ').sort().join(', ')

/** Paths that name nothing. */
const nothing: readonly string[] = [
  '//',
  '//hello',
  '/hello//',
  '//example.org/hello',
  '/./hello',
  '/hello/.',
  '/../hello',
  '/users/../hello',
  '/%2e%2e/hello',
  '/%2E/hello',
  '/%2fhello',
  '/hello%2f',
  '/users%2Flist-all',
  '/%00',
  '/hello%00',
  '/hello;a=b',
  '/hello;',
  '/HELLO',
  '/hello%20',
  '/%20hello',
  '/hello.json',
  '/__proto__',
  '/constructor',
  '/users/__proto__',
  '/toString/valueOf',
  '/%c0%af',
  '/%c0%ae%c0%ae/hello',
  '/%ff',
  '/%ed%a0%80',
  '/%f4%90%80%80',
  '/%',
  '/%2',
  '/%zz',
  '/%u0041',
  '/hello%',
  '/position/1/%',
  '/position/1/2/3',
  '/position/1',
  '/position//2',
  '/position/__proto__/1',
  `/position/${'1'.repeat(7_000)}/2`,
  '/a'.repeat(5_000),
  '/%61'.repeat(2_000),
  '/'.repeat(8_000),
  '/empty',
  '/empty/a',
]

const overriding = [
  'X-HTTP-Method-Override: DELETE',
  'X-Method-Override: DELETE',
  'X-HTTP-Method: DELETE',
  'X-Original-URL: /nowhere',
  'X-Rewrite-URL: /nowhere',
]

/** The time and the id of a reply, and, as RFC 9110 §9.3.2 allows, how a body would be framed. */
const notAlike = new Set(['date', 'x-request-id', 'transfer-encoding'])

const described = ({ status, headers }: Reply): string =>
  JSON.stringify([status, [...headers].filter(([name]) => !notAlike.has(name)).sort()])

const sameHead = (target: string, ...lines: readonly string[]): Row =>
  where(
    judged(
      `HEAD ${[target, ...lines].join(', ')} is GET without its body`,
      head(`HEAD ${target}`, ...lines) + get(target, ...lines),
      [200, 206, 401, 404, 406, 416, 503],
      [200, 206, 401, 404, 406, 416, 503],
    ),
    ([bare, full]) =>
      bare && full && described(bare) === described(full) ? undefined : `HEAD ${bare && described(bare)}, GET ${full && described(full)}`,
  )

export const routing: readonly Row[] = [
  ...allowed.map(([target, wrong, methods]) =>
    where(served(`${wrong} ${target} is told what is allowed`, head(`${wrong} ${target}`), 405), ([reply]) =>
      sorted(reply?.headers.get('allow')) === methods ? undefined : `Allow: ${reply?.headers.get('allow')}`,
    ),
  ),
  ...[
    '/hello',
    '/users',
    '/users/999',
    '/nowhere',
    '/colors',
    '/userStream',
    '/persons',
    '/static/a.txt',
    '/static/',
    '/openapi.json',
    '/',
    '/secret',
    '/myfile.txt',
    '/echo/unavailable',
  ].map((target) => sameHead(target)),
  sameHead('/colors', 'Range: hex; limit 3'),
  sameHead('/colors', 'Range: nothing'),
  sameHead('/static/a.txt', 'Range: bytes=0-1'),
  sameHead('/persons', 'Accept: text/html'),
  sameHead('/persons', 'Accept: image/png'),
  ...nothing.map((target) => served(`${target.slice(0, 40)} (${target.length}) names nothing`, get(target), [400, 404])),
  ...['hello', '?', '*', '#', '/hello#a', 'mailto:a@b', 'a:80', '\\hello', '/he llo', '/hello\x80'].map((target) =>
    judged(`the target ${JSON.stringify(target)}`, get(target), [400, 404]),
  ),
  served('an asterisk', head('OPTIONS *'), [200, 204, 404]),
  ...[20_000, 60_000, 200_000].map((length) => refused(`a target of ${length} bytes`, get(`/${'a'.repeat(length)}`) + hidden, [414, 431])),
  refused('a query of 20,000 bytes', get(`/hello?name=${'a'.repeat(20_000)}`) + hidden, [414, 431]),
  ...overriding.map((line) => served(`${line} is nothing`, get('/users/1', line), 200)),
  served('nothing was removed by those', get('/users/1'), 200),
]
