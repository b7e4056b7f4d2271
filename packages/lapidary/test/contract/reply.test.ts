/** Replies of a range of statuses: what a handler may send, what a client gets, and what documents say. */
import { endpoint, group, HttpError, noContent, ok, reply, text } from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const Missing = z.object({ missing: z.string() })
const Mistake = z.object({ mistake: z.string() })
const Fault = z.object({ fault: z.string() })

const api = {
  get: endpoint('GET /a/:status', {
    response: ok(text),
    errors: [
      reply(404, Missing),
      reply('4XX', Mistake, { description: 'The request is wrong.' }),
      reply('default', Fault, { headers: { 'X-Fault': text } }),
    ],
  }),
}

const server = serve(api, {
  get: ({ params: { status }, fail }) => {
    if (status === '404') return fail(404, { body: { missing: 'a' } })
    if (status === '418') return fail(418, { body: { mistake: 'b' } })
    if (status === '503') return fail(503, { body: { fault: 'c' }, headers: { 'X-Fault': 'd' } })
    return status
  },
})
const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> => Promise.resolve(server.fetch(new Request(url, init)))
const call = client(api, 'http://test', { fetch, retries: 0 })

const getError = async (status: string): Promise<unknown> => {
  const error: unknown = await call.get({ params: { status } }).catch((caught: unknown) => caught)
  return error
}

describe('an error of a range', () => {
  test.each([
    ['404', { missing: 'a' }],
    ['418', { mistake: 'b' }],
    ['503', { fault: 'c' }],
  ])('%s is sent, and read, as it is declared', async (status, body) => {
    const error = await getError(status)
    expect(isDeclaredError(api.get, error)).toBe(true)
    expect(error).toMatchObject({ status: Number(status), body })
  })

  test('has the body of its range, and no other', async () => {
    const messages: string[] = []
    const broken = serve(
      api,
      {
        get: ({ params: { status } }) => {
          throw new HttpError(Number(status), { body: { fault: 'none of its range' } })
        },
      },
      { onError: (error) => void messages.push(String(error)) },
    )
    expect((await broken.fetch(new Request('http://test/a/422'))).status).toBe(500)
    expect(messages.join()).toContain('GET /a/:status threw an error 422 that is not as it declares it')
  })

  test('has any number as its status, and the body of its reply', async () => {
    const error = await getError('418')
    if (!isDeclaredError(api.get, error)) throw error
    expectTypeOf(error.status).toEqualTypeOf<number>()
    expectTypeOf(error.body).toEqualTypeOf<{ missing: string } | { mistake: string } | { fault: string }>()
  })

  test('is one response of a document', async () => {
    const { paths } = await openapi(api, { title: 'Test', version: '1' })
    const responses = paths['/a/{status}']?.get?.responses ?? {}
    expect(Object.keys(responses).filter((key) => !/^\d+$/.test(key))).toEqual(['4XX', 'default'])
    expect(responses['4XX']).toMatchObject({ description: 'The request is wrong.' })
    expect(responses['default']).toMatchObject({ description: 'Any other response' })
    const page = await markdown(await outline(api, { title: 'Test' }))
    expect(page).toContain('Status code 4XX (Other errors of the request): The request is wrong.')
    expect(page).toContain('Status code default (Any other response)')
  })

  test('of an endpoint stands before that of its group', () => {
    const one = endpoint('GET /a', { response: noContent, errors: [reply('4XX', Mistake)] })
    const { get } = group({ errors: [reply('4XX', Fault), reply('5XX', Fault)] }, { get: one })
    expect(get.errors.map(({ range, content }) => [range, content?.schema])).toEqual([
      ['4XX', Mistake],
      ['5XX', Fault],
    ])
  })
})

test('a range is no status of success', () => {
  const define = (): unknown => endpoint('GET /a', { response: reply('default', text) })
  expect(define).toThrow('GET /a: response has the range default. Move it to errors: a handler returns a response of one status.')
})

test('what is neither a status nor a range is refused', () => {
  expect(() => reply('3XX' as never)).toThrow(
    '3XX is not a valid status. Use an integer from 200 to 599; errors have 4XX, 5XX and default as well.',
  )
})
