/** The Accept header of a check: a server of another program may choose the media type by it. */
import { checkServer, rules } from '@lapidary/testing'
import { type Api, endpoint, noContent, ok, reply, text } from 'lapidary'
import { setConventions } from 'lapidary/internal'
import { listen } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { acceptRule } from '../../src/check/rules/invalidRequests.ts'

const Stone = z.object({ name: z.string() })
const own = endpoint('GET /stones', { response: ok(Stone), errors: [reply(409, text), reply(422, Stone)] })
const foreign = setConventions(own, false)

/** A server that sends JSON only to a client that names it, and the values of Accept that it got with GET. */
async function startNegotiatingServer(): Promise<{ readonly url: string; readonly accepts: Set<string | undefined> }> {
  const accepts = new Set<string | undefined>()
  const server: HttpHandler = (request) => {
    const accept = request.header('accept')
    if (request.method === 'GET') accepts.add(accept)
    return accept?.includes('application/json')
      ? { status: 200, headers: ['Content-Type', 'application/json'], body: '{"name":"Agate"}' }
      : { status: 200, headers: ['Content-Type', 'text/html'], body: 'Agate' }
  }
  const { url, close } = await listen(server, { onError: () => {} })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return { url, accepts }
}

const check = (api: Api, url: string, options: Parameters<typeof checkServer>[2] = {}): ReturnType<typeof checkServer> =>
  checkServer(api, url, {
    ...{ requests: 60, seed: 1, lenient: true, fallback: true },
    rules: rules.filter(({ name }) => name !== acceptRule.name),
    ...options,
  })

test('Accept names each declared media type once, of success and of errors, where another program has written the description', async () => {
  const { url, accepts } = await startNegotiatingServer()
  const { failures } = await check({ stones: foreign }, url)
  expect([...accepts]).toEqual(['application/json, text/plain'])
  expect(failures.filter(({ rule }) => rule === 'content-type')).toEqual([])
})

test('a curl command has the Accept of its request', async () => {
  const { url } = await startNegotiatingServer()
  const odd = setConventions(endpoint('GET /stones', { response: ok(z.object({ name: z.literal('Opal') })) }), false)
  const { failures } = await check({ stones: odd }, url)
  expect(failures[0]?.curl).toContain("-H 'Accept: application/json'")
})

test('a header of the caller stands in its place', async () => {
  const { url, accepts } = await startNegotiatingServer()
  await check({ stones: foreign }, url, { headers: { accept: 'application/json;q=0.9' } })
  expect([...accepts]).toEqual(['application/json;q=0.9'])
})

test('the rule about Accept sends its own: each declared type, and an unknown one', async () => {
  const { url, accepts } = await startNegotiatingServer()
  const { failures } = await check({ stones: foreign }, url, { rules: [acceptRule] })
  expect([...accepts]).toEqual(['application/x-no-such-type', 'application/json'])
  expect(failures.map(({ rule, violation }) => [rule, violation])).toEqual([
    ['accept', 'Accept is application/x-no-such-type: expected 406, got 200'],
  ])
})

test('a server of the toolkit gets no Accept, nor does one whose document declares no body', async () => {
  const { url, accepts } = await startNegotiatingServer()
  await check({ stones: own }, url)
  await check({ stones: setConventions(endpoint('GET /stones', { response: noContent }), false) }, url)
  expect([...accepts]).toEqual([undefined])
})
