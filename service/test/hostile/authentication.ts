/** Rows on authentication: no unusual Authorization header and no spelling of a protected path gives access. */
import { secrets } from './lint.ts'
import { get, head, hidden, post, type Row, served, where } from './row.ts'

/** Who has an account, and what the token is. The rows hold them in every way but the right one. */
export const ann = { name: 'ann', password: secrets[0] } as const
export const token: string = secrets[1]

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const right = base64(`${ann.name}:${ann.password}`)

/** No two count as attempts of one address: ten of those would be 429. */
const from = (index: number): string => `127.0.${2 + Math.floor(index / 200)}.${1 + (index % 200)}`

const challenge = 'Basic realm="people", charset="UTF-8"'
/** The one answer that all of them get, but for when. */
const refusal = 'the same 401'
const alike = (row: Row): Row =>
  where(row, ([reply]) => {
    const { title, detail } = JSON.parse(reply?.body.toString() || '{}') as { readonly title?: unknown; readonly detail?: unknown }
    if (reply?.headers.get('www-authenticate') !== challenge) return `not ${refusal}: ${reply?.headers.get('www-authenticate')}`
    return title === 'Unauthorized' && detail !== undefined ? undefined : `not ${refusal}: ${reply.body}`
  })

const values: readonly string[] = [
  '', 'Basic', 'Basic ', 'Basic\t', 'Basic  ', `Basic${right}`, `Basic:${right}`, `Basic=${right}`, `Basic, ${right}`, `Basic "${right}"`, `"Basic ${right}"`,
  `Basic ${right},`, `Basic ${right} x`, `Basic ${right}, Basic ${right}`, `Basic ${right}=`, `Basic ${right}====`, `Basic =${right}`, `Basic ${right.slice(0, -2)}`,
  `Basic ${right}\xff`, `Basic\xa0${right}`, `Basic ${encodeURIComponent(`${right}=`)}`, `Bearer ${right}`, `Digest ${right}`, `Negotiate ${right}`, `basi ${right}`,
  `BasicBasic ${right}`, `xBasic ${right}`, right, `${ann.name}:${ann.password}`, `Basic ${ann.name}:${ann.password}`, `Basic ${base64(right)}`,
  `Basic ${base64(ann.name)}`, `Basic ${base64(`${ann.name}:`)}`, `Basic ${base64(`:${ann.password}`)}`, `Basic ${base64(':')}`, `Basic ${base64('::')}`,
  `Basic ${base64(`${ann.name}:${ann.password}:`)}`, `Basic ${base64(`${ann.name}:${ann.password}\n`)}`, `Basic ${base64(`${ann.name}:${ann.password}\0`)}`,
  `Basic ${base64(`${ann.name}\0:${ann.password}`)}`, `Basic ${base64(` ${ann.name}:${ann.password}`)}`, `Basic ${base64(`${ann.name} :${ann.password}`)}`,
  `Basic ${base64(`${ann.name.toUpperCase()}:${ann.password}`)}`, `Basic ${base64(`${ann.name}:${ann.password.toUpperCase()}`)}`,
  `Basic ${base64(`${ann.name}:${ann.password.slice(0, -1)}`)}`, `Basic ${base64("ann' OR '1'='1:x")}`, `Basic ${base64('__proto__:x')}`, `Basic ${base64('constructor:x')}`,
  `Basic ${base64('*:*')}`, `Basic ${base64('ann:[object Object]')}`, `Basic ${Buffer.from('ann:\xff', 'latin1').toString('base64')}`, `Basic ${base64('\ufeffann:x')}`,
  `Basic ${base64(`a${'n'.repeat(6_000)}:x`)}`, `Basic ${'A'.repeat(10_000)}`, `Basic ${'='.repeat(5_000)}`, `Basic ${' '.repeat(5_000)}`, 'null', 'undefined', '{}', '[]', '*',
] // biome-ignore format: a table

