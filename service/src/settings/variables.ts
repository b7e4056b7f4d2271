/** Every setting by its environment variable: its meaning, its default and its allowed values. */

import { statSync } from 'node:fs'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

/** A deployment that one process can serve beside the others. */
export type Deployment = 'main' | 'pagination' | 'docs'

/** Every deployment, in the order in which they start. */
export const deployments: readonly Deployment[] = Object.freeze(['main', 'pagination', 'docs'])

/** One setting as text. */
interface Variable<Value> {
  readonly meaning: string
  /** The default as text. Absent if the setting is optional. */
  readonly preset?: string
  /** The end of the sentence "X is Y: expected …". */
  readonly expected: string
  /** Whether error messages hide the value. */
  readonly secret?: boolean
  /** Returns `undefined` for invalid text. */
  readonly read: (text: string) => Value | undefined
}

const integer = (meaning: string, preset: number | undefined, min: number, max: number): Variable<number> => ({
  meaning,
  ...(preset === undefined ? {} : { preset: String(preset) }),
  expected: `a whole number from ${min} to ${max}`,
  read: (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  },
})

const port = (deployment: Deployment, preset: number): Variable<number> =>
  integer(`port of the deployment ${deployment}; 0 picks a free one`, preset, 0, 65535)

const milliseconds = (meaning: string, preset: number, min = 1): Variable<number> => integer(meaning, preset, min, 3_600_000)

const choice = <Value extends string>(meaning: string, preset: Value, values: readonly Value[]): Variable<Value> => ({
  meaning,
  preset,
  expected: `one of ${values.join(', ')}`,
  read: (text) => values.find((value) => value === text),
})

const matching = (pattern: RegExp, rest: Omit<Variable<string>, 'read'>): Variable<string> => ({
  ...rest,
  read: (text) => (pattern.test(text) ? text : undefined),
})

/** Text of digits and dots alone is an address or a mistake, never a name. */
const isHostName = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[0-9.]+$/.test(text)

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Reads `10.0.0.1, fd00::/64`. */
function readNetworks(text: string): BlockList | undefined {
  const list = new BlockList()
  for (const network of text.split(',')) {
    const [address = '', length, ...more] = network.trim().split('/')
    const [family, maxLength] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    if (isIP(address) === 0 || more.length > 0) return undefined
    if (length === undefined) list.addAddress(address, family)
    else if (/^[0-9]{1,3}$/.test(length) && Number(length) <= maxLength) list.addSubnet(address, Number(length), family)
    else return undefined
  }
  return list
}

/** An origin as browsers write it, such as `https://example.org` or `http://localhost:5173`. */
const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Reads `*`, or origins separated by commas. */
function readOrigins(text: string): '*' | readonly string[] | undefined {
  if (text.trim() === '*') return '*'
  const origins = text.split(',').map((origin) => origin.trim())
  return origins.every(isOrigin) ? Object.freeze(origins) : undefined
}

const maxWorkers = 1000

const host: Variable<string> = {
  meaning: 'address to bind',
  preset: '127.0.0.1',
  expected: 'an IP address or a host name',
  read: (text) => (isIP(text) || isHostName(text) ? text : undefined),
}

const workers: Variable<number> = {
  meaning: 'processes that share the ports; auto is one per core',
  preset: '1',
  expected: `a whole number from 1 to ${maxWorkers}, or auto`,
  read: (text) => (text === 'auto' ? availableParallelism() : integer('', 1, 1, maxWorkers).read(text)),
}

const trustedProxies: Variable<BlockList> = {
  meaning: 'load balancers that the service trusts to name the client in X-Forwarded-For: addresses and networks, separated by commas',
  expected: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
  read: readNetworks,
}

const workingDirectory: Variable<string> = {
  meaning: 'folder with myfile.txt and static-files/',
  preset: '.',
  expected: 'a folder that exists',
  read: (text) => (isFolder(text) ? resolve(text) : undefined),
}

const corsOrigins: Variable<'*' | readonly string[]> = {
  meaning: 'origins whose pages may call the service, separated by commas; * is every one; none: no CORS headers',
  expected: 'origins such as https://example.org, separated by commas, or *',
  read: readOrigins,
}

