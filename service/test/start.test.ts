/** The start of the service: its first lines, its command line, invalid settings, its log. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv4 } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Deployment, deployments } from '../src/settings.ts'
import { comparable, item, json, problem } from './specification/expected.ts'
import { ann } from './specification/known.ts'
import { send, withHeaders, withJson } from './specification/send.ts'
import { folderOfTest, program, serviceProcess } from './support/service.ts'

const free = { PORT: '0', PAGINATION_PORT: '0', DOCS_PORT: '0', DATABASE_URL: 'sqlite::memory:', SHUTDOWN_GRACE_MS: '100' }

/** A deployment answers what only it answers. */
const own: Readonly<Record<Deployment, (url: string) => Promise<void>>> = {
  main: async (url) => expect((await send(url, 'GET /albert')).status).toBe(200),
  pagination: async (url) => {
    expect((await send(url, 'GET /colors')).status).toBe(206)
    expect((await send(url, 'GET /albert')).status).toBe(404)
  },
  docs: async (url) => expect((await send(url, 'GET /albert')).headers['content-type']).toBe('text/plain'),
}

describe('start-up lines', () => {
  test('all three deployments start, each prints one line, and each answers', async () => {
    const { listening, lines, urls } = serviceProcess([], free, folderOfTest(), { path: program })
    for (const deployment of deployments) await own[deployment](await listening(deployment))
    expect(lines.slice(0, 3)).toEqual(deployments.map((deployment) => ({ event: 'listening', deployment, url: urls[deployment] })))
    for (const url of Object.values(urls)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(new Set(Object.values(urls)).size).toBe(3)
  })

  test.each([
    [['pagination'], ['pagination']],
    [['docs'], ['docs']],
    [
      ['docs', 'main'],
      ['main', 'docs'],
    ],
  ] as const)('%j starts only those', async (words, started) => {
    const { listening, lines, child, ended } = serviceProcess(words, { ...free, LOG_LEVEL: 'silent' }, folderOfTest())
    for (const deployment of started) await own[deployment](await listening(deployment))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 0, errors: '' })
    expect(lines.map(({ deployment }) => deployment)).toEqual(started)
  })

  test('--port sets the port of the only named deployment', async () => {
    const { listening } = serviceProcess(['docs', '--port', '0'], { ...free, DOCS_PORT: '1' }, folderOfTest())
    const url = await listening('docs')
    expect(new URL(url).port).not.toBe('1')
    await own.docs(url)
  })

  test('a flag overrides the variable', async () => {
    const { listening } = serviceProcess(
      ['main', '--port=0', '--sender-address', 'flag@example.org'],
      { ...free, SENDER_ADDRESS: 'variable@example.org' },
      folderOfTest(),
    )
    const sent = withJson('POST /marketing', { clientName: 'A', clientEmail: 'b', clientAge: 1, clientInterestedIn: [] })
    expect(JSON.parse((await send(await listening('main'), sent)).text)).toMatchObject({ from: 'flag@example.org' })
  })

  test('a missing database and its folder are created, and kept', async () => {
    const folder = folderOfTest()
    const { DATABASE_URL: _, ...environment } = free
    const first = serviceProcess(['main'], environment, folder)
    const { headers } = await send(await first.listening('main'), withJson('POST /users', ann))
    first.child.kill('SIGTERM')
    await first.ended
    const second = serviceProcess(['main'], { ...environment, DATABASE_URL: 'sqlite:data/service.db' }, folder)
    expect(comparable(await send(await second.listening('main'), `GET ${headers['location']}`))).toEqual(item(ann))
  })

  test('files are in the folder in which the service was started, unless WORKING_DIR names another', async () => {
    const folder = folderOfTest()
    mkdirSync(join(folder, 'elsewhere', 'static-files'), { recursive: true })
    writeFileSync(join(folder, 'myfile.txt'), 'here')
    writeFileSync(join(folder, 'elsewhere', 'myfile.txt'), 'elsewhere')
    writeFileSync(join(folder, 'elsewhere', 'static-files', 'a.txt'), 'static')
    const here = await serviceProcess(['main'], free, folder).listening('main')
    const there = await serviceProcess(['main'], { ...free, WORKING_DIR: 'elsewhere' }, folder).listening('main')
    expect(comparable(await send(here, 'GET /myfile.txt'))).toEqual(json({ content: 'here' }))
    expect(comparable(await send(there, 'GET /myfile.txt'))).toEqual(json({ content: 'elsewhere' }))
    expect((await send(there, 'GET /static/a.txt')).text).toBe('static')
    expect((await send(here, 'GET /static/a.txt')).status).toBe(404)
  })
})

