/** Queries and request headers. */
import { get, json, type Row, refuses, respondsWith } from './row.ts'

const nothing = { deep: undefined, limit: undefined, since: undefined, sort: undefined }
/** What `/search` answers: what it was asked. */
const echoes = (given: object) => json({ ...nothing, word: 'a', loud: false, tag: [], size: [], ...given })
const wrong = (name: string, detail: string) => refuses(400, { in: 'query', name, detail })
const integer = 'expected an integer such as 42, within ±9007199254740991'

export const queries: readonly Row[] = [
  ['a value', get('/search?word=hello'), echoes({ word: 'hello' })],
  ['an empty value', get('/search?word='), echoes({ word: '' })],
  ['a missing value', get('/search'), wrong('word', 'expected a value, got nothing')],
  ['a name without = is a missing value', get('/search?word'), wrong('word', 'expected a value, got nothing')],
  ['a missing optional value', get('/search?word=a&limit'), echoes({})],
  ['an empty optional value', get('/search?word=a&limit='), wrong('limit', integer)],
  ['a value given twice', get('/search?word=a&word=b'), wrong('word', 'expected one value, got 2')],
  ['the same value given twice', get('/search?word=a&word=a'), wrong('word', 'expected one value, got 2')],
  ['an optional value given twice', get('/search?word=a&limit=1&limit=2'), wrong('limit', 'expected one value, got 2')],
  ['a value, then its name without a value', get('/search?word=a&word'), echoes({})],
  ['the name without a value, then with one', get('/search?word&word=a'), echoes({})],
  ['a plus is a space', get('/search?word=a+b'), echoes({ word: 'a b' })],
  ['an encoded plus is a plus', get('/search?word=a%2Bb'), echoes({ word: 'a+b' })],
  ['an encoded ampersand and equals sign belong to the value', get('/search?word=a%26b%3Dc'), echoes({ word: 'a&b=c' })],
  ['a second equals sign belongs to the value', get('/search?word=a=b'), echoes({ word: 'a=b' })],
  ['a question mark belongs to the value', get('/search?word=a?b'), echoes({ word: 'a?b' })],
  ['an encoded name', get('/search?w%6Frd=a'), echoes({})],
  ['names are case-sensitive', get('/search?Word=a'), wrong('word', 'expected a value, got nothing')],
  ['unknown names are ignored', get('/search?word=a&nobody=1&__proto__=2&word[x]=3&constructor'), echoes({})],
  ['stray ampersands are ignored', get('/search?&&word=a&'), echoes({})],
  ['a line break in a value is echoed exactly', get('/search?word=a%0D%0Ab%00%E2%80%A8'), echoes({ word: 'a\r\nb\0\u2028' })],
  ['a flag is true when its name is there', get('/search?word=a&loud'), echoes({ loud: true })],
  ['a flag is true with any value', get('/search?word=a&loud=false'), echoes({ loud: true })],
  ['a flag is true when it is given twice', get('/search?word=a&loud&loud=1'), echoes({ loud: true })],
  ['a list keeps its order', get('/search?word=a&tag=b&tag=a&tag=b'), echoes({ tag: ['b', 'a', 'b'] })],
  ['a list with an empty text', get('/search?word=a&tag='), echoes({ tag: [''] })],
  ['a list whose name has no value', get('/search?word=a&tag'), echoes({})],
  ['a list does not split at commas', get('/search?word=a&tag=b,c'), echoes({ tag: ['b,c'] })],
  ['a list of integers', get('/search?word=a&size=1&size=-2'), echoes({ size: [1, -2] })],
  ['a list with one invalid item', get('/search?word=a&size=1&size=b'), wrong('size', integer)],
  ['a boolean', get('/search?word=a&deep=true'), echoes({ deep: true })],
  ['a capitalized boolean', get('/search?word=a&deep=True'), wrong('deep', 'expected true or false')],
  ['a number is not a boolean', get('/search?word=a&deep=1'), wrong('deep', 'expected true or false')],
  ['one of several names', get('/search?word=a&sort=age'), echoes({ sort: 'age' })],
  ['none of several names', get('/search?word=a&sort=Age'), wrong('sort', 'expected one of age, name')],
  ['no name at all', get('/search?word=a&sort='), wrong('sort', 'expected one of age, name')],
  ['a date', get('/search?word=a&since=2000-02-29'), echoes({ since: '2000-02-29' })],
  ['a day that does not exist', get('/search?word=a&since=1900-02-29'), wrong('since', 'expected a calendar date such as 2024-02-29')],
  [
    'all errors are reported at once',
    get('/search?limit=x&deep=y'),
    refuses(
      400,
      { in: 'query', name: 'word', detail: 'expected a value, got nothing' },
      { in: 'query', name: 'limit', detail: integer },
      { in: 'query', name: 'deep', detail: 'expected true or false' },
    ),
  ],
  [
    'a bad percent-encoding',
    get('/search?word=%zz'),
    refuses(400, { in: 'query', name: 'word', detail: 'expected percent-encoded UTF-8' }),
  ],
  [
    'a bad percent-encoding under a name that is not declared, behind others',
    get('/search?word=a&b&c%2Bd=%C3%28&e=%zz'),
    refuses(400, { in: 'query', name: 'c+d', detail: 'expected percent-encoded UTF-8' }),
  ],
  [
    'a bad percent-encoding in a name',
    get('/search?word=a&w%zz=a'),
    refuses(400, { in: 'query', detail: 'expected percent-encoded UTF-8' }),
  ],
  [
    'a bad percent-encoding under a long name, which is left out',
    get(`/search?word=a&${'n'.repeat(300)}=%zz`),
    refuses(400, { in: 'query', detail: 'expected percent-encoded UTF-8' }),
  ],
  ['a bad percent-encoding under an unknown name', get('/search?word=a&x=%C3%28'), refuses(400)],
  ['a bad percent-encoding in a name', get('/search?word=a&%zz=1'), refuses(400)],
  ['a bad percent-encoding where no query is declared', get('/points/1/2?x=%zz'), refuses(400)],
  ['a query where none is declared is ignored', get('/points/1/2?x=1&y'), json({ x: 1, y: 2 })],
]

