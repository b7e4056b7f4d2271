/** The settings, and the messages about invalid ones. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCommandLine, readSettings, SettingError, variableNames } from '../src/settings.ts'

import { run } from './store/process.ts'
import { folder } from './store/scratch.ts'

/** The settings of a command line, as `npm start` reads them. */
const started = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const { deployments, flags } = readCommandLine(words)
  return readSettings(environment, flags, deployments)
}

const getErrorMessage = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError)
    expect(String(error)).not.toContain('\n')
    return (error as SettingError).message
  }
  throw new Error('No complaint was made.')
}

test('every setting is optional', () => {
  expect(readSettings({})).toEqual({
    deployments: ['main', 'pagination', 'docs'],
    host: '127.0.0.1',
    ports: { main: 8081, pagination: 1442, docs: 8082 },
    metricsPort: undefined,
    databaseUrl: 'sqlite:data/service.db',
    databaseConnections: 10,
    databaseTimeout: 900,
    workers: 1,
    trustedProxies: undefined,
    workingDirectory: process.cwd(),
    senderAddress: 'great@company.com',
    secretToken: undefined,
    logLevel: 'info',
    maxBodyBytes: 1_048_576,
    requestTimeout: 9000,
    headersTimeout: 8000,
    keepAliveTimeout: 5000,
    handlerTimeout: 8_000,
    maxWait: 500,
    readerTimeout: 30_000,
    shutdownGrace: 10_000,
    maxConnections: 10_000,
    adapter: 'node',
    compression: false,
    corsOrigins: undefined,
    rateLimit: undefined,
    maxRangeLimit: 1000,
  })
})

test('settings are frozen', () => {
  const all = readSettings({})
  expect(Object.isFrozen(all)).toBe(true)
  expect(Object.isFrozen(all.ports)).toBe(true)
})

test('each setting is read from its environment variable, and its flag wins', () => {
  const [one, two] = [join(folder(), 'one'), join(folder(), 'two')]
  mkdirSync(one)
  mkdirSync(two)
  const [key, cert] = [file(), file()]
  const table = [
    ['HOST', 'localhost', '::1', (all) => all.host],
    ['TRUSTED_PROXIES', '10.0.0.1', '192.0.2.0', ({ trustedProxies: all }) => ['10.0.0.1', '192.0.2.0'].find((one) => all?.check(one))],
    ['TLS_KEY', key, cert, (all) => all.tlsKey],
    ['TLS_CERT', cert, key, (all) => all.tlsCert],
    ['DATABASE_URL', 'sqlite::memory:', 'postgres://ann:x@localhost/service', (all) => all.databaseUrl],
    ['DATABASE_CONNECTIONS', '1', '1000', (all) => String(all.databaseConnections)],
    ['DATABASE_TIMEOUT_MS', '1', '3600000', (all) => String(all.databaseTimeout)],
    ['WORKERS', '2', '1000', (all) => String(all.workers)],
    ['WORKING_DIR', one, two, (all) => all.workingDirectory],
    ['SENDER_ADDRESS', 'a@example.org', 'b@example.org', (all) => all.senderAddress],
    ['SECRET_TOKEN', 's3cret', 'other==', (all) => all.secretToken],
    ['LOG_LEVEL', 'silent', 'trace', (all) => all.logLevel],
    ['PORT', '0', '65535', (all) => String(all.ports.main)],
    ['PAGINATION_PORT', '1', '2', (all) => String(all.ports.pagination)],
    ['DOCS_PORT', '1', '2', (all) => String(all.ports.docs)],
    ['METRICS_PORT', '0', '65535', (all) => String(all.metricsPort)],
    ['MAX_BODY_BYTES', '0', '10', (all) => String(all.maxBodyBytes)],
    ['REQUEST_TIMEOUT_MS', '20000', '30000', (all) => String(all.requestTimeout)],
    ['HEADERS_TIMEOUT_MS', '10', '20', (all) => String(all.headersTimeout)],
    ['KEEP_ALIVE_TIMEOUT_MS', '10', '20', (all) => String(all.keepAliveTimeout)],
    ['SHUTDOWN_GRACE_MS', '0', '20', (all) => String(all.shutdownGrace)],
    ['HANDLER_TIMEOUT_MS', '10', '20', (all) => String(all.handlerTimeout)],
    ['MAX_WAIT_MS', '10', '20', (all) => String(all.maxWait)],
    ['READER_TIMEOUT_MS', '10', '20', (all) => String(all.readerTimeout)],
    ['MAX_CONNECTIONS', '1', '1000000', (all) => String(all.maxConnections)],
    ['ADAPTER', 'llhttp', 'node', (all) => all.adapter],
    ['COMPRESSION', 'on', 'off', (all) => (all.compression ? 'on' : 'off')],
    ['CORS_ORIGINS', '*', 'https://example.org,http://localhost:5173', (all) => String(all.corsOrigins)],
    ['RATE_LIMIT', '100/60', '1000000000/1', (all) => `${all.rateLimit?.quota}/${all.rateLimit?.window}`],
    ['MAX_RANGE_LIMIT', '10', '20', (all) => String(all.maxRangeLimit)],
  ] as const satisfies readonly (readonly [string, string, string, (all: ReturnType<typeof readSettings>) => string | undefined])[]
  for (const [name, first, second, read] of table) {
    // Neither of these two is of use alone.
    const besides = name === 'TLS_KEY' || name === 'TLS_CERT' ? { TLS_KEY: key, TLS_CERT: cert } : {}
    expect(read(readSettings({ ...besides, [name]: first }))).toBe(first)
    const flag = `--${name.toLowerCase().replaceAll('_', '-')}`
    // --port is that of the one deployment named.
    expect(read(started(['main', flag, second], { ...besides, [name]: first }))).toBe(second)
  }
  expect(table.map(([name]) => name).sort()).toEqual([...variableNames].sort())
})