describe('an invalid setting ends the start with one line: the setting, its value and the allowed ones', () => {
  test.each([
    [['main'], { PORT: 'http' }, 'PORT is "http": expected a whole number from 0 to 65535.'],
    [['main'], { LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud": expected one of trace, debug, info, warn, error, fatal, silent.'],
    [
      ['main'],
      { DATABASE_URL: 'mysql://host/x' },
      /^DATABASE_URL is "mysql:\/\/host\/x": expected sqlite:PATH, sqlite::memory: or postgres:\/\/.*\.$/,
    ],
    [['main'], { WORKING_DIR: 'nowhere' }, 'WORKING_DIR is "nowhere": expected a folder that exists.'],
    [['main'], { REQUEST_TIMEOUT_MS: '9 seconds' }, /^REQUEST_TIMEOUT_MS is "9 seconds": expected a whole number from 1 to \d+\.$/],
    [['main'], { SECRET_TOKEN: 'two words' }, 'SECRET_TOKEN cannot be used: expected visible ASCII characters without spaces.'],
    [['all'], {}, 'The deployment is "all": expected main, pagination, docs.'],
    [['main', 'docs', '--port', '9000'], {}, /^--port is "9000": expected exactly one deployment beside it/],
    [['main', '--prot', '9000'], {}, /^The command line is "main --prot 9000": expected known options .*--prot/],
  ] as const)('%j %j', async (words, environment, message) => {
    const { ended } = serviceProcess(words, { ...free, ...environment }, folderOfTest())
    const { status, output, errors } = await ended
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors.endsWith('\n')).toBe(true)
    const line = errors.slice(0, -1)
    expect(line).not.toContain('\n')
    if (typeof message === 'string') expect(line).toBe(message)
    else expect(line).toMatch(message)
  })

  /** A port that another server has. */
  async function taken(): Promise<number> {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    return (other.address() as AddressInfo).port
  }

  test('a port in use', async () => {
    const port = await taken()
    expect(await serviceProcess(['main', '--port', String(port)], free, folderOfTest()).ended).toMatchObject({
      status: 1,
      output: '',
      errors: `The port is "${port}": expected a free port on 127.0.0.1, and this one is taken.\n`,
    })
  })

  test('a port in use for one of three deployments: none of them keeps running', async () => {
    const port = await taken()
    const { status, output, errors } = await serviceProcess([], { ...free, DOCS_PORT: String(port) }, folderOfTest()).ended
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors).toBe(`The port is "${port}": expected a free port on 127.0.0.1, and this one is taken.\n`)
  })

  test('an address of another machine', async () => {
    const { status, errors } = await serviceProcess(['main'], { ...free, HOST: '192.0.2.1' }, folderOfTest()).ended
    expect(status).toBe(1)
    expect(errors).toMatch(/^The address is "192\.0\.2\.1:0": expected [^\n]+\.\n$/)
  })

  test.each([
    ['a folder', 'sqlite:.', /^Cannot open the database \.: it is a folder\.\n$/],
    [
      'a file that is no database',
      'sqlite:text.txt',
      /^Cannot open the database text\.txt: it is not an SQLite database; it was left as it is\.\n$/,
    ],
    ['a path below a file', 'sqlite:text.txt/service.db', /^Cannot open the database text\.txt\/service\.db: [^\n]+\.\n$/],
  ])('a database that cannot be opened: %s', async (_what, url, message) => {
    const folder = folderOfTest()
    writeFileSync(join(folder, 'text.txt'), 'Not a database, but longer than the header of one. '.repeat(5))
    const { status, output, errors } = await serviceProcess(['main'], { ...free, DATABASE_URL: url }, folder).ended
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors).toMatch(message)
  })
})

