/** `lapidary check`: its output, its files and its exit codes. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rules } from '@lapidary/testing'
import type { HttpHandler } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { createWebhookSecret } from 'lapidary/webhooks'
import { expect, onTestFinished, test } from 'vitest'
import { startStoneServer } from '../../../testing/test/support/sequences/stoneServer.ts'
import { receiver } from '../support/receiverApi.ts'
import { lapidary } from '../support/runCli.ts'
import { scoped } from '../support/scopedApi.ts'
import { small } from '../support/smallApi.ts'

const module = 'smallApi.ts'

async function served(): Promise<string> {
  const { url, close } = await listen(small(), { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return url
}

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const briefly = ['--requests', '400', '--seed', '1']

test('without failures: a report, and exit code 0', async () => {
  const url = await served()
  const { code, output, errors } = await lapidary(['check', module, '--url', url, '--only', 'search', ...briefly])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toContain(`${url}/  seed 1`)
  expect(output).toContain('✓ GET /search  search  ')
  expect(output).toMatch(/All \d+ rules passed\. \d+ requests in [\d.]+ s; --seed 1 repeats them\./)
})

/** A server that responds to every request with this status, and an empty object. */
async function serveStatus(status: number, prefix = '/'): Promise<string> {
  const server: HttpHandler = ({ target }) => ({
    status: target.startsWith(prefix) ? status : 404,
    headers: ['Content-Type', 'application/json'],
    body: '{}',
  })
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return url
}

test('with a failure: the rule, a curl command, and exit code 1', async () => {
  const json = join(folderOfTest(), 'report.json')
  const formats = ['--format', `json=${json}`, '--format', `junit=${json}.xml`, '--format', `markdown=${json}.md`]
  const url = await serveStatus(500)
  const { code, output, errors } = await lapidary(['check', module, '--url', url, '--only', 'search', ...formats, ...briefly])
  expect(code).toBe(1)
  expect(errors).toMatch(/^\d+ faults? at \d+ places?\.\n$/)
  expect(output).toMatch(/curl -i -g --path-as-is .*'http:\/\/127\.0\.0\.1:\d+\/search/)
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ seed: 1, failures: [{ rule: 'no-server-error' }] })
  expect(readFileSync(`${json}.xml`, 'utf8')).toContain('<failure message="')
})

test('one cause at several endpoints is one row of the table, and a place for each in the formats for machines', async () => {
  const file = join(folderOfTest(), 'report')
  const formats = ['sarif', 'junit', 'markdown'].flatMap((name) => ['--format', `${name}=${file}.${name}`])
  const url = await serveStatus(500)
  await lapidary(['check', module, '--url', url, '--only', 'search', '--only', 'stream', ...formats, ...briefly])
  const [sarif, junit, markdown] = ['sarif', 'junit', 'markdown'].map((name) => readFileSync(`${file}.${name}`, 'utf8'))
  expect(markdown).toMatch(/\| ❌ \| `GET \/search`<br>`GET \/stream` \| `no-server-error` \| expected success, /)
  expect(JSON.parse(sarif ?? '').runs[0].results.filter((one: { ruleId: string }) => one.ruleId === 'no-server-error')).toHaveLength(2)
  expect(junit?.match(/name="no-server-error"/g)).toHaveLength(2)
})

test('an unreachable server is one sentence, and exit code 2', async () => {
  const check = (url: string) => lapidary(['check', module, '--url', url, ...briefly])
  expect(await check('http://127.0.0.1:1')).toEqual({
    code: 2,
    output: '',
    errors: 'http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Start the server, or correct --url.\n',
  })
  const secure = (await served()).replace('http:', 'https:')
  expect(await check(secure)).toMatchObject({
    code: 2,
    output: '',
    errors: expect.stringMatching(
      /^https:\S+ cannot be reached: .+\. A server without TLS has a URL that begins with http:\/\/ \(--url\)\.\n$/,
    ),
  })
})

test('a server whose every response is 404 is at another path: one sentence, and exit code 2', async () => {
  const url = await serveStatus(200, '/api/v2/')
  const { code, output, errors } = await lapidary(['check', module, '--url', url, ...briefly])
  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors).toBe(`Every endpoint of ${url} gets 404: the API is not at this path. Name the path in --url, such as ${url}/api/v1.\n`)
})