test('an empty variable counts as not set', () => {
  expect(readSettings(Object.fromEntries(variableNames.map((name) => [name, ''])))).toEqual(readSettings({}))
})

test.each([
  ['TLS_KEY', 'TLS_CERT'],
  ['TLS_CERT', 'TLS_KEY'],
])('%s needs %s', (name) => {
  expect(() => readSettings({ [name]: file() })).toThrow(/: expected TLS_KEY and TLS_CERT together\.$/)
})

test('only node:http speaks TLS', () => {
  expect(() => readSettings({ TLS_KEY: file(), TLS_CERT: file(), ADAPTER: 'llhttp' })).toThrow(
    new SettingError('ADAPTER', 'llhttp', 'node with TLS_KEY, since only node:http speaks TLS'),
  )
})

describe('deployments', () => {
  test('are all of them if none is named', () => {
    expect(readCommandLine([]).deployments).toEqual(['main', 'pagination', 'docs'])
  })

  test('are the named ones, in the order of the service', () => {
    expect(readCommandLine(['docs', 'main']).deployments).toEqual(['main', 'docs'])
  })

  test('docs alone uses the port 8081, unless a port is set', () => {
    expect(started(['docs']).ports.docs).toBe(8081)
    expect(started(['docs', 'main']).ports.docs).toBe(8082)
    expect(started(['docs'], { DOCS_PORT: '9000' }).ports.docs).toBe(9000)
  })

  test.each(['main', 'pagination', 'docs'] as const)('--port is the port of %s if no other deployment is named', (deployment) => {
    expect(started([deployment, '--port', '9000'], { PORT: '1', DOCS_PORT: '2', PAGINATION_PORT: '3' }).ports[deployment]).toBe(9000)
  })
})

test('the timeout of a request is at least that of its headers', () => {
  expect(readSettings({ REQUEST_TIMEOUT_MS: '2000' }).headersTimeout).toBe(2000)
})

const file = (): string => {
  const path = join(folder(), 'file')
  writeFileSync(path, '')
  return path
}