describe('the log', () => {
  test('is one JSON line per request with its method, target, endpoint, status, bytes, time, peer and id', async () => {
    const { listening, line } = serviceProcess(['main'], free, folderOfTest())
    const base = await listening('main')
    const requests = [
      // The values of a query stay out of the log.
      ['GET', '/hello?name=Ann', 200, 'GET /hello', '/hello?name=*'],
      ['HEAD', '/users', 200, 'GET /users'],
      ['POST', '/echo/json', 415, 'POST /echo/json'],
      ['GET', '/nothing', 404],
      ['DELETE', '/user/1', 204, 'DELETE /user/:userid'],
      ['GET', '/colors', 206, 'GET /colors'],
      ['GET', '/static/nothing', 404, '/static'],
      // A target cannot forge a line.
      ['GET', '/nothing/%0A{"level":"fatal"}"%22', 404],
    ] as const
    for (const [method, target, status, route, logged = target] of requests) {
      const response = await send(base, `${method} ${target}`)
      expect(response.status).toBe(status)
      const id = response.headers['x-request-id']
      const { time, pid, ms, remote, ...entry } = await line((one) => one['requestId'] === id)
      const bytes = response.bytes.length
      expect(entry).toEqual({
        ...{ level: 'info', msg: 'request', deployment: 'main', method, target: logged, status, bytes, requestId: id },
        ...(route === undefined ? {} : { route }),
      })
      expect(new Date(String(time)).toISOString()).toBe(time)
      expect(pid).toEqual(expect.any(Number))
      expect(ms).toEqual(expect.any(Number))
      expect(isIPv4(String(remote))).toBe(true)
    }
  })

  test('contains exactly one line for each request', async () => {
    const { listening, child, ended, lines } = serviceProcess(['main'], free, folderOfTest())
    const base = await listening('main')
    for (let index = 0; index < 50; index += 1) await send(base, `GET /position/1/${index}`)
    child.kill('SIGTERM')
    await ended
    const targets = lines.filter(({ msg }) => msg === 'request').map(({ target }) => target)
    expect(targets).toEqual(Array.from({ length: 50 }, (_, index) => `/position/1/${index}`))
  })

  test('never contains credentials, tokens, headers or bodies', async () => {
    const token = 'aSecretToken'
    const { listening, child, ended } = serviceProcess(['main'], { ...free, SECRET_TOKEN: token, LOG_LEVEL: 'trace' }, folderOfTest())
    const base = await listening('main')
    await send(base, withHeaders('GET /secret', { Authorization: `Bearer ${token}` }))
    await send(base, withJson('POST /secret', { secret: 'aSecretBody' }, { Authorization: `Bearer ${token}` }))
    await send(base, withHeaders('GET /users/list-all', { Authorization: `Basic ${btoa('aSecretName:aSecretPassword')}` }))
    await send(base, withHeaders('GET /hello', { Cookie: 'session=aSecretCookie' }))
    child.kill('SIGTERM')
    const { status, output, errors } = await ended
    expect(status).toBe(0)
    expect(output + errors).not.toMatch(/aSecret/)
    expect(output).not.toContain(btoa('aSecretName:aSecretPassword'))
    expect(output).toContain('"target":"/users/list-all"')
  })

  test('at the level silent has only the start-up line', async () => {
    const { listening, child, ended } = serviceProcess(['main'], { ...free, LOG_LEVEL: 'silent' }, folderOfTest())
    const url = await listening('main')
    await send(url, 'GET /hello')
    child.kill('SIGTERM')
    const { output, errors } = await ended
    expect({ output, errors }).toEqual({ output: `${JSON.stringify({ event: 'listening', deployment: 'main', url })}\n`, errors: '' })
  })
})

test('health of main and of pagination: live and ready', async () => {
  const { listening } = serviceProcess(['main', 'pagination'], free, folderOfTest())
  for (const deployment of ['main', 'pagination'] as const) {
    const url = await listening(deployment)
    expect(comparable(await send(url, 'GET /health/live'))).toEqual(json({ status: 'up' }))
    expect(comparable(await send(url, 'GET /health/ready'))).toEqual(json({ status: 'ready' }))
    expect(comparable(await send(url, 'POST /health/live'))).toEqual(problem(405, { allow: 'GET, HEAD, OPTIONS' }))
  }
})
