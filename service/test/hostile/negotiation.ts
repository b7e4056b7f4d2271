/** Rows on negotiation: 406 comes before the handler, and responses have Vary. */
import { get, head, post, type Row, served, where } from './row.ts'

const varying = (row: Row): Row =>
  where(row, (replies) => (replies.every(({ headers }) => /\baccept\b/i.test(headers.get('vary') ?? '')) ? undefined : 'no Vary: Accept'))

const odd: readonly string[] = [
  '', '*', '*/*', '*/json', 'a', '/', 'a/', '/b', ',', ',,,', ';', ';q=1', 'q=2', '*/*;q=2', '*/*;q=-1', '*/*;q=1.0000', '*/*;q=', '*/*;q', '*/*;Q=0.5',
  'text/html;q=0.5;q=0.9', 'text/html;level="1,2"', 'text/html;level="', 'text/html;level="\\"', 'text/html;a="b";q=0', '"text/html"', 'text/html text/html',
  'TEXT/HTML', 'text/html;charset=UTF-8', 'text/html;charset=latin1', 'text / html', '\xff/\xff', 'text/html;q=0, */*;q=0', '__proto__/constructor',
] // biome-ignore format: a table of short words

const long: readonly string[] = [
  Array.from({ length: 1_000 }, () => 'a/b').join(', '),
  Array.from({ length: 500 }, () => 'a/b;q=0.1').join(','),
  `text/html${';a=b'.repeat(1_700)}`,
  `text/html;a="${'\\"'.repeat(3_400)}"`,
  `text/html;a="${'x'.repeat(7_000)}`,
  ','.repeat(7_000),
  ' '.repeat(7_000),
  `${'*/*;q=0, '.repeat(770)}text/html`,
]

export const negotiation: readonly Row[] = [
  ...odd.map((value) => varying(served(`Accept: ${JSON.stringify(value)}`, get('/persons', `Accept: ${value}`), [200, 406]))),
  ...long.map((value) =>
    varying(served(`7 KB of Accept: ${JSON.stringify(value.slice(0, 20))}`, get('/persons', `Accept: ${value}`), [200, 406])),
  ),
  varying(served('nothing that is offered', get('/persons', 'Accept: image/png'), 406)),
  varying(served('HEAD of nothing that is offered', head('HEAD /persons', 'Accept: image/png'), 406)),
  varying(served('two lines of Accept are one list', get('/persons', 'Accept: image/png', 'Accept: text/html'), 200)),
  varying(served('of a stream', get('/userStream'), 200)),
  varying(served('of a stream that is not offered so', get('/userStream', 'Accept: text/html'), 406)),
  // Played once more, it is gone, or there, already.
  served('an answer without a body has nothing to negotiate', head('DELETE /products/1', 'Accept: image/png'), [204, 404]),
  served(
    'neither has the answer to an addition',
    post('/products', 'application/json', '{"productId":778}', 'Accept: image/png'),
    [201, 409],
  ),
  served(
    '406 comes before 415 and 400',
    head('POST /echo/json', 'Accept: image/png', 'Content-Type: a/b', 'Content-Length: 1').concat('{'),
    406,
  ),
]
