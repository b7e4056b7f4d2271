/** `lapidary check ./src/api.ts --url http://127.0.0.1:8081`: whether a server is what the description says. */

import { type CheckProgress, type CheckServerOptions, checkServer, formatJUnitReport, formatReport, rules } from '@lapidary/testing'
import { escapeControlsInLine } from '@lapidary/testing/internal'
import { type Command, Option } from 'commander'
import { type Api, type AuthScheme, operations } from 'lapidary'
import * as usage from '../cliMessages.ts'
import { type ApiOptions, collectValues, createApiCommand, parseWholeNumber } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, hasColors, writeResult } from '../context.ts'
import { type HeaderOptions, readBasicCredentials, readBearerToken, readHeaderFlags } from '../credentials.ts'
import { findApi } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'

interface CheckCommandOptions extends ApiOptions, HeaderOptions {
  readonly url: string
  readonly write?: true
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  readonly without?: readonly string[]
  readonly fallback?: true
  readonly seed?: string
  readonly requests?: string
  readonly seconds?: string
  readonly time?: string
  readonly json?: string
  readonly junit?: string
}

type AnyAuthScheme = AuthScheme<unknown, unknown>

const parseNumberFlag = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseWholeNumber(name, text)

/** Only what was said: what is undefined would not be left to its default. */
const omitUndefined = <Values extends object>(values: Values): { readonly [Name in keyof Values]?: NonNullable<Values[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

/** Who is calling, for each scheme of the API that asks for what was given. */
async function readCredentials(
  api: Api,
  { user, token }: CheckCommandOptions,
  surroundings: CliContext,
): Promise<Readonly<Record<string, unknown>>> {
  const schemes = operations(api).flatMap(({ operation }) => (operation['~kind'] === 'endpoint' && operation.auth ? [operation.auth] : []))
  const of = async <Value>(takes: typeof acceptsToken, flag: string, value: Value | undefined, read: (value: Value) => unknown) => {
    const taking = value === undefined ? [] : schemes.filter(takes)
    if (value === undefined) return []
    if (taking.length === 0) throw new CliError(2, usage.missingAuthScheme(flag, [...new Set(schemes.map(({ name }) => name))]))
    const credentials = await read(value)
    return taking.map(({ name }) => [name, credentials] as const)
  }
  return Object.fromEntries([
    ...(await of(acceptsUser, '--user', user, (one) => readBasicCredentials(one, surroundings))),
    ...(await of(acceptsToken, '--token', token, (one) => readBearerToken(one, surroundings))),
  ])
}

/** Whether the credentials of a scheme are a name and a password. */
const acceptsUser = ({ challenge, openapi }: AnyAuthScheme): boolean => /^basic\b/i.test(challenge) || openapi['scheme'] === 'basic'

/** Whether they are one text; those of a scheme of one's own may be anything, as its example shows. */
const acceptsToken = (auth: AnyAuthScheme): boolean =>
  !acceptsUser(auth) && (auth.example === undefined ? /^bearer\b/i.test(auth.challenge) : typeof auth.example === 'string')

/** One line that is written over again. */
function createProgressLine({ errors }: CliContext): ((progress: CheckProgress) => void) | undefined {
  if (!errors.isTTY) return undefined
  return ({ endpoint, completed: done, total: of, requests, failures }) =>
    void errors.write(
      `\r\u001b[K${done === of ? '' : `${done}/${of}  ${requests} requests, ${failures} broken  ${escapeControlsInLine(endpoint)}`}`,
    )
}

/** Adds the command. */
export function addCheckCommand(program: Command, surroundings: CliContext): void {
  const { cwd: folder } = surroundings
  createApiCommand(program, 'check', 'Asks a server, in whatever language it is written, for everything that the description promises.')
    .requiredOption('--url <url>', 'where the server is')
    .option('--write', 'sends what changes things as well: POST, PUT, PATCH, DELETE')
    .option('--only <name>', 'an endpoint, or a group of them: users, users.item; may be repeated', collectValues)
    .option('--except <name>', 'an endpoint, or a group of them, not to look at; may be repeated', collectValues)
    .option('--fallback', 'something answers where the description has nothing: documentation, pages')
    .option('--without <predicate>', 'leaves a predicate out; may be repeated', collectValues)
    .option('--seed <number>', 'repeats a check')
    .option('--requests <number>', 'how many to send at most (default: 5000)')
    .option('--seconds <number>', 'for how long at most (default: 60)')
    .option('--time <milliseconds>', 'the time that no answer may take longer than (default: 10000)')
    .option('--json <file>', 'writes the report there as JSON')
    .option('--junit <file>', 'writes the report there as JUnit XML')
    .addOption(new Option('--user <name:password>', 'Basic credentials; without the password, LAPIDARY_PASSWORD or a question'))
    .addOption(new Option('--token [token]', 'a Bearer token; without it, LAPIDARY_TOKEN or a question'))
    .addOption(new Option('-H, --header <line>', 'a further header, "Name: value"; may be repeated').argParser(collectValues))
    .addHelpText('after', `\nPredicates:\n${rules.map(({ name, description: sentence }) => `  ${name.padEnd(16)} ${sentence}`).join('\n')}`)
    .action(async (name: string, options: CheckCommandOptions) => {
      const api = findApi(await loadModule(name, folder), options.export)
      const unknown = (options.without ?? []).find((one) => !rules.some((predicate) => predicate.name === one))
      if (unknown !== undefined)
        throw new CliError(
          2,
          usage.unknownRule(
            unknown,
            rules.map((one) => one.name),
          ),
        )
      const settings: CheckServerOptions = omitUndefined({
        write: options.write,
        only: options.only,
        except: options.except,
        fallback: options.fallback,
        seed: parseNumberFlag('--seed', options.seed),
        requests: parseNumberFlag('--requests', options.requests),
        seconds: parseNumberFlag('--seconds', options.seconds),
        time: parseNumberFlag('--time', options.time),
        credentials: await readCredentials(api, options, surroundings),
        headers: await readHeaderFlags({ header: options.header ?? [] }, surroundings),
        predicates: options.without && rules.filter((one) => !options.without?.includes(one.name)),
        watch: createProgressLine(surroundings),
      })
      const report = await convertTypeErrors(2, () => checkServer(api, options.url, settings))
      if (options.json !== undefined) await writeResult(`${JSON.stringify(report, null, 2)}\n`, options.json, surroundings)
      if (options.junit !== undefined) await writeResult(formatJUnitReport(report), options.junit, surroundings)
      await writeResult(formatReport(report, hasColors(surroundings)), undefined, surroundings, { isPainted: true })
      if (report.failures.length > 0) throw new CliError(1, usage.violationCount(report.failures.length))
    })
}
