/** Everything that can be set, read from the environment and the command line once, when the service starts. */

import type { BlockList } from 'node:net'
import { harmlessUrl } from './harmlessUrl.ts'
import { BadSetting } from './settings/badSetting.ts'
import { type CommandLine, type Flags, portOf } from './settings/commandLine.ts'
import { type Deployment, deployments } from './settings/deployment.ts'
import { type Adapter, flagOf, type Level, type VariableName, type Variables, variables } from './settings/variables.ts'

export { commandLine } from './settings/commandLine.ts'
export { type Adapter, BadSetting, type CommandLine, type Deployment, type Level }

/** Times are in milliseconds, sizes in bytes. */
export interface Settings {
  /** What to start. */
  readonly deployments: readonly Deployment[]
  readonly host: string
  /** 0 picks a free port. */
  readonly ports: Readonly<Record<Deployment, number>>
  /** Where the metrics are, if anywhere; 0 picks a free one. */
  readonly metricsPort: number | undefined
  readonly databaseUrl: string
  /** How many connections one process keeps to the database at most. */
  readonly databaseConnections: number
  /** How long the database may take to answer. */
  readonly databaseTimeout: number
  /** How many processes serve. */
  readonly workers: number
  /** Whom to believe about whom they speak for. */
  readonly trustedProxies: BlockList | undefined
  /** An absolute path. */
  readonly workingDirectory: string
  readonly senderAddress: string
  /** Without one, nobody reaches the secrets. */
  readonly secretToken: string | undefined
  readonly logLevel: Level
  readonly maxBodyBytes: number
  readonly requestTimeout: number
  /** Never more than `requestTimeout`. */
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
  readonly handlerTimeout: number
  /** In milliseconds. */
  readonly longestWait: number
  readonly readerTimeout: number
  readonly shutdownGrace: number
  readonly maxConnections: number
  /** Where this Node cannot carry swiftly, node:http does. */
  readonly adapter: Adapter
  /** Whose pages may call; without it, nobody's of another origin. */
  readonly corsOrigins: '*' | readonly string[] | undefined
  readonly maxRangeLimit: number
}

/** The text of a setting and by which name it was given. */
interface Given {
  readonly text: string
  readonly name: string
}

type Environment = Readonly<Record<string, string | undefined>>
type Value<Name extends VariableName> = Exclude<ReturnType<Variables[Name]['read']>, undefined>

/** Reads one setting after another from one place. */
interface Reader {
  readonly given: (name: VariableName) => Given | undefined
  /** The value given, or else the preset. */
  readonly read: <Name extends VariableName>(name: Name, preset?: string) => Value<Name>
  readonly readOptional: <Name extends VariableName>(name: Name) => Value<Name> | undefined
}

function reader(environment: Environment, flags: Flags): Reader {
  const given = (name: VariableName): Given | undefined => {
    const flag = flags[name]
    if (flag !== undefined) return { text: flag, name: flagOf(name) }
    const text = environment[name]
    // An empty variable is how shells and compose files write one that is not set.
    return text === undefined || text === '' ? undefined : { text, name }
  }
  const value = <Name extends VariableName>(name: Name, { text, name: as }: Given): Value<Name> => {
    const { read, expected, secret } = variables[name]
    const result = read(text)
    if (result === undefined) throw new BadSetting(as, secret ? undefined : harmlessUrl(text), expected)
    return result as Value<Name> // the compiler does not follow `name` from the table to its type
  }
  const readOptional: Reader['readOptional'] = (name) => {
    const found = given(name)
    return found && value(name, found)
  }
  const read: Reader['read'] = (name, preset = variables[name].preset) => readOptional(name) ?? value(name, { text: preset ?? '', name })
  return { given, read, readOptional }
}

/** A free port may be picked for each; one that is named serves one deployment. */
function apart(ports: Settings['ports'], started: readonly Deployment[]): void {
  for (const [index, deployment] of started.entries()) {
    const other = started.slice(0, index).find((earlier) => ports[earlier] === ports[deployment] && ports[deployment] !== 0)
    if (other) throw new BadSetting(portOf[deployment], String(ports[deployment]), `another port than the one of the deployment ${other}`)
  }
}

/**
 * The settings: those on the command line win over environment variables, those over the presets.
 * Throws `BadSetting` for the first that will not do.
 */
export function settings(environment: Environment, flags: Flags = {}, started: readonly Deployment[] = deployments): Settings {
  const { given, read, readOptional } = reader(environment, flags)
  const alone = started.length === 1 && started[0] === 'docs'
  const ports = Object.freeze({
    main: read('PORT'),
    pagination: read('PAGINATION_PORT'),
    docs: read('DOCS_PORT', alone ? variables.PORT.preset : variables.DOCS_PORT.preset),
  })
  apart(ports, started)
  const metricsPort = readOptional('METRICS_PORT')
  const shared = metricsPort === 0 ? undefined : started.find((deployment) => ports[deployment] === metricsPort)
  if (shared)
    throw new BadSetting(
      given('METRICS_PORT')?.name ?? 'METRICS_PORT',
      `${metricsPort}`,
      `another port than the one of the deployment ${shared}`,
    )
  const requestTimeout = read('REQUEST_TIMEOUT_MS')
  const headersTimeout = read('HEADERS_TIMEOUT_MS')
  const headers = given('HEADERS_TIMEOUT_MS')
  if (headers && headersTimeout > requestTimeout) {
    throw new BadSetting(headers.name, headers.text, `no more than REQUEST_TIMEOUT_MS, which is ${requestTimeout}`)
  }
  const databaseUrl = read('DATABASE_URL')
  const workers = read('WORKERS')
  const several = given('WORKERS')
  if (several && workers !== 1 && databaseUrl === 'sqlite::memory:') {
    throw new BadSetting(several.name, several.text, '1 with sqlite::memory:, since each process would have a database of its own')
  }
  return Object.freeze({
    deployments: started,
    host: read('HOST'),
    ports,
    metricsPort,
    databaseUrl,
    databaseConnections: read('DATABASE_CONNECTIONS'),
    databaseTimeout: read('DATABASE_TIMEOUT_MS'),
    workers,
    trustedProxies: readOptional('TRUSTED_PROXIES'),
    workingDirectory: read('WORKING_DIR'),
    senderAddress: read('SENDER_ADDRESS'),
    secretToken: readOptional('SECRET_TOKEN'),
    logLevel: read('LOG_LEVEL'),
    maxBodyBytes: read('MAX_BODY_BYTES'),
    requestTimeout,
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    keepAliveTimeout: read('KEEP_ALIVE_TIMEOUT_MS'),
    handlerTimeout: read('HANDLER_TIMEOUT_MS'),
    longestWait: read('MAX_WAIT_MS'),
    readerTimeout: read('READER_TIMEOUT_MS'),
    shutdownGrace: read('SHUTDOWN_GRACE_MS'),
    maxConnections: read('MAX_CONNECTIONS'),
    adapter: read('ADAPTER'),
    corsOrigins: readOptional('CORS_ORIGINS'),
    maxRangeLimit: read('MAX_RANGE_LIMIT'),
  })
}