export const variables = Object.freeze({
  HOST: host,
  PORT: port('main', 8081),
  PAGINATION_PORT: port('pagination', 1442),
  DOCS_PORT: port('docs', 8082),
  METRICS_PORT: integer(
    'port of the metrics for Prometheus, apart from the others; 0 picks a free one; none: no metrics',
    undefined,
    0,
    65535,
  ),
  DATABASE_URL: matching(/^(sqlite:[^\0]+|postgres(ql)?:\/\/.+)$/, {
    meaning: 'the database',
    preset: 'sqlite:data/service.db',
    expected: 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
  }),
  DATABASE_CONNECTIONS: integer('largest number of connections to PostgreSQL per process', 10, 1, 1000),
  DATABASE_TIMEOUT_MS: milliseconds('milliseconds for PostgreSQL to answer, with the wait for a connection; then 503', 900),
  WORKERS: workers,
  TRUSTED_PROXIES: trustedProxies,
  WORKING_DIR: workingDirectory,
  SENDER_ADDRESS: matching(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, {
    meaning: 'sender of the marketing email',
    preset: 'great@company.com',
    expected: 'an email address',
  }),
  SECRET_TOKEN: matching(/^[!-~]+$/, {
    meaning: 'bearer token for /secret; set it as a variable, because other users can read command lines',
    expected: 'visible ASCII characters without spaces',
    secret: true,
  }),
  LOG_LEVEL: choice('lowest level of log lines; info has one line per request', 'info', [
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'fatal',
    'silent',
  ]),
  MAX_BODY_BYTES: integer('largest request body in bytes; a larger one is answered 413', 1_048_576, 0, 1_073_741_824),
  REQUEST_TIMEOUT_MS: milliseconds('milliseconds for a request to arrive completely; then 408', 9000),
  HEADERS_TIMEOUT_MS: milliseconds('milliseconds for its headers to arrive; then 408', 8000),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds('milliseconds that an idle connection stays open', 5000),
  HANDLER_TIMEOUT_MS: milliseconds('milliseconds for a handler, or for the first item of a stream; then 503', 8000),
  MAX_WAIT_MS: milliseconds(
    'milliseconds that a request may wait for its handler; one that would wait longer is answered 503 at once',
    500,
  ),
  READER_TIMEOUT_MS: milliseconds('milliseconds for a client to read more of its response; then the connection is cut', 30_000),
  SHUTDOWN_GRACE_MS: milliseconds('milliseconds for running requests when the service stops', 10_000, 0),
  MAX_CONNECTIONS: integer('largest number of connections per process and port; more are answered 503', 10_000, 1, 1_000_000),
  ADAPTER: choice("what moves the bytes: node:http, or Node's parser alone (llhttp), which is faster and experimental", 'node', [
    'node',
    'llhttp',
  ]),
  CORS_ORIGINS: corsOrigins,
  MAX_RANGE_LIMIT: integer('largest page; a larger limit is lowered to it', 1000, 1, 1_000_000),
})

export type VariableName = keyof typeof variables

/** The type of a setting. */
export type ValueOf<Name extends VariableName> = (typeof variables)[Name] extends Variable<infer Value> ? Value : never

export const variableNames: readonly VariableName[] = Object.freeze(Object.keys(variables) as VariableName[]) // Object.keys forgets the literal type

/** The flag of a variable: `DATABASE_URL` is `--database-url`. */
export const flagOf = (name: VariableName): string => `--${name.toLowerCase().replaceAll('_', '-')}`

/** The variable with the port of each deployment. */
export const portVariable = Object.freeze({ main: 'PORT', pagination: 'PAGINATION_PORT', docs: 'DOCS_PORT' } as const)

/** Longer values are cut, so that the message is one line. */
const maxQuoted = 100

/** An invalid setting. The message is one line: the setting, its value, what is allowed. */
export class SettingError extends Error {
  override readonly name = 'SettingError'

  /** The message quotes `value`, if there is one. */
  constructor(setting: string, value: string | undefined, expected: string) {
    const quoted = value !== undefined && value.length > maxQuoted ? `${value.slice(0, maxQuoted)}…` : value
    super(`${setting} ${quoted === undefined ? 'cannot be used' : `is ${JSON.stringify(quoted)}`}: expected ${expected}.`)
  }
}
