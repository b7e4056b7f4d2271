/** The settings of the service, read once at the start from environment variables and the command line. */
import { existsSync, statSync } from 'node:fs'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { redactUrl } from './redact.ts'

/** Every deployment, in the order in which they start. One process can serve all of them. */
export const deployments = ['main', 'pagination', 'docs'] as const
export type Deployment = (typeof deployments)[number]

/** An invalid setting. The message is one line: the setting, its value, what is allowed. */
export class SettingError extends Error {
  override readonly name = 'SettingError'

  /** The message quotes `value`, if there is one. A long one is cut, so that the message is one line. */
  constructor(setting: string, value: string | undefined, expected: string) {
    const quoted = value !== undefined && value.length > 100 ? `${value.slice(0, 100)}…` : value
    super(`${setting} ${quoted === undefined ? 'cannot be used' : `is ${JSON.stringify(quoted)}`}: expected ${expected}.`)
  }
}

/** A setting by its environment variable. */
interface Variable<Value> {
  readonly meaning: string
  /** The default as text. Absent if the setting is optional. */
  readonly preset?: string
  /** The end of the sentence "X is Y: expected …". */
  readonly expected: string
  /** Returns `undefined` for invalid text. */
  readonly read: (text: string) => Value | undefined
  /** Whether error messages hide the value. */
  readonly isSecret?: boolean
}

const variable = <Value>(definition: Variable<Value>): Variable<Value> => definition

const matching = (pattern: RegExp, rest: Omit<Variable<string>, 'read'>): Variable<string> => ({
  ...rest,
  read: (text) => (pattern.test(text) ? text : undefined),
})

const choice = <const Value extends string>(preset: NoInfer<Value>, values: readonly Value[], meaning: string): Variable<Value> => ({
  meaning,
  preset,
  expected: `one of ${values.join(', ')}`,
  read: (text) => values.find((value) => value === text),
})

const integer = (preset: number, min: number, max: number, meaning: string): Variable<number> => ({
  meaning,
  preset: String(preset),
  expected: `a whole number from ${min} to ${max}`,
  read: (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  },
})

const milliseconds = (preset: number, meaning: string): Variable<number> => integer(preset, 1, 3_600_000, meaning)
const port = (preset: number, meaning: string): Variable<number> => integer(preset, 0, 65535, `${meaning}; 0 picks a free one`)

/** Text of digits and dots alone is an address or a mistake, never a name. */
const isHostName = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[0-9.]+$/.test(text)

/** An origin as browsers write it. */
const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Reads `10.0.0.1, fd00::/64`. */
function readNetworks(text: string): BlockList | undefined {
  const list = new BlockList()
  for (const network of text.split(',')) {
    const [, address = '', length] = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(network.trim()) ?? []
    const [family, maxLength] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    if (isIP(address) === 0 || Number(length ?? 0) > maxLength) return undefined
    list.addSubnet(address, Number(length ?? maxLength), family)
  }
  return list
}

