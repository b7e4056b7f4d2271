/** Checks of endpoints that refuse captures that do not exist before they look at anything else, as a guard does. */
import { type CheckServerOptions, checkServer, formatReport } from '@lapidary/testing'
import { bearer, endpoint, errors, int, ok, optional, prefix, reply, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { authenticate, guard, type HttpHandler, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string().min(1).max(40) })
const robots = bearer<true>('robots')
const refusals = { 403: errors.forbidden, 404: errors.notFound }

/** An API whose group is guarded, and its server, which has one organization. */
function guarded(status: 403 | 404, isDeclared = false, onList = (_least?: number): void => {}) {
  const shared = { errors: isDeclared ? [reply(status)] : [] }
  const least = { query: { least: optional(int) } }
  const orgs = prefix('/orgs/:org', {
    list: endpoint('GET /stones', { ...least, ...shared, response: ok(z.array(Stone)) }),
    add: endpoint('POST /stones', { ...shared, body: Stone, response: ok(Stone) }),
    one: endpoint('GET /stones/:id', { ...least, ...shared, params: { id: int }, response: ok(Stone) }),
    secret: endpoint('GET /secret', { ...shared, auth: robots, response: ok(text) }),
  })
  const api = { ping: endpoint('GET /ping', { response: ok(text) }), orgs }
  const handlers = guard(
    orgs,
    ({ params: { org } }) => {
      if (org !== 'acme') throw refusals[status]()
    },
    {
      list: ({ query }) => {
        onList(query.least)
        return [{ name: 'Agate' }]
      },
      add: ({ body }) => body,
      one: () => ({ name: 'Agate' }),
      secret: () => 'opal',
    },
  )
  const auth = [authenticate(robots, (token) => (token === 'opal-key' ? true : undefined))]
  return { api, server: serve(api, { ping: () => 'pong', orgs: handlers }, { auth, onError: () => {} }) }
}

async function check({ api, server }: { api: ReturnType<typeof guarded>['api']; server: HttpHandler }, options: CheckServerOptions = {}) {
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return checkServer(api, url, { requests: 300, seed: 1, write: true, ...options })
}

test('the report says that an endpoint of another server has never responded with success', async () => {
  const api = { one: endpoint('GET /stones/:id', { params: { id: int }, response: ok(Stone), errors: [reply(404)] }) }
  const server = serve(api, {
    one: () => {
      throw errors.notFound()
    },
  })
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { failures, endpoints } = await checkServer(api, url, { requests: 300, seed: 1, lenient: true })
  expect(failures).toEqual([])
  expect(endpoints.map(({ skipReason }) => skipReason)).toEqual(['every request gets 404: give captures that exist: --capture id=…'])
})

test.each([403, 404] as const)('a guard that sends an undeclared %i is one failure, which names the cure', async (status) => {
  const report = await check(guarded(status), { credentials: { robots: 'opal-key' } })
  expect(report.failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation])).toEqual([
    [
      'orgs.list',
      'status',
      `expected one of the declared statuses (200), got ${status}, as every request does: give captures that exist: --capture org=…`,
    ],
  ])
  const [list, one] = ['orgs.list', 'orgs.one'].map((name) => report.endpoints.find(({ endpoint: other }) => other === name))
  expect(list?.skipReason).toBe(`every request gets ${status}: give captures that exist: --capture org=…`)
  expect(list?.notTested).toEqual(expect.arrayContaining(['query', 'percent-encoding', 'accept', 'valid-requests']))
  expect(list?.notTested.filter((rule) => rule === 'status' || list.passed.includes(rule))).toEqual([])
  expect(list?.passed).toEqual(expect.arrayContaining(['problem', 'methods', 'options']))
  expect(one?.skipReason).toBe(`every request gets ${status}, as those of orgs.list`)
  expect(one?.passed).toContain('captures')
  expect(report.endpoints.find(({ endpoint: name }) => name === 'ping')?.notTested).toEqual([])
  const all = report.endpoints.reduce((sum, { notTested }) => sum + notTested.length, 0)
  expect(formatReport(report)).toMatch(new RegExp(`1 fault at 1 place\\. \\d+ rules passed\\. ${all} were not tested\\. `))
})

