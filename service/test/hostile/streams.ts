/** Rows on streams and on pages. */
import { get, head, type Row, refused, saying, served, where } from './row.ts'

const founders = 3
const lines = (row: Row): Row =>
  where(row, (replies) =>
    replies.every(({ body }) => body.toString().split('\n').length === founders + 1) ? undefined : 'not a line for each founder',
  )

export const streams: readonly Row[] = [
  lines(served('a stream', get('/userStream'), 200)),
  lines(served('ten streams in one breath', get('/userStream').repeat(10), ...Array.from({ length: 10 }, () => 200))),
  lines(refused('a stream for HTTP/1.0', 'GET /userStream HTTP/1.0\r\nHost: a\r\nConnection: close\r\n\r\n', 200)),
  lines(refused('a stream for a client that has half-closed', [get('/userStream'), ({ socket }) => socket.end()], 200)),
  saying(served('HEAD of a stream', head('HEAD /userStream'), 200), ''),
  served('TE asks for trailers', get('/userStream', 'TE: trailers, gzip;q=0.5'), 200),
]

const malformed: readonly string[] = [
  '', ' ', ';', 'name;', 'name ;', 'name a b', 'name; ', 'name; limit', 'name; limit 5; limit 5', 'name; limit -1', 'name; limit 1.0', 'name; limit 1e3', 'name; limit 0x5', 'name; limit +5',
  'name; limit 9007199254740992', 'name; limit five', 'name; offset -1', 'name; order up', 'name; order ASC', 'name; order', 'name; colour red', 'name; after', 'name; after x', 'name red; after x',
  'name; after eyJ9', 'name %', 'name %zz', 'name %ff', 'name %ed%a0%80', 'rgb abc', 'rgb 1.5', 'rgb 1e3', 'name; __proto__ 1', 'name; limit 1;', '; limit 1', 'rgb 9007199254740993',
] // biome-ignore format: a table

/** Values with characters that have a meaning in headers: percent-encoded both ways. */
const hostileValues = [';', '..', '"', "'", '\r\n', '\0', 'é', '🌍', '%', ' ', '/', '\\', "' OR 1=1 --", '\u2028', 'a'.repeat(2_000)]

export const pagination: readonly Row[] = [
  ...malformed.map((range) => served(`Range: ${JSON.stringify(range)}`, get('/colors', `Range: ${range}`), [400])),
  ...malformed
    .filter((range) => range.trim() !== '')
    .map((range) => served(`?range=${JSON.stringify(range)}`, get(`/colors?range=${encodeURIComponent(range)}`), [400])),
  ...['Name', '__proto__', 'names', 'id', 'toString'].map((field) =>
    served(`Range: ${field} is no field`, get('/colors', `Range: ${field}`), 416),
  ),
  ...['bytes=0-9', 'items=0-1', 'lines=x'].map((range) =>
    served(`Range: ${range} is another unit`, get('/colors', `Range: ${range}`), [200, 206]),
  ),
  served('two Ranges', get('/colors', 'Range: name', 'Range: name'), 400),
  served('a Range twice over', get('/colors?range=name', 'Range: name'), 400),
  served('a limit of everything', get('/colors', 'Range: name; limit 9007199254740991'), [200, 206]),
  served('an offset beyond everything', get('/colors', 'Range: name; offset 9007199254740991'), [200, 206]),
  ...hostileValues.map((value) =>
    where(
      served(
        `a page behind ${JSON.stringify(value).slice(0, 30)}`,
        get('/colors', `Range: hex ${encodeURIComponent(value)}; limit 2`),
        [200, 206, 400],
      ),
      ([reply]) => {
        const next = reply?.headers.get('next-range') ?? ''
        return /^[\x20-\x7e]*$/.test(next) ? undefined : `Next-Range: ${next}`
      },
    ),
  ),
]