const depth = (given: object) => json({ 'X-Depth': 3, 'X-Tag': [], ...given })
const header = (name: string, detail: string) => refuses(400, { in: 'header', name, detail })

export const headers: readonly Row[] = [
  ['a header', get('/depth', { 'X-Depth': '3' }), depth({})],
  ['the name of a header has no case', get('/depth', { 'x-dEPTH': '3' }), depth({})],
  ['a missing header', get('/depth'), header('X-Depth', 'expected a value, got nothing')],
  ['an invalid header', get('/depth', { 'X-Depth': '0x3' }), header('X-Depth', integer)],
  ['a header with two values in place of one', get('/depth', { 'X-Depth': '3, 3' }), header('X-Depth', integer)],
  ['an optional header', get('/depth', { 'X-Depth': '3', 'X-Note': 'a, b' }), depth({ 'X-Note': 'a, b' })],
  ['a header with a list', get('/depth', { 'X-Depth': '3', 'X-Tag': 'a ,b,\tc' }), depth({ 'X-Tag': ['a', 'b', 'c'] })],
  ['empty items of a list in a header are ignored', get('/depth', { 'X-Depth': '3', 'X-Tag': ',a,, ,' }), depth({ 'X-Tag': ['a'] })],
  [
    'all errors of the headers are reported at once',
    get('/depth', { 'X-Tag': 'a' }),
    respondsWith(400, {
      json: {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'The header is invalid; "errors" says where and why.',
        errors: [{ in: 'header', name: 'X-Depth', detail: 'expected a value, got nothing' }],
      },
    }),
  ],
]

const basket = (given: object) => json({ session: 's', currency: 'EUR', ...given })
const cookie = (name: string, detail: string) => refuses(400, { in: 'cookie', name, detail })
const withCookies = (value: string) => get('/basket', { Cookie: value })

export const cookies: readonly Row[] = [
  ['a cookie; others are optional or have a default', withCookies('session=s'), basket({})],
  ['all of them', withCookies('visits=7; currency=USD; session=s'), basket({ visits: 7, currency: 'USD' })],
  ['no header', get('/basket'), cookie('session', 'expected a value, got nothing')],
  ['a missing cookie', withCookies('visits=7'), cookie('session', 'expected a value, got nothing')],
  ['the name of a cookie has a case', withCookies('Session=s'), cookie('session', 'expected a value, got nothing')],
  ['a name without = is no cookie', withCookies('session'), cookie('session', 'expected a value, got nothing')],
  ['an invalid cookie', withCookies('session=s; visits=many'), cookie('visits', integer)],
  ['an empty optional cookie', withCookies('session=s; visits='), cookie('visits', integer)],
  ['none of several values', withCookies('session=s; currency=eur'), cookie('currency', 'expected one of EUR, USD')],
  ['of two cookies with one name the first counts', withCookies('visits=1; session=s; visits=many'), basket({ visits: 1 })],
  ['a percent-encoded value', withCookies('session=%C3%A9%3B%20%25'), basket({ session: 'é; %' })],
  ['a value that is not percent-encoded UTF-8 stays as it is', withCookies('session=%ff%'), basket({ session: '%ff%' })],
  ['a quoted value', withCookies('session="s"'), basket({})],
  ['an unpaired quote', withCookies('session="s'), basket({ session: '"s' })],
  ['an encoded control character', withCookies('session=a%00%0D%0Ab'), basket({ session: 'a\0\r\nb' })],
  ['other cookies are ignored', withCookies('__proto__=1; constructor=2; __Host-session=t; session=s; =; ;;x'), basket({})],
  ['cookies where none is declared are ignored', get('/points/1/2', { Cookie: 'x="; session=%' }), json({ x: 1, y: 2 })],
  [
    'all errors of the cookies are reported at once',
    withCookies('visits=many'),
    respondsWith(400, {
      json: {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'The cookie is invalid; "errors" says where and why.',
        errors: [
          { in: 'cookie', name: 'session', detail: 'expected a value, got nothing' },
          { in: 'cookie', name: 'visits', detail: integer },
        ],
      },
    }),
  ],
  ['a response to cookies is for those that send them', withCookies('session=s'), respondsWith(200, { headers: { Vary: 'Cookie' } })],
]
