/** What a client gets. The server listens as soon as its file is loaded: on a free port, so that one that runs already is left alone. */
import { client } from 'lapidary/client'
import { expect, test } from 'vitest'

process.env['PORT'] = '0'
const { api, server } = await import('../server.ts')

const send = (path: string, init?: RequestInit) => server.fetch(new Request(`http://hello.example${path}`, init))

test('it greets by name', async () => {
  const call = client(api, 'http://hello.example', { fetch: server.fetch })
  expect(await call.hello({ query: { name: 'Ann' } })).toEqual({ msg: 'Hello, Ann' })
  expect(await call.hello()).toEqual({ msg: 'Hello, anonymous coward' })
})

test('it knows the methods of its paths', async () => {
  const response = await send('/hello', { method: 'DELETE' })
  expect([response.status, response.headers.get('Allow')]).toEqual([405, expect.stringContaining('GET')])
  expect((await send('/hello', { method: 'HEAD' })).status).toBe(200)
  expect((await send('/goodbye')).status).toBe(404)
})