test('a server that goes away is reported with what was found before', async () => {
  let count = 0
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    count += 1
    // It dies of this request.
    if (count > 5 && request.url?.includes('limit=')) {
      request.socket.destroy()
      server.close()
      server.closeAllConnections()
    } else response.writeHead(500).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, output, errors } = await lapidary(['check', module, '--url', url, '--only', 'search', '--only', 'stream', ...briefly])
  expect(code).toBe(1)
  expect(output).toContain('search, no-server-error')
  expect(output).toMatch(/search, complete\n.*\n.*(?:socket hang up|ECONNRESET).*\n +curl .*limit=/)
  expect(output).toMatch(
    /The server went away after \d+ responses?: connect ECONNREFUSED .*\. The endpoints after that were not tested\.\n/,
  )
  expect(errors).toMatch(/^The server went away during the check: connect ECONNREFUSED /)
})

test('--repro without a failure says that no script was written, and why', async () => {
  const file = join(folderOfTest(), 'repro.sh')
  const { errors } = await lapidary(['check', module, '--url', await served(), '--only', 'search', ...briefly, '--repro', file])
  expect(errors).toBe(
    `${file} was not written: without --steps there are no sequences, which a script repeats. Add --write --steps 2000.\n`,
  )
  expect(existsSync(file)).toBe(false)
})

test('with steps: a fault of state, and the script that repeats it', async () => {
  const stones = fileURLToPath(new URL('../../../testing/test/support/sequences/stonesApi.ts', import.meta.url))
  const { url, close } = await startStoneServer({ remove: () => {}, replace: (stone) => stone })
  onTestFinished(close)
  const [script, junit] = ['repro.sh', 'report.xml'].map((name) => join(folderOfTest(), name)) as [string, string]
  const without = rules.flatMap((rule) => ('scope' in rule ? [] : ['--without', rule.name]))
  const words = [
    'check',
    stones,
    '--url',
    url,
    '--write',
    '--steps',
    '100',
    '--repro',
    script,
    '--format',
    'text',
    '--format',
    `junit=${junit}`,
    '--seed',
    '1',
    ...without,
  ]
  const { code, output, errors } = await lapidary(words)
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(/^\d+ faults? at \d+ places?\.\n$/) })
  expect(output).toMatch(/✗ GET \/stones\/:id +stones\.item +\d+ failed/)
  expect(output).toMatch(/ {4}1 {2}POST \/stones \{.*\} → 201 \/stones\/\d+/)
  expect(readFileSync(script, 'utf8')).toMatch(/^#!\/bin\/sh\n# deleted-items: /)
  // Several sequences fail, and the file has the first.
  const faults = output.split('\n\n').filter((block) => block.startsWith('✗ ') && / {4}1 {2}/.test(block))
  expect(faults.length).toBeGreaterThan(1)
  expect(faults.map((fault) => fault.includes(`\n    ${script} repeats these requests`))).toEqual(faults.map((_, index) => index === 0))
  expect(output).not.toContain('--repro')
  const position = words.indexOf('--repro')
  const other = await lapidary(words.toSpliced(position, 2))
  expect(other.output.match(/--repro repro\.sh writes a script that repeats these requests/g)).toHaveLength(1)
  expect(readFileSync(junit, 'utf8')).toContain('<testcase classname="stones.item" name="deleted-items">')
})

test('on a terminal the report has colors', async () => {
  const { output } = await lapidary(['check', module, '--url', await served(), '--only', 'search', ...briefly], { columns: 120 })
  expect(output).toContain('\u001b[32m✓')
})

