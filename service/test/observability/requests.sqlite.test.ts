/** The id of a request in the response, the log and the problem details, and no secrets in the log. */
import { connect } from 'node:net'
import { listen } from 'lapidary/node'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { observeRequests } from '../../src/observability/requests.ts'
import { createServers } from '../../src/server.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/store.ts'
import { exchange, send, withHeaders, withJson } from '../specification/send.ts'
import { folderWithLargeFile, largeFileSize } from '../support/download.ts'
import { folderOfTest, type Process, serviceProcess } from '../support/service.ts'

const free = { PORT: '0', DATABASE_URL: 'sqlite:service.db', SHUTDOWN_GRACE_MS: '100' }
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function served(environment: Readonly<Record<string, string>> = {}): Promise<Process & { readonly base: string }> {
  const service = serviceProcess(['main'], { ...free, ...environment }, folderOfTest())
  return { ...service, base: await service.listening('main') }
}

test('every response has a request id, which is also in the log line', async () => {
  const { base, line } = await served()
  const named = ['abc', 'A.b_c-1', 'x'.repeat(64)]
  const unnamed = ['x'.repeat(65), '', 'a b', 'a;b', 'a,b', 'é', '"']
  for (const given of [...named, ...unnamed]) {
    const { headers } = await send(base, withHeaders('GET /hello', { 'X-Request-Id': Buffer.from(given).toString('latin1') }))
    if (named.includes(given)) expect(headers['x-request-id']).toBe(given)
    else expect(headers['x-request-id']).toMatch(uuid)
    await line(({ requestId }) => requestId === headers['x-request-id'])
  }
  const twice = await send(base, withHeaders('GET /hello', { 'X-Request-Id': ['a', 'b'] }))
  expect(twice.headers['x-request-id']).toMatch(uuid)
  const lines = [
    'HEAD /hello',
    'OPTIONS /hello',
    'GET /nowhere',
    'PUT /hello',
    'GET /position/a/b',
    'GET /users/list-all',
    'GET /userStream',
    'GET /echo/unavailable',
    'GET /static/none',
    'DELETE /user/1',
    'GET /%',
  ]
  for (const one of lines)
    expect([one, (await send(base, withHeaders(one, { 'X-Request-Id': 'named' }))).headers['x-request-id']]).toEqual([one, 'named'])
})

test('the log contains the trace of a request, unless its traceparent is invalid', async () => {
  const { base, line } = await served()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const sound = await send(base, withHeaders('GET /hello', { traceparent: `00-${traceId}-b7ad6b7169203331-01` }))
  expect(await line(({ requestId }) => requestId === sound.headers['x-request-id'])).toMatchObject({ traceId })
  const unsound = await send(base, withHeaders('GET /hello', { traceparent: `00-${traceId}-0000000000000000-01` }))
  expect(await line(({ requestId }) => requestId === unsound.headers['x-request-id'])).not.toHaveProperty('traceId')
})

test('a client that disconnects is logged then, with the bytes sent to it', async () => {
  const { listening, line } = serviceProcess(['main'], free, folderWithLargeFile())
  const { port } = new URL(await listening('main'))
  const client = connect(Number(port), '127.0.0.1', () =>
    client.write('GET /static/large.bin HTTP/1.1\r\nHost: a\r\nX-Request-Id: leaver\r\n\r\n'),
  )
  client.once('data', () => client.destroy())
  const logged = await line(({ requestId }) => requestId === 'leaver')
  expect(logged).toMatchObject({ route: '/static', status: 200, outcome: 'aborted' })
  expect(logged['bytes']).toBeLessThan(largeFileSize)
})

