/** Every operation of the service, called with nothing but the types that its OpenAPI document gives; in an order that finds what it needs. */
import { deepEqual, equal, match } from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './document.js'

type Methods<Item> = {
  [Method in keyof Item & string]: Item[Method] extends { responses: object } ? Uppercase<Method> : never
}[keyof Item & string]

/** The operations of the document: `GET /users/{userid}`. Without one of them the table does not compile. */
export type Operation = { [Path in keyof paths & string]: `${Methods<paths[Path]>} ${Path}` }[keyof paths & string]

const { SERVICE: baseUrl = '', ACCOUNT = '', TOKEN = '' } = process.env

export const call = createClient<paths>({ baseUrl })
const { GET, POST, PUT, DELETE } = call

const people = { Authorization: `Basic ${Buffer.from(ACCOUNT).toString('base64')}` }
const knower = { Authorization: `Bearer ${TOKEN}` }

const ada = { name: 'Ada Lovelace', age: 36, email: 'ada@example.org', registration_date: '1833-06-05' }
const client = { clientName: 'Alp', clientEmail: 'alp@foo.com', clientAge: 26, clientInterestedIn: ['haskell', 'mathematics'] }

/** Sent as they are: what the client sends otherwise is JSON. */
const asText = { headers: { 'Content-Type': 'text/plain' }, bodySerializer: String }
const asBytes = {
  headers: { 'Content-Type': 'application/octet-stream' },
  bodySerializer: (body: unknown) => body as Uint8Array<ArrayBuffer>,
}
const asForm = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  bodySerializer: (body: Readonly<Record<string, unknown>>) => {
    const pairs = new URLSearchParams()
    for (const [name, values] of Object.entries(body)) for (const value of [values].flat()) pairs.append(name, String(value))
    return pairs
  },
}

const textAs = (type: string) => ({ parseAs: 'text', headers: { Accept: type } }) as const

/** The name of the user with this identifier. */
async function nameOf(id: number): Promise<string | undefined> {
  const { data } = await GET('/user/{userid}', { params: { path: { userid: id } } })
  return data?.name
}