/** A file that exists. */
const existingFile = (meaning: string): Variable<string> =>
  variable({
    meaning,
    expected: 'a file that exists',
    read: (text) => (existsSync(text) && statSync(text).isFile() ? resolve(text) : undefined),
  })

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const variables = Object.freeze({
  HOST: variable({
    meaning: 'address to bind',
    preset: '127.0.0.1',
    expected: 'an IP address or a host name',
    read: (text) => (isIP(text) || isHostName(text) ? text : undefined),
  }),
  PORT: port(8081, 'port of the deployment main'),
  PAGINATION_PORT: port(1442, 'port of the deployment pagination'),
  DOCS_PORT: port(8082, 'port of the deployment docs'),
  METRICS_PORT: variable({
    meaning: 'port of the metrics for Prometheus, apart from the others; 0 picks a free one; none: no metrics',
    expected: port(0, '').expected,
    read: port(0, '').read,
  }),
  DATABASE_URL: matching(/^(sqlite:[^\0]+|postgres(ql)?:\/\/.+)$/, {
    meaning: 'the database',
    preset: 'sqlite:data/service.db',
    expected: 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE',
  }),
  DATABASE_CONNECTIONS: integer(10, 1, 1000, 'largest number of connections to PostgreSQL per process'),
  DATABASE_TIMEOUT_MS: milliseconds(900, 'milliseconds for PostgreSQL to answer, with the wait for a connection; then 503'),
  TLS_KEY: existingFile('file with the private key, as PEM; with TLS_CERT, the deployments speak HTTPS and HTTP/2'),
  TLS_CERT: existingFile('file with the certificate and its chain, as PEM; read again when it changes'),
  WORKERS: variable({
    meaning: 'processes that share the ports; auto is one per core',
    preset: '1',
    expected: 'a whole number from 1 to 1000, or auto',
    read: (text) => (text === 'auto' ? availableParallelism() : integer(1, 1, 1000, '').read(text)),
  }),
  TRUSTED_PROXIES: variable({
    meaning: 'load balancers that the service trusts to name the client in X-Forwarded-For: addresses and networks, separated by commas',
    expected: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
    read: readNetworks,
  }),
  WORKING_DIR: variable({
    meaning: 'folder with myfile.txt and static-files/',
    preset: '.',
    expected: 'a folder that exists',
    read: (text) => (existsSync(text) && statSync(text).isDirectory() ? resolve(text) : undefined),
  }),
  SENDER_ADDRESS: matching(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, {
    meaning: 'sender of the marketing email',
    preset: 'great@company.com',
    expected: 'an email address',
  }),
  SECRET_TOKEN: matching(/^[!-~]+$/, {
    meaning: 'bearer token for /secret; set it as a variable, because other users can read command lines',
    expected: 'visible ASCII characters without spaces',
    isSecret: true,
  }),
  LOG_LEVEL: choice('info', logLevels, 'lowest level of log lines; info has one line per request'),
  MAX_BODY_BYTES: integer(1_048_576, 0, 1_073_741_824, 'largest request body in bytes; a larger one is answered 413'),
  REQUEST_TIMEOUT_MS: milliseconds(9000, 'milliseconds for a request to arrive completely; then 408'),
  HEADERS_TIMEOUT_MS: milliseconds(8000, 'milliseconds for its headers to arrive; then 408'),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(5000, 'milliseconds that an idle connection stays open'),
  HANDLER_TIMEOUT_MS: milliseconds(8000, 'milliseconds for a handler, or for the first item of a stream; then 503'),
  MAX_WAIT_MS: milliseconds(
    500,
    'milliseconds that a request may wait for its handler; one that would wait longer is answered 503 at once',
  ),
  READER_TIMEOUT_MS: milliseconds(30_000, 'milliseconds for a client to read more of its response; then the connection is cut'),
  SHUTDOWN_GRACE_MS: integer(10_000, 0, 3_600_000, 'milliseconds for running requests when the service stops'),
  MAX_CONNECTIONS: integer(10_000, 1, 1_000_000, 'largest number of connections per process and port; more are answered 503'),
  ADAPTER: choice(
    'node',
    ['node', 'llhttp'],
    "what moves the bytes: node:http, or Node's parser alone (llhttp), which is faster and experimental",
  ),
  COMPRESSION: choice(
    'off',
    ['off', 'on'],
    'on: responses of 1,024 bytes and more are compressed, and compressed bodies of requests are accepted',
  ),
  CORS_ORIGINS: variable({
    meaning: 'origins whose pages may call the service, separated by commas; * is every one; none: no CORS headers',
    expected: 'origins such as https://example.org, separated by commas, or *',
    read: (text): '*' | readonly string[] | undefined => {
      const origins = text.split(',').map((origin) => origin.trim())
      return text.trim() === '*' ? '*' : origins.every(isOrigin) ? Object.freeze(origins) : undefined
    },
  }),
  RATE_LIMIT: variable({
    meaning: 'requests that an address may make to each process, and in how many seconds, such as 100/60; then 429; none: no limit',
    expected: 'two whole numbers from 1 to 1000000000, such as 100/60',
    read: (text) => {
      const [, quota = 0, window = 0] = (/^([0-9]{1,10})\/([0-9]{1,10})$/.exec(text) ?? []).map(Number)
      return [quota, window].every((value) => value >= 1 && value <= 1_000_000_000) ? { name: 'address', quota, window } : undefined
    },
  }),
  MAX_RANGE_LIMIT: integer(1000, 1, 1_000_000, 'largest page; a larger limit is lowered to it'),
})