test.each([403, 404] as const)('a declared %i of a guard is no failure, and the rules behind it are not tested', async (status) => {
  const report = await check(guarded(status, true))
  expect(report.failures).toEqual([])
  const { skipReason, passed, notTested } = report.endpoints.find(({ endpoint: name }) => name === 'orgs.add') ?? {}
  expect(skipReason).toBe(`every request gets ${status}: give captures that exist: --capture org=…`)
  expect(notTested).toEqual(expect.arrayContaining(['request-body', 'content-type', 'accept']))
  expect(passed).toContain('status')
  const secret = report.endpoints.find(({ endpoint: name }) => name === 'orgs.secret')
  // The credentials come before the guard.
  expect(secret?.skipReason).toBe('no credentials were given for it')
  expect(formatReport(report)).toMatch(/– GET \/orgs\/:org\/stones .* not tested, /)
  expect(formatReport(report)).toMatch(/\n\d+ rules passed\. \d+ were not tested\. /)
})

test('captures that exist are in every request, and all rules are tested', async () => {
  const { api, server } = guarded(404)
  const targets: string[] = []
  const seen: HttpHandler = (request) => {
    targets.push(request.target)
    return server(request)
  }
  const options = { requests: 450, credentials: { robots: 'opal-key' }, captures: { org: 'acme', id: ['7', '8'] } }
  const report = await check({ api, server: seen }, options)
  expect(report.failures).toEqual([])
  expect(report.endpoints.filter(({ notTested, skipReason }) => notTested.length > 0 || skipReason !== '')).toEqual([])
  expect(targets.filter((target) => !/^\/(?:orgs\/acme\/|ping)/.test(target))).toEqual([])
  expect([...new Set(targets.flatMap((target) => /stones\/(\d)(?:\?|$)/.exec(target)?.[1] ?? []))].sort()).toEqual(['7', '8'])
  // The rule about captures still sends invalid ones.
  expect(targets.some((target) => target.startsWith('/orgs/acme/stones/x'))).toBe(true)
})

test('a fault is found behind captures that exist, and a declared error is no answer to an invalid request there', async () => {
  const captures = { org: 'acme', id: '7' }
  const failing = guarded(404, false, (least = 0) => {
    if (least >= 10) throw new Error('planted')
  })
  const { failures } = await check(failing, { captures })
  expect(failures.map(({ endpoint: name, rule }) => [name, rule])).toEqual([['orgs.list', 'no-server-error']])
  expect(failures[0]?.curl).toMatch(/\/orgs\/acme\/stones\?least=[1-9]\d/)
  const { failures: refused } = await check(guarded(404, true), { captures: { ...captures, org: 'other' } })
  expect(refused).toContainEqual(
    expect.objectContaining({ endpoint: 'orgs.list', rule: 'query', violation: 'least is "": expected 400, got 404' }),
  )
  const { failures: mistyped } = await check(guarded(404), { captures: { ...captures, org: 'other' } })
  expect(mistyped.map(({ violation }) => violation)).toEqual([
    expect.stringMatching(/as every request does: do the given captures exist\?$/),
  ])
})

test('a handler that sends an undeclared 404 fails, and the rules before it are tested', async () => {
  const api = { one: endpoint('GET /stones/:id', { params: { id: int }, query: { least: optional(int) }, response: ok(Stone) }) }
  const server = serve(api, {
    one: () => {
      throw errors.notFound()
    },
  })
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { endpoints } = await checkServer(api, url, { requests: 200, seed: 1 })
  expect(endpoints).toEqual([
    expect.objectContaining({
      notTested: [],
      skipReason: expect.stringMatching(/^no request succeeded: \d+ got 404; give captures that exist: --capture id=…$/),
      failures: [expect.objectContaining({ rule: 'status' })],
    }),
  ])
  expect(endpoints[0]?.passed).toEqual(expect.arrayContaining(['query', 'accept', 'captures']))
})

test('a capture that the API does not have, and a text that no codec accepts, are rejected', async () => {
  const { api } = guarded(404)
  const message = async (captures: NonNullable<CheckServerOptions['captures']>): Promise<unknown> =>
    checkServer(api, 'http://127.0.0.1:1', { captures }).then(String, (error: unknown) => String(error))
  expect(await message({ shop: 'a' })).toBe('TypeError: No endpoint of the API has a capture named "shop". Its captures: org, id.')
  expect(await message({ id: ['7', 'x'] })).toBe(
    'TypeError: No endpoint accepts "x" for the capture "id". Pass the text as it is in a URL of the server.',
  )
})
