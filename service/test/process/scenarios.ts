/** Valid clients: each scenario is one request or several, with the expected response of each. */
import { isDeepStrictEqual } from 'node:util'
import { ann as member, token } from '../hostile/authentication.ts'
import { albert, ann, marie } from '../specification/known.ts'
import type { Caller, CallerRequest, CallerResponse } from './caller.ts'

/** Throws where anything else came than it has to. `roll(n)` gives a whole number below n. */
export type Scenario = (caller: Caller, roll: (below: number) => number) => Promise<void>

/** What has to come: a status and, where it is given, the body as text or as JSON. */
async function expectResponse(caller: Caller, request: CallerRequest, status: number, body?: unknown): Promise<CallerResponse> {
  const response = await caller.send(request)
  const of = `${request.method ?? 'GET'} ${request.target.replaceAll(/\d+/g, '*')}`
  if (response.status !== status) throw new Error(`${of}: ${response.status} in place of ${status}`)
  const text = response.bytes.toString()
  if (body === undefined || text === body || (typeof body !== 'string' && isDeepStrictEqual(JSON.parse(text), body))) return response
  throw new Error(`${of}: ${status} with ${JSON.stringify(text.slice(0, 200))}`)
}

const json = { 'Content-Type': 'application/json' }
const withJson = (method: string, target: string, value: unknown): CallerRequest => ({
  method,
  target,
  headers: json,
  body: JSON.stringify(value),
})

/** Rows are written, read, marie and taken away again. */
const user: Scenario = async (caller) => {
  const { headers } = await expectResponse(caller, withJson('POST', '/users', ann), 201, '')
  const target = String(headers.location)
  await expectResponse(caller, { target }, 200, ann)
  await expectResponse(caller, withJson('PUT', target, marie), 204, '')
  await expectResponse(caller, { target }, 200, marie)
  await expectResponse(caller, { method: 'DELETE', target }, 204, '')
  await expectResponse(caller, { target }, 404)
}

const pages: Scenario = async (caller, roll) => {
  const limit = 5 + roll(40)
  const range = roll(2) === 0 ? `name; limit ${limit}` : `rgb; limit ${limit}; order desc`
  const first = await expectResponse(caller, { target: '/colors', headers: { Range: range } }, 206)
  const second = await expectResponse(caller, { target: '/colors', headers: { Range: String(first.headers['next-range']) } }, 206)
  const names = [first, second].flatMap(({ bytes }) => (JSON.parse(bytes.toString()) as { name: string }[]).map(({ name }) => name))
  if (new Set(names).size !== 2 * limit) throw new Error(`/colors, ${range}: ${new Set(names).size} colours on two pages`)
}

const file: Scenario = async (caller) => {
  const target = '/static/a.txt'
  const { headers } = await expectResponse(caller, { target }, 200, 'hello')
  const etag = String(headers.etag)
  await expectResponse(caller, { target, headers: { 'If-None-Match': etag } }, 304, '')
  await expectResponse(caller, { target, headers: { Range: 'bytes=1-3', 'If-Range': etag } }, 206, 'ell')
  await expectResponse(caller, { target, headers: { Range: 'bytes=9-' } }, 416, '')
  await expectResponse(caller, { method: 'HEAD', target }, 200, '')
}

const login: Scenario = async (caller) => {
  const target = '/list-all/users'
  const Authorization = `Basic ${btoa(`${member.name}:${member.password}`)}`
  await expectResponse(caller, { target, headers: { Authorization } }, 200)
  await expectResponse(caller, { target }, 401)
  await expectResponse(caller, { target: '/secret', headers: { Authorization: `Bearer ${token}` } }, 200)
}

const upload: Scenario = async (caller, roll) => {
  const body = Buffer.alloc(1 + roll(400_000), roll(256))
  const { bytes } = await expectResponse(
    caller,
    { method: 'POST', target: '/echo/bytes', headers: { 'Content-Type': 'application/octet-stream' }, body },
    200,
  )
  if (!bytes.equals(body)) throw new Error(`POST /echo/bytes: other bytes than the ${body.length} that were sent`)
  const pieces = Array.from({ length: 1 + roll(20) }, (_, index) => `${index} Zoë 🌍 `)
  const request = { method: 'POST', target: '/echo/text', headers: { 'Content-Type': 'text/plain' }, body: pieces }
  await expectResponse(caller, request, 200, pieces.join(''))
}

const leave =
  (target: string): Scenario =>
  async (caller) => {
    const status = await caller.leave(target)
    if (status !== 200) throw new Error(`${target}, left half-way: ${status} in place of 200`)
  }

/** By their names. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  hello: async (caller) => void (await expectResponse(caller, { target: '/hello?name=Zo%C3%AB' }, 200, { msg: 'Hello, Zoë' })),
  position: async (caller, roll) => {
    const [x, y] = [roll(1_000), roll(1_000) - 1_000]
    await expectResponse(caller, { target: `/position/${x}/${y}` }, 200, { xCoord: x, yCoord: y })
  },
  headers: async (caller) => void (await expectResponse(caller, { target: '/headers/both' }, 200, albert)),
  users: async (caller) => void (await expectResponse(caller, { target: '/users?sortby=name' }, 200)),
  persons: async (caller) => void (await expectResponse(caller, { target: '/persons', headers: { Accept: 'text/html' } }, 200)),
  ready: async (caller) => void (await expectResponse(caller, { target: '/health/ready' }, 200, { status: 'ready' })),
  page: async (caller) => void (await expectResponse(caller, { target: '/' }, 200)),
  user,
  pages,
  file,
  login,
  upload,
  stream: async (caller) => {
    const { bytes } = await expectResponse(caller, { target: '/userStream' }, 200)
    if (bytes.toString().split('\n').length !== 4) throw new Error(`/userStream: ${bytes.toString()}`)
  },
  'a stream left half-way': leave('/userStream'),
  'a file left half-way': leave('/static/huge.bin'),
}