test.each([
  [['--url', 'ftp://example.org'], 2, /URL/],
  [['--url', '127.0.0.1:8081'], 2, /--url: expected the URL of a server, such as http:\/\/127\.0\.0\.1:8081, got "127\.0\.0\.1:8081"\./],
  [['--url', 'http://127.0.0.1:1', '--seed', 'x'], 2, /--seed: expected an integer such as 1000, got "x"\./],
  [['--url', 'http://127.0.0.1:1', '--steps', '10'], 2, /^--steps needs --write: its requests create, change and delete items\.$/m],
  [
    ['--url', 'http://127.0.0.1:1', '--write', '--clients', '2'],
    2,
    /^--clients needs --steps: several clients send the requests of sequences\.$/m,
  ],
  [['--url', 'http://127.0.0.1:1', '--without', 'nope'], 2, /There is no rule "nope"\. The rules: complete, /],
  [
    ['--url', 'http://127.0.0.1:1', '--capture', 'org'],
    2,
    /--capture: expected a name and a text, such as --capture org=acme, got "org"\./,
  ],
  [
    ['--url', 'http://127.0.0.1:1', '--capture', 'org=acme'],
    2,
    /No endpoint of the API has a capture named "org"\. Its captures: base, userId\./,
  ],
  [[], 2, /Name the server: --url http:\/\/127\.0\.0\.1:8081\./],
])('%j is rejected', async (words, code, message) => {
  const ended = await lapidary(['check', module, ...words])
  expect(ended.code).toBe(code)
  expect(ended.errors).toMatch(message)
})

test('a token is sent to schemes that take one, and never printed', async () => {
  const token = 'a-very-secret-token'
  for (const words of [
    ['--token', token],
    ['--user', `ann:${token}`],
  ]) {
    const { code, output, errors } = await lapidary(['check', 'guardedApi.ts', '--url', 'http://127.0.0.1:1', ...words])
    expect(code).toBe(2)
    expect(errors).toMatch(/^No auth scheme of this API takes the credentials of --(token|user) \(its schemes: session\)\. /)
    expect(output + errors).not.toContain(token)
  }
  const { output, errors } = await lapidary([
    'check',
    'guardedApi.ts',
    '--url',
    await serveStatus(500),
    '-H',
    `X-Session: 1:${token}`,
    ...briefly,
  ])
  expect(output).toContain("-H 'X-Session: ***'")
  expect(output + errors).not.toContain(token)
})

test('a token is a bearer token: a cookie beside it gets none', async () => {
  const received: string[] = []
  const token = 'a-very-secret-token'
  const server: HttpHandler = async ({ rawHeaders }) => {
    received.push(...rawHeaders.filter((_, index) => index % 2 === 1 && /^(?:cookie|authorization)$/i.test(rawHeaders[index - 1] ?? '')))
    return { status: 401, headers: ['WWW-Authenticate', 'ApiKey in="cookie", name="session", Bearer realm="robots"'], body: null }
  }
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const check = (...words: readonly string[]) => lapidary(['check', 'cookieApi.ts', '--url', url, '--export', 'api', ...briefly, ...words])
  await check('--token', token)
  expect([...new Set(received)]).toContain(`Bearer ${token}`)
  expect(received.filter((value) => value.includes(`session=${token}`))).toEqual([])
  received.length = 0
  await check('--api-key', `session=${token}`)
  expect([...new Set(received)]).toContain(`session=${token}`)
  expect(received).not.toContain(`Bearer ${token}`)
  const refused = await lapidary(['check', 'cookieApi.ts', '--url', url, '--export', 'cookies', '--token', token])
  expect([refused.code, refused.errors]).toEqual([
    2,
    'No auth scheme of this API takes the credentials of --token (its schemes: session). Pass a key or a cookie with its name: --api-key session=….\n',
  ])
})

test('a check whose budget ends before its endpoints fails', async () => {
  const words = ['check', module, '--url', await served(), '--except', 'search', '--seed', '1']
  const { code, output, errors } = await lapidary([...words, '--requests', '3'])
  expect(code).toBe(1)
  expect(output).toContain('the budget was used up')
  expect(errors).toContain('The check is not complete')
})

test.each([
  ['a document without operations', {}],
  ['a document whose only operation changes data', { '/a': { post: { responses: { 204: { description: 'done' } } } } }],
])('%s: nothing is tested, and exit code 1', async (_, paths) => {
  const path = join(folderOfTest(), 'openapi.json')
  writeFileSync(path, JSON.stringify({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths }))
  const markdown = `${path}.md`
  const found = await lapidary(['check', path, '--url', await served(), '--format', `markdown=${markdown}`, ...briefly])
  expect(found.code).toBe(1)
  expect(found.output).toMatch(/\nNothing was tested\. /)
  expect(found.errors).toContain('\nNothing was tested: no rule')
  expect(readFileSync(markdown, 'utf8')).toContain('Nothing was tested: no rule')
})

