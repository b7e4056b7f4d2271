/** Every setting by its environment variable: what it means, what it is when it is not set, and what it may be. */

import { statSync } from 'node:fs'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

/** One setting as text. `read` answers `undefined` for a text that will not do; `expected` then ends the complaint. */
export interface Variable<Value> {
  readonly meaning: string
  /** As one would write it; nothing where the setting has no value of its own. */
  readonly preset?: string
  readonly expected: string
  /** The complaint does not show the value. */
  readonly secret?: boolean
  readonly read: (text: string) => Value | undefined
}

const whole = (meaning: string, preset: number, least: number, most: number): Variable<number> => ({
  meaning,
  preset: String(preset),
  expected: `a whole number from ${least} to ${most}`,
  read: (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

const metricsPort: Variable<number> = {
  meaning: 'port of the metrics for Prometheus, apart from the others; 0 picks a free one; without it there are none',
  expected: 'a whole number from 0 to 65535',
  read: (text) => whole('', 0, 0, 65535).read(text),
}

const port = (deployment: string, preset: number): Variable<number> =>
  whole(`port of the deployment ${deployment}; 0 picks a free one`, preset, 0, 65535)

const hour = 3_600_000
const milliseconds = (meaning: string, preset: number, least = 1): Variable<number> =>
  whole(`${meaning}, in milliseconds`, preset, least, hour)

const matching = (meaning: string, expected: string, pattern: RegExp, preset: string): Variable<string> => ({
  meaning,
  preset,
  expected,
  read: (text) => (pattern.test(text) ? text : undefined),
})

/** pino's levels. */
export type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
const levels: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** What consists of digits and dots alone is an address or a mistake, never a name. */
const isHostName = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[0-9.]+$/.test(text)

const host: Variable<string> = {
  meaning: 'address to bind',
  preset: '127.0.0.1',
  expected: 'an IP address or a host name',
  read: (text) => (isIP(text) || isHostName(text) ? text : undefined),
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Missing, forbidden or no path at all: for a setting it is the same.
    return false
  }
}

const workingDirectory: Variable<string> = {
  meaning: 'folder of myfile.txt and static-files/',
  preset: '.',
  expected: 'a folder that exists',
  read: (text) => (isFolder(text) ? resolve(text) : undefined),
}

const secretToken: Variable<string> = {
  meaning: 'bearer token for /secret; better as a variable, since command lines can be read by others',
  expected: 'visible ASCII characters without spaces',
  secret: true,
  read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
}

/** What moves the bytes: node:http, or Node's parser alone. */
export type Adapter = 'node' | 'llhttp'
const adapters: readonly Adapter[] = ['node', 'llhttp']

const adapter: Variable<Adapter> = {
  meaning: 'what moves the bytes: node:http, or swift, which takes less time and rests on what Node keeps to itself',
  preset: 'node',
  expected: `one of ${adapters.join(', ')}`,
  read: (text) => adapters.find((one) => one === text),
}

const logLevel: Variable<Level> = {
  meaning: 'what is logged',
  preset: 'info',
  expected: `one of ${levels.join(', ')}`,
  read: (text) => levels.find((level) => level === text),
}

/** More would be a mistake on any machine that there is. */
const mostWorkers = 1000

const workers: Variable<number> = {
  meaning: 'processes that share the ports; auto is one a core',
  preset: '1',
  expected: `a whole number from 1 to ${mostWorkers}, or auto`,
  read: (text) => (text === 'auto' ? availableParallelism() : whole('', 1, 1, mostWorkers).read(text)),
}

/** `10.0.0.1, fd00::/64` as one that tells whether an address is among them; nothing where one of them is none. */
function networks(text: string): BlockList | undefined {
  const list = new BlockList()
  for (const network of text.split(',')) {
    const [address = '', length, ...more] = network.trim().split('/')
    const [family, most] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    if (isIP(address) === 0 || more.length > 0) return undefined
    if (length === undefined) list.addAddress(address, family)
    else if (/^[0-9]{1,3}$/.test(length) && Number(length) <= most) list.addSubnet(address, Number(length), family)
    else return undefined
  }
  return list
}

const trustedProxies: Variable<BlockList> = {
  meaning: 'load balancers whose X-Forwarded-For is believed',
  expected: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
  read: networks,
}

/** An origin as browsers write it: `https://example.org`, `http://localhost:5173`. */
const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** `*`, or origins separated by commas. */
function origins(text: string): '*' | readonly string[] | undefined {
  if (text.trim() === '*') return '*'
  const all = text.split(',').map((one) => one.trim())
  return all.every(isOrigin) ? Object.freeze(all) : undefined
}

const corsOrigins: Variable<'*' | readonly string[]> = {
  meaning: 'origins whose pages may call the service, separated by commas; * is every one, without it none is told anything',
  expected: 'origins such as https://example.org, separated by commas, or *',
  read: origins,
}

/** The environment variables and what each gives. */
export interface Variables {
  readonly HOST: Variable<string>
  readonly PORT: Variable<number>
  readonly PAGINATION_PORT: Variable<number>
  readonly DOCS_PORT: Variable<number>
  readonly METRICS_PORT: Variable<number>
  readonly DATABASE_URL: Variable<string>
  readonly DATABASE_CONNECTIONS: Variable<number>
  readonly DATABASE_TIMEOUT_MS: Variable<number>
  readonly WORKERS: Variable<number>
  readonly TRUSTED_PROXIES: Variable<BlockList>
  readonly WORKING_DIR: Variable<string>
  readonly SENDER_ADDRESS: Variable<string>
  readonly SECRET_TOKEN: Variable<string>
  readonly LOG_LEVEL: Variable<Level>
  readonly MAX_BODY_BYTES: Variable<number>
  readonly REQUEST_TIMEOUT_MS: Variable<number>
  readonly HEADERS_TIMEOUT_MS: Variable<number>
  readonly KEEP_ALIVE_TIMEOUT_MS: Variable<number>
  readonly HANDLER_TIMEOUT_MS: Variable<number>
  readonly MAX_WAIT_MS: Variable<number>
  readonly READER_TIMEOUT_MS: Variable<number>
  readonly SHUTDOWN_GRACE_MS: Variable<number>
  readonly MAX_CONNECTIONS: Variable<number>
  readonly ADAPTER: Variable<Adapter>
  readonly CORS_ORIGINS: Variable<'*' | readonly string[]>
  readonly MAX_RANGE_LIMIT: Variable<number>
}

export const variables: Variables = Object.freeze({
  HOST: host,
  PORT: port('main', 8081),
  PAGINATION_PORT: port('pagination', 1442),
  DOCS_PORT: port('docs', 8082),
  METRICS_PORT: metricsPort,
  DATABASE_URL: matching(
    'where everything is kept',
    'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
    /^(sqlite:[^\0]+|postgres(ql)?:\/\/.+)$/,
    'sqlite:data/service.db',
  ),
  DATABASE_CONNECTIONS: whole('connections that one process keeps to PostgreSQL at most', 10, 1, 1000),
  DATABASE_TIMEOUT_MS: milliseconds('time for the database to answer, the wait for a connection included; PostgreSQL only', 900),
  WORKERS: workers,
  TRUSTED_PROXIES: trustedProxies,
  WORKING_DIR: workingDirectory,
  SENDER_ADDRESS: matching('sender of the marketing email', 'an email address', /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, 'great@company.com'),
  SECRET_TOKEN: secretToken,
  LOG_LEVEL: logLevel,
  MAX_BODY_BYTES: whole('largest request body, in bytes', 1_048_576, 0, 1_073_741_824),
  REQUEST_TIMEOUT_MS: milliseconds('time for a request to arrive whole', 9000),
  HEADERS_TIMEOUT_MS: milliseconds('time for its headers to arrive', 8000),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds('how long an idle connection stays open', 5000),
  HANDLER_TIMEOUT_MS: milliseconds('time for an answer to be made once its request is whole, or for the first piece of a stream', 8000),
  MAX_WAIT_MS: milliseconds('a request that would wait for longer than this to be begun is answered 503 at once', 500),
  READER_TIMEOUT_MS: milliseconds('time for a client to take something more of its answer', 30_000),
  SHUTDOWN_GRACE_MS: milliseconds('time for running requests to end when the service stops', 10_000, 0),
  MAX_CONNECTIONS: whole('connections that one process serves at once on one port; more are answered 503', 10_000, 1, 1_000_000),
  ADAPTER: adapter,
  CORS_ORIGINS: corsOrigins,
  MAX_RANGE_LIMIT: whole('largest page of a range', 1000, 1, 1_000_000),
})

export type VariableName = keyof Variables

/** The variable's flag on the command line: `DATABASE_URL` is `--database-url`. */
export const flagOf = (name: VariableName): string => `--${name.toLowerCase().replaceAll('_', '-')}`

export const variableNames: readonly VariableName[] = Object.freeze(Object.keys(variables) as VariableName[]) // Object.keys forgets the literal type