export type VariableName = keyof typeof variables

type ValueOf<Name extends VariableName> = (typeof variables)[Name] extends Variable<infer Value> ? Value : never

export const variableNames: readonly VariableName[] = Object.freeze(Object.keys(variables) as VariableName[]) // Object.keys forgets the literal type

/** The variable with the port of each deployment. */
const portVariable = Object.freeze({ main: 'PORT', pagination: 'PAGINATION_PORT', docs: 'DOCS_PORT' } as const)

/** The texts of settings, and the variables or flags that they came from. */
type GivenSettings = { readonly [Name in VariableName]?: { readonly source: string; readonly text: string } }

function readDeployments(names: readonly string[]): readonly Deployment[] {
  for (const [index, name] of names.entries()) {
    if (!deployments.some((deployment) => deployment === name)) throw new SettingError('The deployment', name, deployments.join(', '))
    if (names.indexOf(name) < index) throw new SettingError('The deployment', name, 'each deployment to be named once')
  }
  return names.length === 0 ? deployments : deployments.filter((deployment) => names.includes(deployment))
}

/**
 * Reads the arguments after the name of the program: the deployments to start, all of them if none is named, and the flags. Prints the help
 * and ends the process for `--help`. Throws `SettingError`.
 */
export function readCommandLine(args: readonly string[]): { readonly deployments: readonly Deployment[]; readonly flags: GivenSettings } {
  let flags: GivenSettings = {}
  const program = new Command('npm start --')
    .description('Starts the service. Every option is an environment variable as well; an option wins.')
    .argument('[deployments...]', `what to start: ${deployments.join(', ')} (default: all)`)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  for (const name of variableNames) {
    const { meaning, preset } = variables[name]
    const source = `--${name.toLowerCase().replaceAll('_', '-')}`
    const option =
      name === 'PORT'
        ? new Option('--port <number>', 'port of the deployment, when exactly one is named')
        : new Option(`${source} <value>`, `${name}: ${meaning}${preset === undefined ? '' : ` (default ${preset})`}`)
    program.addOption(option)
    program.on(`option:${option.name()}`, (text: string) => {
      flags = { ...flags, [name]: { source, text } }
    })
  }
  try {
    program.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) process.exit(0)
    // commander writes "error: unknown option '--prot'" and a suggestion on a second line.
    const problem = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
    throw new SettingError('The command line', args.join(' '), `known options with their values, and found ${problem}`)
  }
  const started = readDeployments(program.args)
  const { PORT: given, ...others } = flags
  if (given === undefined) return { deployments: started, flags: others }
  const [only] = started
  if (only === undefined || program.args.length !== 1)
    throw new SettingError('--port', given.text, `exactly one deployment beside it (${deployments.join(', ')})`)
  return { deployments: started, flags: { ...others, [portVariable[only]]: given } }
}

/** The settings. Times are in milliseconds, sizes in bytes. */
export type Settings = ReturnType<typeof readSettings>

export type LogLevel = ValueOf<'LOG_LEVEL'>

