/** Paths, captures and methods. */
import { buildRequest, get, json, type Row, refuses, respondsWith } from './row.ts'

const notAnInteger = 'expected an integer such as 42, within ±9007199254740991'
const notAColour = 'expected a colour such as ff8800'
const point = { x: 1, y: -2 }
const none = { json: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'There is nothing at this path.' } }

export const paths: readonly Row[] = [
  ['a path is found, and its captures are converted', get('/points/1/-2'), json(point)],
  ['one slash at the end is accepted', get('/points/1/-2/'), json(point)],
  ['one slash at the end is accepted of a literal path', get('/colours/newest/'), json({ hex: '663399', name: 'rebeccapurple' })],
  ['two slashes at the end are not accepted', get('/points/1/-2//'), respondsWith(404, none)],
  ['an empty segment matches nothing', get('/points//1/-2'), respondsWith(404, none)],
  ['an empty segment is not a capture', get('/greetings//'), respondsWith(404, none)],
  ['a path is case-sensitive', get('/Points/1/-2'), respondsWith(404, none)],
  ['an unknown path', get('/nowhere'), respondsWith(404, none)],
  ['the root without an endpoint', get('/'), respondsWith(404, none)],
  ['more than the path', get('/points/1/-2/3'), respondsWith(404, none)],
  ['less than the path', get('/points/1'), respondsWith(404, none)],
  ['names of Object.prototype are not paths', get('/__proto__/constructor'), respondsWith(404, none)],
  ['a literal segment is percent-decoded', get('/p%6Fints/1/%2D2'), json(point)],
  ['a capture is percent-decoded', get('/greetings/%C3%84nn%20B'), respondsWith(200, { text: 'Hello, Änn B!' })],
  ['an encoded slash stays inside its segment', get('/greetings/a%2Fb'), respondsWith(200, { text: 'Hello, a/b!' })],
  ['an encoded percent sign is decoded once', get('/greetings/a%252Fb'), respondsWith(200, { text: 'Hello, a%2Fb!' })],
  ['a plus in a path is a plus', get('/greetings/a+b'), respondsWith(200, { text: 'Hello, a+b!' })],
  ['a semicolon in a path is a semicolon', get('/greetings/a;b=c'), respondsWith(200, { text: 'Hello, a;b=c!' })],
  ['the empty API has no paths', get('/empty'), respondsWith(404, none)],
  ['a bad percent-encoding', get('/greetings/%zz'), refuses(400)],
  ['a percent sign at the end', get('/greetings/a%'), refuses(400)],
  ['bytes that are not UTF-8', get('/greetings/%C3%28'), refuses(400)],
  ['an overlong encoding', get('/greetings/%C0%AF'), refuses(400)],
  ['a lone surrogate', get('/greetings/%ED%A0%80'), refuses(400)],
  ['a literal takes precedence over a capture', get('/colours/newest'), json({ hex: '663399', name: 'rebeccapurple' })],
  [
    'a literal takes precedence over a capture, also for another method',
    buildRequest('PATCH', '/colours/newest', { 'Content-Type': 'application/json' }, '{"hex":"x"}'),
    respondsWith(405, { headers: { Allow: 'GET, HEAD, OPTIONS' } }),
  ],
  ['an invalid capture', get('/points/1/two'), refuses(400, { in: 'path', name: 'y', detail: notAnInteger })],
  [
    'two invalid captures',
    get('/points/one/two'),
    refuses(400, { in: 'path', name: 'x', detail: notAnInteger }, { in: 'path', name: 'y', detail: notAnInteger }),
  ],
  [
    'an invalid date',
    get('/days/2023-02-29'),
    refuses(400, { in: 'path', name: 'day', detail: 'expected a calendar date such as 2024-02-29' }),
  ],
  ['a leap day', get('/days/2024-02-29'), respondsWith(200, { text: '2024-02-29' })],
  ['a codec of the application', get('/colours/FF0000'), refuses(400, { in: 'path', name: 'hex', detail: notAColour })],
  [
    'an invalid capture, before 405',
    buildRequest('DELETE', '/points/1/two'),
    refuses(400, { in: 'path', name: 'y', detail: notAnInteger }),
  ],
  ['an invalid capture, before OPTIONS', buildRequest('OPTIONS', '/points/1/two'), refuses(400)],
]

export const methods: readonly Row[] = [
  [
    'another method of a known path',
    buildRequest('DELETE', '/points/1/2'),
    respondsWith(405, { headers: { Allow: 'GET, HEAD, OPTIONS' } }),
  ],
  [
    'another method of a path with two',
    buildRequest('DELETE', '/colours/ff0000'),
    respondsWith(405, { headers: { Allow: 'GET, HEAD, PATCH, OPTIONS' } }),
  ],
  [
    'another method of an item',
    buildRequest('POST', '/people/1'),
    respondsWith(405, { headers: { Allow: 'GET, HEAD, PUT, DELETE, OPTIONS' } }),
  ],
  ['another method of a collection', buildRequest('PUT', '/people'), respondsWith(405, { headers: { Allow: 'GET, HEAD, POST, OPTIONS' } })],
  ['GET of a path that has only POST', get('/orders'), respondsWith(405, { headers: { Allow: 'POST, OPTIONS' } })],
  [
    'HEAD of a path that has only POST',
    buildRequest('HEAD', '/orders'),
    respondsWith(405, { headers: { Allow: 'POST, OPTIONS' }, text: '' }),
  ],
  ['an unknown method', buildRequest('PROPFIND', '/orders'), respondsWith(405, { headers: { Allow: 'POST, OPTIONS' } })],
  [
    'OPTIONS',
    buildRequest('OPTIONS', '/people/7'),
    respondsWith(204, { headers: { Allow: 'GET, HEAD, PUT, DELETE, OPTIONS', 'Content-Length': null }, text: '' }),
  ],
  ['OPTIONS needs no credentials', buildRequest('OPTIONS', '/account'), respondsWith(204, { headers: { Allow: 'GET, HEAD, OPTIONS' } })],
  ['OPTIONS of an unknown path', buildRequest('OPTIONS', '/nowhere'), respondsWith(404)],
  ['405 comes before 401', buildRequest('POST', '/account'), respondsWith(405, { headers: { 'WWW-Authenticate': null } })],
  ['a method override is ignored', buildRequest('POST', '/points/1/2', { 'X-HTTP-Method-Override': 'GET' }), respondsWith(405)],
  ['a path override is ignored', get('/nowhere', { 'X-Original-URL': '/points/1/2' }), respondsWith(404)],
]

/** For these targets, HEAD has the status and the headers of GET, and no body. */
export const readable: readonly string[] = [
  '/points/1/2',
  '/points/1/two',
  '/greetings/%C3%84nn',
  '/visitors',
  '/people',
  '/people/9',
  '/stream',
  '/changes',
  '/part',
  '/page',
  '/page?range=age',
  '/account',
  '/nowhere',
]
