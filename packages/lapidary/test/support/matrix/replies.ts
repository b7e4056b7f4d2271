/** Negotiation, replies and credentials. */
import { expect } from 'vitest'
import { ann, ben } from '../everything.ts'
import { buildRequest, get, json, postJson, type Row, refuses, respondsWith } from './row.ts'

const jsonType = 'application/json;charset=utf-8'
const page = respondsWith(200, {
  text: '<ul><li>Ann</li><li>Ben</li></ul>',
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' },
})
const table = respondsWith(200, { text: 'Ann,36,1988-02-29\nBen,7,2017-07-01\n', headers: { 'Content-Type': 'text/csv', Vary: 'Accept' } })
const first = json([ann, ben], { 'Content-Type': jsonType, Vary: 'Accept' })
const accepting = (accept: string) => get('/visitors', { Accept: accept })

export const accepts: readonly Row[] = [
  ['anything', accepting('*/*'), first],
  ['the type itself', accepting('text/html'), page],
  ['the type itself, with its charset', accepting('text/html;charset=UTF-8'), page],
  ['a media type of the application', accepting('text/csv'), table],
  ['the better quality', accepting('application/json;q=0.5, text/csv;q=0.9'), table],
  ['ties go to the order of the offers', accepting('text/csv, text/html, application/json'), first],
  ['a range of all subtypes', accepting('text/*'), page],
  ['the more specific range decides', accepting('text/*, text/html;q=0.1'), table],
  ['q=0 excludes a type', accepting('*/*, application/json;q=0'), page],
  ['an empty Accept', accepting(''), first],
  ['one that cannot be parsed', accepting('text/html;q=2'), first],
  ['one without a slash', accepting('text'), first],
  [
    'no type that is offered',
    accepting('image/png'),
    respondsWith(406, {
      headers: { Vary: 'Accept', 'Content-Type': 'application/problem+json' },
      json: {
        type: 'about:blank',
        title: 'Not Acceptable',
        status: 406,
        detail:
          'None of the types in Accept is available. Available: application/json;charset=utf-8, application/json, text/html; charset=utf-8, text/csv.',
      },
    }),
  ],
  ['another type than the only one', get('/points/1/2', { Accept: 'text/html' }), refuses(406)],
  ['a parameter that the type does not have', get('/points/1/2', { Accept: 'application/json;level=1' }), refuses(406)],
  [
    'one type does not vary',
    get('/points/1/2', { Accept: 'application/json' }),
    json({ x: 1, y: 2 }, { Vary: null, 'Content-Type': jsonType }),
  ],
  ['a response without a body ignores Accept', buildRequest('DELETE', '/people/1', { Accept: 'image/png' }), respondsWith(204)],
  [
    'lines',
    get('/stream'),
    respondsWith(200, {
      text: `${JSON.stringify(ann)}\n${JSON.stringify(ben)}\n`,
      headers: { 'Content-Type': 'application/x-ndjson', Vary: 'Accept' },
    }),
  ],
  [
    'lines under the other name of newline-delimited JSON',
    get('/stream', { Accept: 'application/jsonl' }),
    respondsWith(200, { text: `${JSON.stringify(ann)}\n${JSON.stringify(ben)}\n`, headers: { 'Content-Type': 'application/jsonl' } }),
  ],
  [
    'lines with equal qualities: the alias comes second',
    get('/stream', { Accept: 'application/*' }),
    respondsWith(200, { headers: { 'Content-Type': 'application/x-ndjson' } }),
  ],
  [
    'lines without the first type',
    get('/stream', { Accept: 'application/*, application/x-ndjson;q=0' }),
    respondsWith(200, { headers: { 'Content-Type': jsonType } }),
  ],
  [
    'lines under an alias',
    get('/stream', { Accept: 'application/json' }),
    respondsWith(200, { text: `${JSON.stringify(ann)}\n${JSON.stringify(ben)}\n`, headers: { 'Content-Type': jsonType } }),
  ],
]

