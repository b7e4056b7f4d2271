/** Entity tags in a client: it gets them, and gives them back, by their types. */
import { collection, endpoint, errors, isHttpError, noContent, ok, optional, prefix, text, withHeaders } from 'lapidary'
import { type Client, client, isDeclaredError, revalidate } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { thrown } from './client/thrownError.ts'
import { type Reached, ways } from './client/transports.ts'

const Stone = z.object({ name: z.string() })
const api = {
  stones: prefix('/stones', collection(Stone, { one: 'stone', all: 'stones', etag: 'required' })),
  sign: endpoint('GET /sign', { response: ok(text, { headers: { 'X-Ink': optional(text) } }), etag: true }),
  paint: endpoint('PUT /sign', { body: text, response: noContent, etag: 'optional' }),
}

let stone: z.infer<typeof Stone> | undefined
let sign: string
beforeEach(() => {
  stone = { name: 'Ruby' }
  sign = 'Open'
})

function found(id: number): z.infer<typeof Stone> {
  if (id !== 1 || stone === undefined) throw errors.notFound()
  return stone
}

const server = serve(api, {
  stones: {
    list: () => [],
    create: () => withHeaders(undefined, { Location: '/stones/1' }),
    item: ({ params }) => found(params.id),
    replace: ({ params, body, precondition }) => {
      precondition(found(params.id))
      stone = body
    },
    remove: ({ params, precondition }) => {
      precondition(found(params.id))
      stone = undefined
    },
  },
  sign: () => withHeaders(sign, { 'X-Ink': 'red' }),
  paint: ({ body, precondition }) => {
    precondition?.(sign)
    sign = body
  },
})

const one = { params: { id: 1 } }

describe.each(ways)('$way', ({ reach }) => {
  let reached: Reached
  let call: Client<typeof api>
  beforeAll(async () => {
    reached = await reach(server)
    call = client(api, reached.base, reached.options)
  })
  afterAll(() => reached.close())

  test('what is got with its tag is replaced on the condition that it is still there', async () => {
    const { body, headers } = await call.stones.item(one)
    const condition = { 'If-Match': headers.ETag }
    expect(body).toEqual({ name: 'Ruby' })
    await call.stones.replace({ ...one, headers: condition, body: { name: 'Opal' } })
    const late = await thrown(() => call.stones.replace({ ...one, headers: condition, body: { name: 'Agate' } }))
    expect(late).toSatisfy((error) => isHttpError(error, 412))
    expect(isDeclaredError(api.stones.replace, late) && late.status).toBe(412)
    expect(stone).toEqual({ name: 'Opal' })
    await call.stones.remove({ ...one, headers: { 'If-Match': (await call.stones.item(one)).headers.ETag } })
    expect(stone).toBe(undefined)
  })

  test('a condition may be left out where it is optional, and the tag stands beside the other headers', async () => {
    await call.paint({ body: 'Closed' })
    const { body, headers } = await call.sign()
    expect([body, headers['X-Ink']]).toEqual(['Closed', 'red'])
    await call.paint({ body: 'Open', headers: { 'If-Match': headers.ETag } })
    expect(await thrown(() => call.paint({ body: 'Sold', headers: { 'If-None-Match': '*' } }))).toSatisfy((error) =>
      isHttpError(error, 412),
    )
    expect(sign).toBe('Open')
  })

  test('a client that has the thing already is told so', async () => {
    const { headers } = await call.sign()
    const same = await thrown(() => call.sign({ headers: { 'If-None-Match': headers.ETag } }))
    expect(same).toSatisfy((error) => isHttpError(error, 304))
    expect(isDeclaredError(api.sign, same) && same.headers['etag']).toBe(headers.ETag)
  })

  test('what is revalidated is the same object while it is the same thing', async () => {
    const first = await call.sign()
    const again = (known: typeof first): Promise<typeof first> => revalidate(known, (headers) => call.sign({ headers }))
    expect(await again(first)).toBe(first)
    sign = 'Sold'
    const second = await again(first)
    expect(second.body).toBe('Sold')
    expect(await again(second)).toBe(second)
  })

  test('a revalidation that fails otherwise fails', async () => {
    const first = await call.stones.item(one)
    stone = undefined
    const error = await thrown(() => revalidate(first, (headers) => call.stones.item({ ...one, headers })))
    expect(isDeclaredError(api.stones.item, error) && error.status).toBe(404)
  })

  test('whoever goes round the types gets 428 where a condition is required', async () => {
    const error = await thrown(() => call.stones.remove(one as never))
    expect(error).toSatisfy((error) => isHttpError(error, 428))
    expect(isDeclaredError(api.stones.remove, error) && error.status).toBe(428)
  })
})
