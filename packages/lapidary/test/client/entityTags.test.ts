/** Entity tags in a client: a call returns them, and takes them as conditions. */
import { collection, endpoint, errors, isHttpError, noContent, ok, optional, prefix, text, withHeaders } from 'lapidary'
import { type Client, revalidate } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clients } from '../support/client/clients.ts'
import { thrown } from '../support/client/thrownError.ts'
import { type Connection, transports } from '../support/client/transports.ts'

describe.each(clients)('$kind', ({ createClient: client, isDeclared: isDeclaredError }) => {
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

  describe.each(transports)('$transport', ({ connect }) => {
    let connection: Connection
    let call: Client<typeof api>
    beforeAll(async () => {
      connection = await connect(server)
      call = client(api, connection.base, connection.options)
    })
    afterAll(() => connection.close())

    test('a resource is replaced on the condition that its tag is still the same', async () => {
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

    test('an optional condition can be omitted, and ETag is one of the response headers', async () => {
      await call.paint({ body: 'Closed' })
      const { body, headers } = await call.sign()
      expect([body, headers['X-Ink']]).toEqual(['Closed', 'red'])
      await call.paint({ body: 'Open', headers: { 'If-Match': headers.ETag } })
      expect(await thrown(() => call.paint({ body: 'Sold', headers: { 'If-None-Match': '*' } }))).toSatisfy((error) =>
        isHttpError(error, 412),
      )
      expect(sign).toBe('Open')
    })

    test('a client that has the current representation gets 304', async () => {
      const { headers } = await call.sign()
      const same = await thrown(() => call.sign({ headers: { 'If-None-Match': headers.ETag } }))
      expect(same).toSatisfy((error) => isHttpError(error, 304))
      expect(isDeclaredError(api.sign, same) && same.headers['etag']).toBe(headers.ETag)
    })

    test('revalidate returns the same object while the resource is the same', async () => {
      const first = await call.sign()
      const again = (known: typeof first): Promise<typeof first> => revalidate(known, (headers) => call.sign({ headers }))
      expect(await again(first)).toBe(first)
      sign = 'Sold'
      const second = await again(first)
      expect(second.body).toBe('Sold')
      expect(await again(second)).toBe(second)
    })

    test('revalidate throws other errors', async () => {
      const first = await call.stones.item(one)
      stone = undefined
      const error = await thrown(() => revalidate(first, (headers) => call.stones.item({ ...one, headers })))
      expect(isDeclaredError(api.stones.item, error) && error.status).toBe(404)
    })

    test('a request without a required condition gets 428, even if the types are bypassed', async () => {
      const error = await thrown(() => call.stones.remove(one as never))
      expect(error).toSatisfy((error) => isHttpError(error, 428))
      expect(isDeclaredError(api.stones.remove, error) && error.status).toBe(428)
    })
  })
})