const joined = `event: joined\nid: 8\nretry: 2000\ndata: ${JSON.stringify(ann)}\n\n`
const painted = 'event: painted\nid: 9\ndata: {"hex":"ff8800"}\n\n'
const streamHeaders = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no', Vary: 'Last-Event-ID' }

export const replies: readonly Row[] = [
  ['events', get('/changes', { 'Last-Event-ID': '7' }), respondsWith(200, { text: joined + painted, headers: streamHeaders })],
  ['events for any text', get('/changes', { 'Last-Event-ID': '7', Accept: 'text/*' }), respondsWith(200, { text: joined + painted })],
  ['events as JSON', get('/changes', { Accept: 'application/json' }), refuses(406)],
  [
    'events behind an id of the wrong type',
    get('/changes', { 'Last-Event-ID': 'seven' }),
    refuses(400, { in: 'header', name: 'Last-Event-ID', detail: expect.stringMatching(/^expected an integer/) }),
  ],
  [
    'JSON has its length',
    get('/points/1/2'),
    respondsWith(200, { text: '{"x":1,"y":2}', headers: { 'Content-Length': '13', 'Content-Type': jsonType } }),
  ],
  ['the length is in bytes', get('/greetings/%C3%84'), respondsWith(200, { text: 'Hello, Ä!', headers: { 'Content-Length': '10' } })],
  ['typed headers, one of them a list', accepting('*/*'), json([ann, ben], { 'X-Count': '2', 'X-Names': 'Ann,Ben', 'X-Day': null })],
  [
    '201 without a body',
    postJson('/people', JSON.stringify(ann)),
    respondsWith(201, { text: '', headers: { Location: '/people/36', 'Content-Length': '0', 'Content-Type': null } }),
  ],
  [
    '201 with a body',
    postJson('/orders', '{"item":"tea","tags":["x"]}'),
    respondsWith(201, { json: { item: 'tea', count: 1 }, headers: { Location: '/orders/x' } }),
  ],
  ['202 with a body', postJson('/jobs', '{"task":"saw"}'), respondsWith(202, { json: { ticket: 2 } })],
  ['204', buildRequest('DELETE', '/people/1'), respondsWith(204, { text: '', headers: { 'Content-Length': null, 'Content-Type': null } })],
  ['206 with its header', get('/part', { Range: 'name B' }), respondsWith(206, { json: [ann], headers: { 'Content-Range': 'name B' } })],
  [
    'a list that is streamed is one JSON array',
    get('/people'),
    respondsWith(200, { text: JSON.stringify([ann, ben]), headers: { 'Content-Length': null } }),
  ],
  ['a missing optional member', get('/colours/ff8800'), respondsWith(200, { text: '{"hex":"ff8800"}' })],
]

