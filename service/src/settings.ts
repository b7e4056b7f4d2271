/** The settings of the service, read once at the start from environment variables and the command line. */

import { redactUrl } from './redact.ts'
import type { Flags } from './settings/commandLine.ts'
import {
  type Deployment,
  deployments,
  flagOf,
  portVariable,
  SettingError,
  type ValueOf,
  type VariableName,
  variables,
} from './settings/variables.ts'

export { type CommandLine, readCommandLine } from './settings/commandLine.ts'
export { type Deployment, deployments, SettingError } from './settings/variables.ts'

/** The settings. Times are in milliseconds, sizes in bytes. */
export type Settings = ReturnType<typeof readSettings>

/** The adapter that moves the bytes. */
export type AdapterName = ValueOf<'ADAPTER'>

export type LogLevel = ValueOf<'LOG_LEVEL'>

type Environment = Readonly<Record<string, string | undefined>>

/** The text of a setting, and the name of the variable or flag that it came from. */
interface GivenSetting {
  readonly text: string
  readonly name: string
}

interface SettingReader {
  readonly given: (name: VariableName) => GivenSetting | undefined
  /** The given value, or else the preset. */
  readonly required: <Name extends VariableName>(name: Name, preset?: string) => ValueOf<Name>
  readonly optional: <Name extends VariableName>(name: Name) => ValueOf<Name> | undefined
}

function createReader(environment: Environment, flags: Flags): SettingReader {
  const given = (name: VariableName): GivenSetting | undefined => {
    const flag = flags[name]
    if (flag !== undefined) return { text: flag, name: flagOf(name) }
    const text = environment[name]
    // Shells and compose files write an unset variable as an empty one.
    return text === undefined || text === '' ? undefined : { text, name }
  }
  const parse = <Name extends VariableName>(name: Name, { text, name: source }: GivenSetting): ValueOf<Name> => {
    const { read, expected, secret } = variables[name]
    const value = read(text)
    if (value === undefined) throw new SettingError(source, secret ? undefined : redactUrl(text), expected)
    return value as ValueOf<Name> // the compiler does not follow `name` from the table to its type
  }
  return {
    given,
    required: (name, preset = variables[name].preset) => parse(name, given(name) ?? { text: preset ?? '', name }),
    optional: (name) => {
      const found = given(name)
      return found && parse(name, found)
    },
  }
}

/** Port 0 picks a free port for each deployment. Any other port serves one deployment. */
function checkPorts(ports: Readonly<Record<Deployment, number>>, started: readonly Deployment[]): void {
  for (const [index, deployment] of started.entries()) {
    const other = started.slice(0, index).find((earlier) => ports[earlier] === ports[deployment] && ports[deployment] !== 0)
    if (other)
      throw new SettingError(portVariable[deployment], `${ports[deployment]}`, `another port than the one of the deployment ${other}`)
  }
}

/**
 * Reads the settings. Flags override environment variables, and those override the presets.
 * Throws `SettingError` for the first invalid one.
 */
export function readSettings(environment: Environment, flags: Flags = {}, started: readonly Deployment[] = deployments) {
  const { given, required, optional } = createReader(environment, flags)
  const isDocsAlone = started.length === 1 && started[0] === 'docs'
  const ports = Object.freeze({
    main: required('PORT'),
    pagination: required('PAGINATION_PORT'),
    docs: required('DOCS_PORT', isDocsAlone ? variables.PORT.preset : variables.DOCS_PORT.preset),
  })
  checkPorts(ports, started)
  const metricsPort = optional('METRICS_PORT')
  const sharing = metricsPort === 0 ? undefined : started.find((deployment) => ports[deployment] === metricsPort)
  if (sharing) {
    const name = given('METRICS_PORT')?.name ?? 'METRICS_PORT'
    throw new SettingError(name, `${metricsPort}`, `another port than the one of the deployment ${sharing}`)
  }
  const requestTimeout = required('REQUEST_TIMEOUT_MS')
  const headersTimeout = required('HEADERS_TIMEOUT_MS')
  const givenHeaders = given('HEADERS_TIMEOUT_MS')
  if (givenHeaders && headersTimeout > requestTimeout) {
    throw new SettingError(givenHeaders.name, givenHeaders.text, `no more than REQUEST_TIMEOUT_MS, which is ${requestTimeout}`)
  }
  const databaseUrl = required('DATABASE_URL')
  const workers = required('WORKERS')
  const givenWorkers = given('WORKERS')
  if (givenWorkers && workers !== 1 && databaseUrl === 'sqlite::memory:') {
    throw new SettingError(
      givenWorkers.name,
      givenWorkers.text,
      '1 with sqlite::memory:, since each process would have a database of its own',
    )
  }
  return Object.freeze({
    deployments: started,
    host: required('HOST'),
    ports,
    metricsPort,
    databaseUrl,
    databaseConnections: required('DATABASE_CONNECTIONS'),
    databaseTimeout: required('DATABASE_TIMEOUT_MS'),
    workers,
    trustedProxies: optional('TRUSTED_PROXIES'),
    /** An absolute path. */
    workingDirectory: required('WORKING_DIR'),
    senderAddress: required('SENDER_ADDRESS'),
    secretToken: optional('SECRET_TOKEN'),
    logLevel: required('LOG_LEVEL'),
    maxBodyBytes: required('MAX_BODY_BYTES'),
    requestTimeout,
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    keepAliveTimeout: required('KEEP_ALIVE_TIMEOUT_MS'),
    handlerTimeout: required('HANDLER_TIMEOUT_MS'),
    maxWait: required('MAX_WAIT_MS'),
    readerTimeout: required('READER_TIMEOUT_MS'),
    shutdownGrace: required('SHUTDOWN_GRACE_MS'),
    maxConnections: required('MAX_CONNECTIONS'),
    adapter: required('ADAPTER'),
    corsOrigins: optional('CORS_ORIGINS'),
    maxRangeLimit: required('MAX_RANGE_LIMIT'),
  })
}
