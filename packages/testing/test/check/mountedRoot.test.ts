/** `mount('/')`: the fallback of a description. `check` knows it, without an option. */
import { checkServer, diff, manifest } from '@lapidary/testing'
import { endpoint, int, mount, ok, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'

const page = { status: 200, headers: ['Content-Type', 'text/plain'], body: 'A page.' }
const described = { stone: endpoint('GET /stones/:id', { params: { id: int }, response: ok(text) }) }
const api = { ...described, pages: mount('/') }
const server = serve(api, { stone: ({ params }) => `${params.id}`, pages: () => page })

const send = async (method: string, path: string) => {
  const response = await server.fetch(new Request(`http://test.invalid${path}`, { method }))
  return [response.status, response.headers.get('allow'), response.status === 200 ? await response.text() : '']
}

test('it takes the paths that no endpoint has, and no others', async () => {
  expect(await send('GET', '/')).toEqual([200, null, 'A page.'])
  expect(await send('GET', '/stones/1/more')).toEqual([200, null, 'A page.'])
  expect(await send('DELETE', '/a%2Fb')).toEqual([200, null, 'A page.'])
  expect(await send('GET', '/stones/7')).toEqual([200, null, '7'])
  expect(await send('GET', '/stones/seven')).toEqual([400, null, ''])
  expect(await send('DELETE', '/stones/7')).toEqual([405, 'GET, HEAD, OPTIONS', ''])
})

test('check expects no 404 of a path that it takes, and still 405 and 400', async () => {
  const { url, close } = await listen(server)
  expect((await checkServer(api, url, { requests: 200, seed: 1 })).failures).toEqual([])
  const { failures } = await checkServer(described, url, { requests: 200, seed: 1 })
  expect(failures.map(({ rule }) => rule)).toContain('not-found')
  const hidden = await listen(serve(described, { stone: () => '7' }, { fallback: () => page }))
  const found = (await checkServer(api, hidden.url, { requests: 200, seed: 1 })).failures
  expect(found.map(({ rule }) => rule)).toContain('methods')
  await Promise.all([close({ drain: 0 }), hidden.close({ drain: 0 })])
})

test('diff knows it', () => {
  expect(diff(manifest(api), manifest(described)).map(({ endpoint: name, change }) => [name, change])).toEqual([['pages', 'removed']])
})