const basicOf = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const challenge = 'Basic realm="members", charset="UTF-8"'
const stranger = respondsWith(401, {
  headers: { 'WWW-Authenticate': challenge, 'Content-Type': 'application/problem+json' },
  json: { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'This resource requires valid credentials (members).' },
})
const odd = [
  'Basic',
  'Basic ',
  'Basic =',
  'Basic !!!!',
  'Basic QW5u',
  'Basic QW5uOkFubidzIHdvcmQ', // without its padding
  'Basic QW5uOkFubidzIHdvcmQ= x',
  'Basic QW5uOkFubidzIHdvcmQ=, Basic QW5uOkFubidzIHdvcmQ=',
  'Basic_QW5uOkFubidzIHdvcmQ=',
  'Bearer QW5uOkFubidzIHdvcmQ=',
  'QW5uOkFubidzIHdvcmQ=',
  `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
]

export const credentials: readonly Row[] = [
  ['none', get('/account'), stranger],
  ['a wrong password', get('/account', basicOf('Ann:x')), stranger],
  ['an unknown name', get('/account', basicOf(':')), stranger],
  ...odd.map((value): Row => [`malformed credentials: ${value}`, get('/account', { Authorization: value }), stranger]),
  ['the right credentials', get('/account', basicOf("Ann:Ann's word")), json({ name: 'Ann' })],
  ['the scheme has no case', get('/account', { Authorization: 'bASIC  QW5uOkFubidzIHdvcmQ=' }), json({ name: 'Ann' })],
  ['a user name that is not ASCII', get('/account', basicOf("Änn:Änn's word")), json({ name: 'Änn' })],
  ['an empty user name', get('/account', basicOf(":'s word")), json({ name: '' })],
  ['no bearer token', get('/partner'), respondsWith(401, { headers: { 'WWW-Authenticate': 'Bearer realm="partners"' } })],
  ['a wrong bearer token', get('/partner', { Authorization: 'Bearer seventy' }), respondsWith(401)],
  ['the bearer token with text behind it', get('/partner', { Authorization: 'Bearer seventy-seven x' }), respondsWith(401)],
  ['the right bearer token', get('/partner', { Authorization: 'Bearer seventy-seven' }), json(77)],
  [
    'a scheme of the application, without its key',
    buildRequest('DELETE', '/machine'),
    respondsWith(401, { headers: { 'WWW-Authenticate': 'Key realm="machines"' } }),
  ],
  [
    'a scheme of the application, with its key',
    buildRequest('DELETE', '/machine', { 'X-Api-Key': 'lathe' }),
    respondsWith(200, { text: 'lathe' }),
  ],
  ['another encoding of a path that needs credentials', get('/%61ccount/'), stranger],
  ['401 comes before 406', get('/account', { Accept: 'image/png' }), stranger],
]

export const declaredErrors: readonly Row[] = [
  [
    'a declared error has the body that its schema allows',
    postJson('/orders', '{"item":"nothing","tags":[]}'),
    respondsWith(409, { text: '{"item":"nothing","again":null}', headers: { 'Content-Type': jsonType } }),
  ],
  [
    'a declared error without a body is a problem',
    get('/colours/000000'),
    respondsWith(404, { json: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'There is no black here.' } }),
  ],
  [
    'an error of the handler comes last',
    get('/people/9'),
    respondsWith(404, { json: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'There is no person 9.' } }),
  ],
]

const acceptRanges = { 'Accept-Ranges': 'name,age' }

export const ranged: readonly Row[] = [
  [
    'a page by its default field',
    get('/page'),
    respondsWith(206, {
      json: [ben, ann],
      headers: { ...acceptRanges, 'Total-Count': '2', 'Content-Range': 'name Ben..Ann', 'Next-Range': null, Link: null },
    }),
  ],
  [
    'a page that has a next one',
    get('/page', { Range: 'age; order desc' }),
    respondsWith(206, {
      json: [ann],
      headers: {
        ...acceptRanges,
        'Content-Range': 'age 36..36',
        'Next-Range': 'age 36; offset 0; limit 1; order desc',
        Link: expect.stringMatching(
          /^<\/page\?range=age%3B%20after%20[\w-]+%3B%20offset%200%3B%20limit%201%3B%20order%20desc>; rel="next"$/,
        ),
      },
    }),
  ],
  [
    'a page by the query parameter',
    get('/page?range=age+36'),
    respondsWith(206, { json: [ben], headers: { 'Content-Range': 'age 7..7' } }),
  ],
  [
    'a page that has a cursor',
    get('/cursor-page'),
    respondsWith(200, {
      json: { people: [ann], next: expect.stringMatching(/^[\w-]+$/) },
      headers: { Link: expect.stringMatching(/^<\?cursor=[\w-]+&limit=1&sort=-age>; rel="next"$/) },
    }),
  ],
  [
    'a page by cursor that is the last one',
    get('/cursor-page?limit=2'),
    respondsWith(200, { json: { people: [ann, ben] }, headers: { Link: null } }),
  ],
  ['an invalid cursor', get('/cursor-page?cursor=AAAA'), refuses(400, expect.objectContaining({ in: 'query', name: 'cursor' }))],
  [
    'a page by its number',
    get('/numbered-page?page=2'),
    respondsWith(200, {
      json: { people: [ben], total: 2 },
      headers: { Link: '<?page=1&limit=1>; rel="first", <?page=1&limit=1>; rel="prev", <?page=2&limit=1>; rel="last"' },
    }),
  ],
  ['page 0', get('/numbered-page?page=0'), refuses(400, expect.objectContaining({ in: 'query', name: 'page' }))],
  [
    'a file',
    get('/reports/may'),
    respondsWith(200, {
      text: 'May: 20 opals, 3 rubies.\n',
      headers: {
        'Content-Type': 'text/plain',
        'Content-Length': '25',
        'Accept-Ranges': 'bytes',
        'Content-Disposition': `attachment; filename="may _.txt"; filename*=UTF-8''may%20%E2%98%80.txt`,
        ETag: expect.stringMatching(/^"19-[0-9a-f]+"$/),
        'Last-Modified': expect.stringMatching(/ GMT$/),
        Vary: null,
      },
    }),
  ],
  [
    'a part of a file',
    get('/reports/may', { Range: 'bytes=5-12' }),
    respondsWith(206, { text: '20 opals', headers: { 'Content-Range': 'bytes 5-12/25', 'Content-Length': '8' } }),
  ],
  [
    'a part behind the end of a file',
    get('/reports/may', { Range: 'bytes=25-' }),
    { ...refuses(416), headers: { 'Content-Range': 'bytes */25' } },
  ],
  ['a file that has not changed', get('/reports/may', { 'If-None-Match': '*' }), respondsWith(304, { text: '' })],
  ['a file that is another one', get('/reports/may', { 'If-Match': '"x"' }), refuses(412)],
  ['the head of a file', buildRequest('HEAD', '/reports/may'), respondsWith(200, { text: '', headers: { 'Content-Length': '25' } })],
  ['no file', get('/reports/june'), refuses(404)],
  ['an invalid token', get('/page', { Range: 'name; after AAAA' }), refuses(400, expect.objectContaining({ in: 'header', name: 'Range' }))],
  ['a field without ranges', get('/page', { Range: 'born' }), respondsWith(416, { headers: acceptRanges })],
  ['a type that pages do not have', get('/page', { Accept: 'image/png' }), respondsWith(406, { headers: acceptRanges })],
  ['another method of a page', buildRequest('POST', '/page'), respondsWith(405, { headers: acceptRanges })],
  ['OPTIONS of a page', buildRequest('OPTIONS', '/page'), respondsWith(204, { headers: acceptRanges })],
]

export const mounts: readonly Row[] = [
  ['a mounted handler gets the rest of the target', get('/raw/kernel/a%2Fb?c=d'), respondsWith(200, { text: 'GET /a%2Fb?c=d' })],
  ['a mounted handler gets a slash for the prefix itself', get('/raw/kernel'), respondsWith(200, { text: 'GET /' })],
  ['a mounted handler gets a slash before the query', get('/raw/kernel?c=d'), respondsWith(200, { text: 'GET /?c=d' })],
  ['a mounted handler gets the slash behind the prefix', get('/raw/kernel/'), respondsWith(200, { text: 'GET /' })],
  ['a mounted handler gets every method', buildRequest('PROPFIND', '/raw/kernel/x'), respondsWith(200, { text: 'PROPFIND /x' })],
  ['a mounted handler answers OPTIONS itself', buildRequest('OPTIONS', '/raw/kernel/x'), respondsWith(200, { text: 'OPTIONS /x' })],
  ['a prefix ends where a segment ends', get('/raw/kernels'), respondsWith(404)],
  ['a prefix is percent-decoded', get('/raw/k%65rnel/x'), respondsWith(200, { text: 'GET /x' })],
  ['bad percent-encoding below a prefix', get('/raw/kernel/%zz'), respondsWith(400)],
  [
    'a fetch handler gets a Request',
    buildRequest('PUT', '/raw/web/a?b=c', { 'Content-Type': 'text/plain' }, 'tea'),
    respondsWith(200, { text: 'PUT /a?b=c tea', headers: { 'X-Web': 'yes' } }),
  ],
  ['a fetch handler gets the root', get('/raw/web'), respondsWith(200, { text: 'GET / ' })],
  ['the body for a fetch handler can be too large', buildRequest('PUT', '/raw/web', {}, 'a'.repeat(1_100_000)), respondsWith(413)],
]