const ports = 'expected a whole number from 0 to 65535.'
const time = 'expected a whole number from 1 to 3600000.'
const limits = 'expected two whole numbers from 1 to 1000000000, such as 100/60.'
const origins = 'expected origins such as https://example.org, separated by commas, or *.'
const workers = 'expected a whole number from 1 to 1000, or auto.'

test.each([
  ['PORT', 'abc', ports],
  ['PORT', '-1', ports],
  ['PORT', '65536', ports],
  ['PORT', '80.5', ports],
  ['PORT', '0x50', ports],
  ['PORT', '1e3', ports],
  ['PORT', ' 80', ports],
  ['PORT', '٨٠', ports],
  ['PAGINATION_PORT', '99999999999999999999', ports],
  ['DOCS_PORT', 'http', ports],
  ['METRICS_PORT', '-1', ports],
  ['METRICS_PORT', '8081', 'expected another port than the one of the deployment main.'],
  ['HOST', '256.0.0.1', 'expected an IP address or a host name.'],
  ['HOST', 'http://localhost', 'expected an IP address or a host name.'],
  ['HOST', 'two words', 'expected an IP address or a host name.'],
  ['DATABASE_URL', 'service.db', 'expected sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE.'],
  ['DATABASE_URL', 'sqlite:', 'expected sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE.'],
  ['DATABASE_CONNECTIONS', '0', 'expected a whole number from 1 to 1000.'],
  ['DATABASE_CONNECTIONS', '1001', 'expected a whole number from 1 to 1000.'],
  ['DATABASE_TIMEOUT_MS', '0', time],
  ['DATABASE_TIMEOUT_MS', '1s', time],
  ['WORKERS', '0', workers],
  ['WORKERS', '-2', workers],
  ['WORKERS', '1001', workers],
  ['WORKERS', '2.5', workers],
  ['WORKERS', 'AUTO', workers],
  ['WORKERS', 'all', workers],
  ['WORKING_DIR', '/no/such/folder', 'expected a folder that exists.'],
  ['SENDER_ADDRESS', 'nobody', 'expected an email address.'],
  ['SENDER_ADDRESS', 'a@b\r\nBcc: c@d', 'expected an email address.'],
  ['LOG_LEVEL', 'loud', 'expected one of trace, debug, info, warn, error, fatal, silent.'],
  ['LOG_LEVEL', 'INFO', 'expected one of trace, debug, info, warn, error, fatal, silent.'],
  ['MAX_BODY_BYTES', '1MB', 'expected a whole number from 0 to 1073741824.'],
  ['REQUEST_TIMEOUT_MS', '0', time],
  ['HEADERS_TIMEOUT_MS', '0', time],
  ['HEADERS_TIMEOUT_MS', '9001', 'expected no more than REQUEST_TIMEOUT_MS, which is 9000.'],
  ['KEEP_ALIVE_TIMEOUT_MS', 'never', time],
  ['SHUTDOWN_GRACE_MS', '-1', 'expected a whole number from 0 to 3600000.'],
  ['HANDLER_TIMEOUT_MS', '0', time],
  ['MAX_WAIT_MS', '0', time],
  ['READER_TIMEOUT_MS', '0', time],
  ['MAX_CONNECTIONS', '0', 'expected a whole number from 1 to 1000000.'],
  ['ADAPTER', 'fast', 'expected one of node, llhttp.'],
  ['COMPRESSION', 'gzip', 'expected one of off, on.'],
  ['CORS_ORIGINS', 'example.org', origins],
  ['CORS_ORIGINS', 'https://example.org/', origins],
  ['CORS_ORIGINS', 'https://EXAMPLE.org', origins],
  ['CORS_ORIGINS', 'https://example.org,', origins],
  ['CORS_ORIGINS', 'https://example.org,*', origins],
  ['CORS_ORIGINS', 'null', origins],
  ['CORS_ORIGINS', 'file:///', origins],
  ['RATE_LIMIT', '100', limits],
  ['RATE_LIMIT', '0/60', limits],
  ['RATE_LIMIT', '100/0', limits],
  ['RATE_LIMIT', '1000000001/60', limits],
  ['RATE_LIMIT', '100/1.5', limits],
  ['MAX_RANGE_LIMIT', '0', 'expected a whole number from 1 to 1000000.'],
])('%s as %j is rejected with one line, and so is its flag', (name, value, expected) => {
  expect(getErrorMessage(() => readSettings({ [name]: value }))).toBe(`${name} is ${JSON.stringify(value)}: ${expected}`)
  if (name.endsWith('PORT')) return
  const flag = `--${name.toLowerCase().replaceAll('_', '-')}`
  expect(getErrorMessage(() => started([`${flag}=${value}`]))).toBe(`${flag} is ${JSON.stringify(value)}: ${expected}`)
})