const bearers: readonly string[] = [
  '', 'Bearer', 'Bearer ', `Bearer${token}`, `Bearer  ${token} x`, `Bearer ${token},`, `Bearer "${token}"`, `Bearer ${token}\xff`, `Bearer ${token.slice(0, -1)}`, `Bearer ${token}a`,
  `Bearer ${token.toUpperCase()}`, `Bearer ${encodeURIComponent(`${token}/`)}`, `Bearer ${base64(token)}`, `Basic ${base64(token)}`, `Basic ${base64(`:${token}`)}`, `Token ${token}`, token,
  `Bearer ${token}, Bearer ${token}`, `Bearer ${'a'.repeat(10_000)}`, 'Bearer null', 'Bearer undefined', 'Bearer true', 'Bearer 0', 'Bearer []',
] // biome-ignore format: a table

/** Guarded paths, spelled otherwise: the guard and the router read one and the same path. */
const spellings: readonly string[] = [
  '/users/list-all/', '/users//list-all', '//users/list-all', '/./users/list-all', '/users/./list-all', '/users/../users/list-all', '/users/%2e/list-all', '/%75sers/list-all',
  '/users/list%2Dall', '/users/%6cist-all', '/users/%6Cist-all', '/users%2flist-all', '/users%2Flist-all', '/users%5clist-all', '/users\\list-all', '/users/list-all%00',
  '/users/list-all%20', '/users/list-all;a=b', '/users/list-all.json', '/users/list-all?', '/users/list-all?a=b', '/users/list-all?/../..', '/users/list-all#a', '/Users/list-all',
  '/USERS/LIST-ALL', '/users/list-all%2f', '/users/list-all/.', '/users/list-all/..', '/users/list-all/../list-all', '/users/%256cist-all', '/users/list-all%3f', '/static/../users/list-all',
  '/hello/../users/list-all', '/list-all/users/', '/list-all/./users', '/%6cist-all/users', 'http://other.invalid/users/list-all', 'HTTP://localhost/users/list-all', '/ſecret', '/%53ecret', '/%73ecret', '/secret/',
  '/secret?access_token=token-of-hostile', '/users/list-all?authorization=Basic',
].map((target) => target.replaceAll('ſ', '%C5%BF')) // biome-ignore format: a table

export const authentication: readonly Row[] = [
  ...values.map((value, index) => ({
    ...alike(
      served(
        `Authorization: ${JSON.stringify(value.slice(0, 40))} (${value.length})`,
        get('/users/list-all', `Authorization: ${value}`),
        401,
      ),
    ),
    from: from(index),
  })),
  ...bearers.map((value) =>
    served(
      `Authorization: ${JSON.stringify(value.slice(0, 40))} (${value.length}) for the secret`,
      get('/secret', `Authorization: ${value}`),
      401,
    ),
  ),
  ...spellings.map((target) => served(`${target} without credentials`, get(target), [400, 401, 404])),
  ...spellings.map((target) => served(`HEAD ${target} without credentials`, head(`HEAD ${target}`), [400, 401, 404])),
  alike(served('no credentials', get('/users/list-all'), 401)),
  alike(served('two lines of credentials', get('/users/list-all', `Authorization: Basic ${right}`, `Authorization: Basic ${right}`), 401)),
  alike(served('the credentials of a proxy', get('/users/list-all', `Proxy-Authorization: Basic ${right}`), 401)),
  served(
    'the credentials of an earlier client, on one connection',
    get('/users/list-all', `Authorization: Basic ${right}`) + get('/users/list-all'),
    200,
    401,
  ),
  served(
    'right ones behind wrong ones',
    get('/users/list-all', 'Authorization: x') + get('/users/list-all', `Authorization: Basic ${right}`),
    401,
    200,
  ),
  served('the token', get('/secret', `Authorization: Bearer ${token}`), 200),
  served('a body without credentials is never read as a request', post('/secret', 'application/json', hidden) + get('/hello'), 401, 200),
  served('OPTIONS needs none', head('OPTIONS /users/list-all'), 204),
]