test('a 500 contains the request id of the log line with the error', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) })
  const store = await openStore('sqlite::memory:')
  onTestFinished(async () => store.close())
  const broken = {
    ...store,
    persons: {
      all: () => {
        throw new Error('planted')
      },
    },
  } // nothing else of it is asked
  const { main } = await createServers(
    {
      settings: readSettings({ WORKING_DIR: folderOfTest() }),
      store: broken,
      log,
    },
    { main: observeRequests('main', { log }) },
  )
  const { url, close } = await listen(main)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { status, headers, text } = await send(url, withHeaders('GET /persons?token=aSecret', { Accept: 'application/json' }))
  await vi.waitFor(() => expect(lines).toHaveLength(2), 10_000)
  const requestId = headers['x-request-id']
  expect([status, JSON.parse(text)]).toEqual([500, expect.objectContaining({ requestId })])
  const about = { requestId, method: 'GET', target: '/persons?token=*', route: 'GET /persons' }
  expect(lines).toEqual([
    expect.objectContaining({ ...about, msg: 'unexpected error', err: expect.objectContaining({ message: 'planted' }) }),
    expect.objectContaining({ ...about, msg: 'request', status: 500 }),
  ])
})

test('no level of the log contains a secret of any part of a request', async () => {
  const secret = 'aSecret'
  const { base, child, ended } = await served({ SECRET_TOKEN: `${secret}Token`, LOG_LEVEL: 'trace' })
  const encoded = btoa(`${secret}:${secret}`)
  const everywhere = {
    'X-Request-Id': `${secret} `.repeat(2),
    traceparent: secret,
    tracestate: `${secret}=1`,
    Cookie: `session=${secret}`,
    Referer: `http://${secret}/`,
    'User-Agent': secret,
    'X-Api-Key': secret,
    Accept: `application/${secret}, */*`,
  }
  const credentials = [`Bearer ${secret}Token`, `Bearer ${secret}`, `Basic ${encoded}`, `Basic ${secret}`, `${secret} ${secret}`, secret]
  for (const Authorization of credentials)
    for (const line of ['GET /secret', 'GET /users/list-all', 'GET /hello', 'GET /nowhere'])
      await send(base, withHeaders(`${line}?${secret}&name=${secret}&${secret.toLowerCase()}`, { ...everywhere, Authorization }))
  const bodies = [{ secret }, { [secret]: secret }, secret, [secret]]
  for (const body of bodies)
    for (const line of ['POST /secret', 'POST /users', 'POST /marketing', 'POST /echo/json', 'POST /products'])
      await send(base, withJson(`${line}?q=${secret}`, body, { ...everywhere, Authorization: `Bearer ${secret}Token` }))
  await send(base, { line: 'POST /echo/json', headers: { 'Content-Type': 'application/json' }, body: `{"${secret}": ${secret}}` })
  await exchange(base, `GET http://${secret}:${secret}@host/hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  await exchange(base, `GET /hello HTTP/1.1\r\nHost: ${secret}\r\n${secret}\r\nConnection: close\r\n\r\n`)
  child.kill('SIGTERM')
  const { status, output, errors } = await ended
  expect(status).toBe(0)
  expect(output.split('\n').filter((line) => /asecret/i.test(line))).toEqual([])
  expect(output).not.toContain(encoded)
  expect(errors).toBe('')
  expect(output.split('"msg":"request"')).toHaveLength(1 + credentials.length * 4 + bodies.length * 5 + 2)
})

test('a log line is one line, for any input of a client', async () => {
  const { base, child, ended } = await served({ LOG_LEVEL: 'trace' })
  const nasty = ['%0D%0A{"forged":1}', '%00', '%1b[31m', '%E2%80%A8forged', '%C2%85', '\u001b[31m', '\u2028', '"}', '\\n']
  for (const text of nasty) {
    const raw = Buffer.from(text).toString('latin1')
    await exchange(
      base,
      `GET /nowhere/${raw}?${raw}=${raw} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${raw}\r\nX-Forwarded-For: ${raw}\r\nConnection: close\r\n\r\n`,
    )
  }
  child.kill('SIGTERM')
  const { output } = await ended
  // Some of them are refused by the parser, which logs nothing.
  expect(output.split('"msg":"request"').length).toBeGreaterThan(5)
  // What any reader of lines takes for the end of one.
  for (const line of output.trimEnd().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/))
    expect(JSON.parse(line)).toHaveProperty(line.includes('"event"') ? 'event' : 'level')
  for (const sign of ['\0', '\u001b']) expect(output).not.toContain(sign)
})