test('endpoints can be left out', async () => {
  const { output, code } = await lapidary(['check', module, '--url', await served(), '--except', 'search', ...briefly])
  expect(code).toBe(0)
  expect(output).not.toContain('GET /search')
  const wrong = await lapidary(['check', module, '--url', 'http://127.0.0.1:1', '--except', 'nope'])
  expect(wrong).toMatchObject({ code: 2, errors: expect.stringMatching(/^The API has no endpoint and no group named "nope"/) })
})

test('a capture that exists is in every request', async () => {
  const targets: string[] = []
  const server: HttpHandler = ({ target }) => {
    targets.push(target)
    return { status: target.startsWith('/odd/acme/') ? 200 : 404, headers: ['Content-Type', 'application/json'], body: '{}' }
  }
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const check = (...words: readonly string[]) => lapidary(['check', module, '--url', url, '--only', 'odd', ...briefly, ...words])
  const { code, output, errors } = await check('--without', 'methods', '--without', 'options', '--without', 'problem')
  expect({ code, errors }).toEqual({ code: 1, errors: '1 fault at 1 place.\n' })
  expect(output).toContain('as every request does: give captures that exist: --capture base=… --capture userId=…')
  expect(output).toMatch(/1 failed, \d+ passed, \d+ not tested, \d+ requests {2}\(every request gets 404: give captures that exist: /)
  targets.length = 0
  await check('--capture', 'base=acme', '--capture', 'userId=7', '--capture', 'userId=a=b')
  const paths = new Set(targets.map((target) => target.replace(/\?.*/, '')))
  expect([...paths].filter((path) => !/^\/odd\/acme\/(?:7|a%3Db)(?:\/no-such-path-0)?$/.test(path))).toEqual([])
  expect(paths.size).toBeGreaterThan(1)
})

test('a token with its scopes is tried where it lacks one, and never printed', async () => {
  const token = 'a-very-secret-token'
  const { code, errors } = await lapidary(['check', module, '--url', 'http://127.0.0.1:1', '--scoped-token', token])
  expect({ code, errors: errors.replace(token, 'leaked') }).toEqual({
    code: 2,
    errors: expect.stringMatching(/^No auth scheme of this API takes the credentials of --scoped-token \(its schemes: members, partners, /),
  })
  const { url, close } = await listen(scoped())
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const found = await lapidary(['check', 'scopedApi.ts', '--url', url, '--scoped-token', `${token} read`, '--scoped-token', 'none'])
  expect(found.code).toBe(1)
  expect(found.output).toContain('the credentials of robots have the scopes read: expected 403, got 200')
  expect(found.output).toContain('the credentials of robots have no scope: expected 403, got 401')
  expect(found.output).toContain("-H 'Authorization: ***'")
  expect(found.output + found.errors).not.toContain(token)
})

test('the secret of webhooks signs the requests, and is never printed', async () => {
  const secret = createWebhookSecret()
  const { url, close } = await listen(receiver(secret))
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const check = (key: string) => lapidary(['check', 'receiverApi.ts', '--url', url, '--write', '--api-key', key, ...briefly])
  const right = await check(secret)
  expect({ code: right.code, errors: right.errors }).toEqual({ code: 0, errors: '' })
  const other = createWebhookSecret()
  const wrong = await check(`webhookSignature=${other}`)
  expect({ code: wrong.code, output: wrong.output }).toEqual({ code: 2, output: '' })
  expect(wrong.errors).toMatch(/^\S+ refuses these credentials: no request with them succeeded, .+ got 401\. .+\n$/)
  expect(wrong.errors).not.toContain(other.slice(6))
  const invalid = await check('whsec_short')
  expect({ code: invalid.code, errors: invalid.errors }).toEqual({
    code: 2,
    errors:
      'checkServer(): credentials.webhookSignature has a secret that is not "whsec_" and at least 24 bytes in base64. createWebhookSecret() makes one.\n',
  })
})
