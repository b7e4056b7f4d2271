/** Through nginx a client gets the same responses. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createConnectionServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Nginx, startNginx } from '../../scripts/nginx.mjs'
import { findFreePort } from '../../scripts/ports.mjs'
import { type Color, colors, inOrder } from './specification/colors.ts'
import { comparable } from './specification/expected.ts'
import { type ReceivedResponse, type Sent, send, withBody, withHeaders, withJson } from './specification/send.ts'
import { type Replicas, replicas, withoutNginx } from './support/replicas.ts'

describe.skipIf(withoutNginx())('through nginx', () => {
  let it: Replicas
  let front: Nginx
  beforeAll(async () => {
    it = await replicas()
    front = await startNginx(it.all.map(({ urls }) => urls))
  })
  afterAll(async () => {
    await front?.stop()
    await it?.close()
  })

  /** As the service says it; the server's name is that of nginx. */
  const sendComparable = async (at: string, request: string | Sent): Promise<unknown> => {
    const { headers, ...rest } = comparable(await send(at, request))
    return { ...rest, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'server')) }
  }

  const sameTargets = [
    '/',
    '//',
    '//hello',
    '/hello//',
    '/hello/',
    '/./hello',
    '/a/%2e%2e/hello',
    '/users/../hello',
    '/hel%6Co',
    '/hel%6co?name=%41%2F..//',
    '/%2F',
    '/hello%2F',
    '/static/%2e%2e/x',
    '/static//x',
    '/hello?name=a%20b+c&name=d',
    '/hello?',
    '/a;b',
    '/%c0%af',
    '/position/%31/2',
  ]
  test.each(sameTargets)('GET %s has the same response as without nginx', async (target) => {
    const { main } = front.urls
    expect(await sendComparable(main, `GET ${target}`)).toEqual(await sendComparable(it.all[0].urls.main, `GET ${target}`))
  })

  test.each(['/../hello', '/%2e%2e/', '/%00', '/%zz'])('GET %s is rejected with and without nginx', async (target) => {
    expect((await send(front.urls.main, `GET ${target}`)).status).toBe(400)
    expect([400, 404]).toContain((await send(it.all[0].urls.main, `GET ${target}`)).status)
  })

  const sameRequests: readonly (string | Sent)[] = [
    `GET /hello?name=${'x'.repeat(10_000)}`,
    'HEAD /users',
    'OPTIONS /users/1',
    'DELETE /hello',
    'GET /users?sortby=age',
    'GET /userStream',
    'GET /echo/query?tag=a&tag=b&loud',
    withHeaders('GET /persons', { Accept: 'text/html' }),
    withHeaders('GET /persons', { Accept: 'image/png' }),
    withHeaders('GET /colors', { Range: 'hex; limit 3; order desc' }),
    withHeaders('GET /colors', { Range: 'nothing' }),
    'GET /users/list-all',
    withJson('POST /echo/json', { a: [1, 2, { b: null }] }),
    withBody('POST /echo/json', 'application/json', '{"a":'),
    withBody('POST /echo/text', 'text/plain', 'x'.repeat(1_048_576)),
    withBody('POST /echo/text', 'text/plain', 'x'.repeat(1_048_577)),
  ]
  test('other requests have the same responses as without nginx', async () => {
    const { main } = front.urls
    for (const request of sameRequests)
      expect(await sendComparable(main, request)).toEqual(await sendComparable(it.all[0].urls.main, request))
  })

  test('nginx rejects a much too large body', async () => {
    expect((await send(front.urls.main, withBody('POST /echo/text', 'text/plain', 'x'.repeat(3_000_000)))).status).toBe(413)
  })

  test('each deployment has its own port', async () => {
    const { pagination, docs } = front.urls
    for (const target of ['/colors', '/hello', '/nowhere']) {
      expect(await sendComparable(pagination, `GET ${target}`)).toEqual(await sendComparable(it.all[1].urls.pagination, `GET ${target}`))
      expect(await sendComparable(docs, `GET ${target}`)).toEqual(await sendComparable(it.all[1].urls.docs, `GET ${target}`))
    }
  })

  const nextRange = ({ headers }: ReceivedResponse): string | Sent | undefined =>
    headers['next-range'] === undefined ? undefined : withHeaders('GET /colors', { Range: headers['next-range'] })
  const nextLink = ({ headers }: ReceivedResponse): string | undefined => {
    const link = headers['link']?.match(/<([^>]*)>; rel="next"/)?.[1]
    return link === undefined ? undefined : `GET ${link}`
  }
  test.each([
    ['Next-Range', nextRange],
    ['Link', nextLink],
  ])('pages by %s visit each color once, on any replica', async (_name, next) => {
    const { main } = front.urls
    const names: string[] = []
    for (
      let request: string | Sent | undefined = withHeaders('GET /colors', { Range: 'rgb; limit 7; order asc' });
      request !== undefined;
    ) {
      const response = await send(main, request)
      names.push(...(JSON.parse(response.text) as Color[]).map(({ name }) => name))
      if (names.length > colors.length) break
      request = next(response)
    }
    expect(names).toEqual(inOrder('rgb', 'asc').map(({ name }) => name))
  })

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'POST'])('a %s that ends the process of a replica is sent to no other', async (method) => {
    let ended = 0
    const dying = await Promise.all(
      [1, 2, 3].map(async () => {
        const server = createConnectionServer((socket) => {
          socket
            .on('error', () => {})
            .once('data', () => {
              ended += 1
              socket.destroy()
            })
        }).listen(0, '127.0.0.1')
        await once(server, 'listening')
        onTestFinished(() => void server.close())
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        return { main: url, pagination: url, docs: url }
      }),
    )
    const own = await startNginx(dying)
    onTestFinished(own.stop)
    expect((await send(own.urls.main, `${method} /hello`)).status).toBe(502)
    expect(ended).toBe(1)
  })

  /** Three processes. /end ends one of them, /hang gets no answer, and everything else names it. */
  async function startFragile(): Promise<readonly { readonly child: ChildProcess; readonly url: string }[]> {
    const program = `require('node:http').createServer((request, response) => {
      if (request.url === '/end') process.exit(1)
      if (request.url !== '/hang') response.end(String(process.pid))
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
    return Promise.all(
      [1, 2, 3].map(async () => {
        const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
        onTestFinished(() => void child.kill('SIGKILL'))
        const [port] = (await once(child.stdout, 'data')) as [Buffer]
        return { child, url: `http://127.0.0.1:${String(port).trim()}` }
      }),
    )
  }
  const allDeployments = ({ url }: { readonly url: string }) => ({ main: url, pagination: url, docs: url })

  test('a GET that ends a replica ends no other one: the next requests are all answered', async () => {
    const fragile = await startFragile()
    const own = await startNginx(fragile.map(allDeployments))
    onTestFinished(own.stop)
    expect((await send(own.urls.main, 'GET /end')).status).toBe(502)
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(own.urls.main, 'GET /')))
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(fragile.filter(({ child }) => child.exitCode !== null)).toHaveLength(1)
    expect(new Set(responses.map(({ text }) => text)).size).toBe(2)
  })

  test('GETs that hang reach one replica each, and while every replica has failed the others are answered', async () => {
    const fragile = await startFragile()
    const own = await startNginx(fragile.map(allDeployments), (text) => text.replace(/proxy_read_timeout 10s;/, 'proxy_read_timeout 1s;'))
    onTestFinished(own.stop)
    // The first ones find the replicas, the second ones their backups, since the replicas have failed.
    for (let round = 0; round < 2; round += 1) {
      const hung = await Promise.all(Array.from({ length: 6 }, () => send(own.urls.main, 'GET /hang')))
      expect(hung.map(({ status }) => status)).toEqual(Array(6).fill(504))
    }
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(own.urls.main, 'GET /')))
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(
      own
        .log()
        .filter(({ request }) => request.includes('/hang'))
        .map(({ statuses }) => statuses),
    ).toEqual(Array(12).fill('504'))
  })

  test.each(['GET', 'POST'])('a %s is answered by the one replica that can be reached', async (method) => {
    const gone = await findFreePort()
    const urlOf = (port: number | string) => ({
      main: `http://127.0.0.1:${port}`,
      pagination: `http://127.0.0.1:${port}`,
      docs: `http://127.0.0.1:${port}`,
    })
    const own = await startNginx([urlOf(gone), urlOf(await findFreePort()), it.all[0].urls])
    onTestFinished(own.stop)
    const request = method === 'GET' ? 'GET /hello?name=a//b' : withBody('POST /echo/text', 'text/plain', 'x'.repeat(100_000))
    expect(await sendComparable(own.urls.main, request)).toEqual(await sendComparable(it.all[0].urls.main, request))
  })

  /** nginx in front of a server of the test's own. */
  async function inFrontOf(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server = createServer(respond).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const own = await startNginx([{ main: url, pagination: url, docs: url }])
    onTestFinished(async () => {
      await own.stop()
      server.close()
      server.closeAllConnections()
    })
    return own.urls.main
  }

  test('a line of a stream arrives before the next one is produced, and an aborted stream is detectable', async () => {
    const goOn: { next: () => void } = { next: () => {} }
    const stream = await inFrontOf(async (_request, response) => {
      for (const line of ['one\n', 'two\n', 'three\n']) {
        const received = new Promise<void>((resolve) => {
          goOn.next = resolve
        })
        response.write(line)
        await received
      }
      response.destroy()
    })
    const response = await new Promise<IncomingMessage>((resolve, reject) => get(stream, { agent: false }, resolve).on('error', reject))
    const lines: string[] = []
    response.setEncoding('utf8').on('data', (text: string) => {
      lines.push(text)
      goOn.next()
    })
    response.on('error', () => {})
    await new Promise((done) => response.once('close', done))
    expect(lines).toEqual(['one\n', 'two\n', 'three\n'])
    expect(response.complete).toBe(false)
  })

  test('a replica receives the client address and the host, and keeps its connection', async () => {
    const sockets = new Set<unknown>()
    const echo = await inFrontOf((request, response) => {
      sockets.add(request.socket)
      const { host, connection, 'x-forwarded-for': sender, 'x-forwarded-proto': scheme } = request.headers
      response.end(JSON.stringify({ target: request.url, host, connection, sender, scheme }))
    })
    const sent = withHeaders('GET /a//b/%2F?c=%2f', { Host: 'service.example:8081', 'X-Forwarded-For': '192.0.2.1' })
    for (let count = 0; count < 20; count += 1) {
      expect(JSON.parse((await send(echo, sent)).text)).toEqual({
        target: '/a//b/%2F?c=%2f',
        host: 'service.example:8081',
        // What the client wrote there itself is gone.
        sender: '127.0.0.1',
        scheme: 'http',
      })
    }
    // One connection for each process of nginx at most.
    expect(sockets.size).toBeLessThan(20)
  })
})