test('a file as working directory is rejected', () => {
  const path = file()
  expect(getErrorMessage(() => readSettings({ WORKING_DIR: path }))).toBe(
    `WORKING_DIR is ${JSON.stringify(path)}: expected a folder that exists.`,
  )
})

test('messages contain no secrets and are short', () => {
  expect(getErrorMessage(() => readSettings({ SECRET_TOKEN: 'top secret' }))).toBe(
    'SECRET_TOKEN cannot be used: expected visible ASCII characters without spaces.',
  )
  const url = getErrorMessage(() => readSettings({ DATABASE_URL: 'mysql://ann:s3/cr@et@host/service' }))
  expect(url).toContain('mysql://…@host/service')
  expect(getErrorMessage(() => readSettings({ LOG_LEVEL: 'x'.repeat(10_000) })).length).toBeLessThan(250)
})

test.each([
  [['frontend'], 'The deployment is "frontend": expected main, pagination, docs.'],
  [['main', 'docs', 'main'], 'The deployment is "main": expected each deployment to be named once.'],
  [['--port', '9000'], '--port is "9000": expected exactly one deployment beside it (main, pagination, docs).'],
  [['main', 'docs', '--port', '9000'], '--port is "9000": expected exactly one deployment beside it (main, pagination, docs).'],
  [['main', '--port', 'abc'], '--port is "abc": expected a whole number from 0 to 65535.'],
  [['docs', '--port', 'abc'], '--port is "abc": expected a whole number from 0 to 65535.'],
  [
    ['--prot', '1'],
    'The command line is "--prot 1": expected known options with their values, and found unknown option \'--prot\' (Did you mean --port?).',
  ],
  [
    ['--host'],
    'The command line is "--host": expected known options with their values, and found option \'--host <value>\' argument missing.',
  ],
])('the command line %j is rejected', (words, expected) => {
  expect(getErrorMessage(() => started(words))).toBe(expected)
})

test('auto is one worker per core', () => {
  expect(readSettings({ WORKERS: 'auto' }).workers).toBe(availableParallelism())
})

test('a database in memory allows only one process', () => {
  const memory = { DATABASE_URL: 'sqlite::memory:' }
  const expected = 'expected 1 with sqlite::memory:, since each process would have a database of its own.'
  expect(getErrorMessage(() => readSettings({ ...memory, WORKERS: '2' }))).toBe(`WORKERS is "2": ${expected}`)
  expect(getErrorMessage(() => started(['--workers', '3'], memory))).toBe(`--workers is "3": ${expected}`)
  expect(readSettings({ ...memory, WORKERS: '1' }).workers).toBe(1)
})

test('two started deployments cannot share a port; port 0 is allowed for both', () => {
  expect(getErrorMessage(() => readSettings({ PORT: '8082' }))).toBe(
    'DOCS_PORT is "8082": expected another port than the one of the deployment main.',
  )
  expect(started(['main', 'pagination'], { PORT: '8082' }).ports.main).toBe(8082)
  expect(readSettings({ PORT: '0', PAGINATION_PORT: '0', DOCS_PORT: '0' }).ports).toEqual({ main: 0, pagination: 0, docs: 0 })
})

test('--help names every setting', async () => {
  const { status, output } = await run('child/helping.ts', [])
  expect(status).toBe(0)
  for (const name of variableNames) if (name !== 'PORT') expect(output).toContain(`${name}: `)
  expect(output).toContain('--port <number>')
})