export const operations: { readonly [Name in Operation]: () => Promise<void> } = {
  'GET /position/{x}/{y}': async () => {
    const { data } = await GET('/position/{x}/{y}', { params: { path: { x: 1, y: -2 } } })
    deepEqual([data?.xCoord, data?.yCoord], [1, -2])
  },
  'GET /hello': async () => {
    const { data } = await GET('/hello', { params: { query: { name: 'Ann & Ben' } } })
    equal(data?.msg, 'Hello, Ann & Ben')
  },
  'POST /marketing': async () => {
    const { data: one } = await POST('/marketing', { body: client })
    const { data: other } = await POST('/marketing', { body: client, ...asForm })
    equal(one?.subject, 'Hey Alp, we miss you!')
    deepEqual(other, one)
  },
  'GET /users': async () => {
    const { data, response } = await GET('/users', { params: { query: { sortby: 'name' } } })
    equal(data?.[0]?.name, 'Albert Einstein')
    equal(response.headers.get('User-Count'), '3')
  },
  'POST /users': async () => {
    const { response } = await POST('/users', { body: ada })
    equal(response.headers.get('Location'), '/users/4')
  },
  'GET /users/{userid}': async () => {
    const { data } = await GET('/users/{userid}', { params: { path: { userid: 4 } } })
    equal(data?.registration_date, '1833-06-05')
  },
  'PUT /users/{userid}': async () => {
    await PUT('/users/{userid}', { params: { path: { userid: 4 } }, body: { ...ada, name: 'Augusta Ada King' } })
    equal(await nameOf(4), 'Augusta Ada King')
  },
  'DELETE /users/{userid}': async () => {
    await DELETE('/users/{userid}', { params: { path: { userid: 4 } } })
    equal(await nameOf(4), undefined)
  },
  'GET /users/list-all': async () => {
    const { data } = await GET('/users/list-all', { headers: people })
    equal(data?.length, 3)
  },
  'GET /list-all/users': async () => {
    const { data } = await GET('/list-all/users', { headers: people })
    equal(data?.length, 3)
  },
  'GET /user/{userid}': async () => equal(await nameOf(3), 'Marie Curie'),
  'DELETE /user/{userid}': async () => {
    await DELETE('/user/{userid}', { params: { path: { userid: 3 } } })
    equal(await nameOf(3), undefined)
  },
  'GET /isaac': async () => equal((await GET('/isaac')).data?.age, 372),
  'GET /albert': async () => equal((await GET('/albert')).data?.age, 136),
  'GET /userStream': async () => {
    const { data: lines } = await GET('/userStream', textAs('application/x-ndjson'))
    const { data: same } = await GET('/userStream', textAs('application/jsonl'))
    equal(lines?.trimEnd().split('\n').length, 3)
    equal(same, lines)
  },
  'GET /products': async () => {
    const { data } = await GET('/products')
    deepEqual(
      data?.map(({ productId }) => productId),
      [1, 2, 3],
    )
  },
  'POST /products': async () => {
    const { response } = await POST('/products', { body: { productId: 9 } })
    equal(response.headers.get('Location'), '/products/9')
  },
  'PUT /products/{productid}': async () => {
    await PUT('/products/{productid}', { params: { path: { productid: 9 } }, body: { productId: 9, name: 'a lamp' } })
  },
  'GET /products/{productid}': async () => {
    const { data } = await GET('/products/{productid}', { params: { path: { productid: 9 } } })
    equal(data?.name, 'a lamp')
  },
  'DELETE /products/{productid}': async () => {
    await DELETE('/products/{productid}', { params: { path: { productid: 9 } } })
  },
  'GET /persons': async () => {
    // Of two types, and only the header distinguishes them.
    const { data } = await GET('/persons')
    equal(typeof data === 'object' && data[0]?.lastName, 'Newton')
    match((await GET('/persons', textAs('text/html'))).data ?? '', /<td>Newton<\/td>/)
  },
  'GET /myfile.txt': async () => equal((await GET('/myfile.txt')).data?.content, 'The text of the file.\n'),
  'GET /headers/int': async () => equal((await GET('/headers/int')).response.headers.get('X-An-Int'), '1797'),
  'GET /headers/both': async () => equal((await GET('/headers/both')).response.headers.get('X-A-Bool'), 'true'),
  'GET /headers/maybe/{withHeader}': async () => {
    const { response } = await GET('/headers/maybe/{withHeader}', { params: { path: { withHeader: true } } })
    equal(response.headers.get('X-An-Int'), '1797')
  },
  'POST /secret': async () => {
    await POST('/secret', { headers: knower, body: { secret: 'It rains.' } })
  },
  'GET /secret': async () => {
    const { data } = await GET('/secret', { headers: knower })
    equal(data?.at(-1)?.secret, 'It rains.')
  },
  'POST /echo/json': async () => {
    const { data } = await POST('/echo/json', { body: [1, { two: null }] })
    deepEqual(data, [1, { two: null }])
  },
  'POST /echo/text': async () => {
    const { data } = await POST('/echo/text', { body: 'Grüße', ...asText, parseAs: 'text' })
    equal(data, 'Grüße')
  },
  'POST /echo/form': async () => {
    const { data } = await POST('/echo/form', { body: { tag: ['a', 'b'] }, ...asForm })
    deepEqual(data?.['tag'], ['a', 'b'])
  },
  'POST /echo/bytes': async () => {
    const { data } = await POST('/echo/bytes', { body: Uint8Array.of(0, 255), ...asBytes, parseAs: 'arrayBuffer' })
    deepEqual(new Uint8Array(data ?? new ArrayBuffer(0)), Uint8Array.of(0, 255))
  },
  'GET /echo/query': async () => {
    const { data } = await GET('/echo/query', { params: { query: { tag: ['a', 'b'], loud: true } } })
    deepEqual([data?.tag, data?.loud], [['a', 'b'], true])
  },
  'GET /echo/unavailable': async () => {
    const { response } = await GET('/echo/unavailable', { parseAs: 'text' })
    equal(response.headers.get('Retry-After'), '1')
  },
  'GET /colors': async () => {
    const { data, response } = await GET('/colors', { params: { header: { Range: 'rgb; limit 2' } } })
    equal(data?.length, 2)
    equal(response.headers.get('Total-Count'), '148')
  },
  'GET /health/live': async () => equal((await GET('/health/live')).data?.status, 'up'),
  'GET /health/ready': async () => equal((await GET('/health/ready')).data?.status, 'ready'),
  'GET /openapi.json': async () => {
    const { data } = await GET('/openapi.json')
    match(JSON.stringify(data), /^\{"openapi":"3\.1/)
  },
  'GET /': async () => match((await GET('/', textAs('text/html'))).data ?? '', /<html/),
}