/** Reads the settings. Flags override environment variables, and those override the presets. Throws `SettingError` for an invalid one. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: GivenSettings = {},
  started: readonly Deployment[] = deployments,
) {
  // Shells and compose files write an unset variable as an empty one.
  const isGiven = (name: VariableName): boolean => flags[name] !== undefined || Boolean(environment[name])
  const textOf = (name: VariableName) => flags[name] ?? { source: name, text: environment[name] || (variables[name].preset ?? '') }
  const fail = (name: VariableName, expected: string): never => {
    const { source, text } = textOf(name)
    throw new SettingError(source, variables[name].isSecret ? undefined : redactUrl(text), expected)
  }
  const read = <Name extends VariableName>(name: Name): ValueOf<Name> => {
    const value = variables[name].read(textOf(name).text) ?? fail(name, variables[name].expected)
    return value as ValueOf<Name> // the compiler does not follow `name` from the table to its type
  }
  const readOptional = <Name extends VariableName>(name: Name): ValueOf<Name> | undefined => (isGiven(name) ? read(name) : undefined)
  const isDocsAlone = started.length === 1 && started[0] === 'docs'

  const settings = Object.freeze({
    deployments: started,
    host: read('HOST'),
    ports: Object.freeze({
      main: read('PORT'),
      pagination: read('PAGINATION_PORT'),
      docs: isDocsAlone && !isGiven('DOCS_PORT') ? Number(variables.PORT.preset) : read('DOCS_PORT'),
    }),
    metricsPort: readOptional('METRICS_PORT'),
    databaseUrl: read('DATABASE_URL'),
    databaseConnections: read('DATABASE_CONNECTIONS'),
    databaseTimeout: read('DATABASE_TIMEOUT_MS'),
    tlsKey: readOptional('TLS_KEY'),
    tlsCert: readOptional('TLS_CERT'),
    workers: read('WORKERS'),
    trustedProxies: readOptional('TRUSTED_PROXIES'),
    /** An absolute path. */
    workingDirectory: read('WORKING_DIR'),
    senderAddress: read('SENDER_ADDRESS'),
    secretToken: readOptional('SECRET_TOKEN'),
    logLevel: read('LOG_LEVEL'),
    maxBodyBytes: read('MAX_BODY_BYTES'),
    requestTimeout: read('REQUEST_TIMEOUT_MS'),
    headersTimeout: Math.min(read('HEADERS_TIMEOUT_MS'), read('REQUEST_TIMEOUT_MS')),
    keepAliveTimeout: read('KEEP_ALIVE_TIMEOUT_MS'),
    handlerTimeout: read('HANDLER_TIMEOUT_MS'),
    maxWait: read('MAX_WAIT_MS'),
    readerTimeout: read('READER_TIMEOUT_MS'),
    shutdownGrace: read('SHUTDOWN_GRACE_MS'),
    maxConnections: read('MAX_CONNECTIONS'),
    adapter: read('ADAPTER'),
    compression: read('COMPRESSION') === 'on',
    corsOrigins: readOptional('CORS_ORIGINS'),
    rateLimit: readOptional('RATE_LIMIT'),
    maxRangeLimit: read('MAX_RANGE_LIMIT'),
  })

  const { ports, metricsPort, requestTimeout } = settings
  const ownPorts = started.map((deployment) => [portVariable[deployment], ports[deployment]] as const)
  for (const [index, [name, port]] of [...ownPorts, ['METRICS_PORT', metricsPort] as const].entries()) {
    // Port 0 picks a free port for each.
    const other = port ? started.slice(0, index).find((deployment) => ports[deployment] === port) : undefined
    if (other) fail(name, `another port than the one of the deployment ${other}`)
  }
  if (isGiven('HEADERS_TIMEOUT_MS') && read('HEADERS_TIMEOUT_MS') > requestTimeout)
    fail('HEADERS_TIMEOUT_MS', `no more than REQUEST_TIMEOUT_MS, which is ${requestTimeout}`)
  if (isGiven('TLS_KEY') !== isGiven('TLS_CERT')) fail(isGiven('TLS_KEY') ? 'TLS_KEY' : 'TLS_CERT', 'TLS_KEY and TLS_CERT together')
  if (isGiven('TLS_KEY') && settings.adapter !== 'node') fail('ADAPTER', 'node with TLS_KEY, since only node:http speaks TLS')
  if (settings.workers !== 1 && settings.databaseUrl === 'sqlite::memory:')
    fail('WORKERS', '1 with sqlite::memory:, since each process would have a database of its own')
  return settings
}
