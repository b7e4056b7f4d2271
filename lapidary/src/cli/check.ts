/** `lapidary check ./src/api.ts --url http://127.0.0.1:8081`: whether a server is what the description says. */
import { type Command, Option } from 'commander'
import { type CheckOptions, checkServer } from '../check/checkServer.ts'
import { predicates } from '../check/predicates/index.ts'
import type { Progress } from '../check/report.ts'
import { reportJunit, reportText } from '../check/reportText.ts'
import { type Api, walk } from '../describe/api.ts'
import type { Auth } from '../describe/auth.ts'
import { printableLine } from '../describe/printable.ts'
import * as usage from '../describe/usage.ts'
import { adopted } from './adopted.ts'
import { basicCredentials, bearerToken, type HeaderOptions, handHeaders } from './call/credentials.ts'
import { type ApiOptions, aboutApi, collected, wholeNumber } from './command.ts'
import { exportedApi } from './exportedApi.ts'
import { complained, Mistake } from './mistake.ts'
import { imported } from './module.ts'
import { put } from './result.ts'
import { type Surroundings, showsColours } from './surroundings.ts'

interface Options extends ApiOptions, HeaderOptions {
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

type AnyAuth = Auth<unknown, unknown>

const numberIn = (name: string, text: string | undefined): number | undefined => (text === undefined ? undefined : wholeNumber(name, text))

/** Only what was said: what is undefined would not be left to its default. */
const said = <Values extends object>(values: Values): { readonly [Name in keyof Values]?: NonNullable<Values[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

/** Who is calling, for each scheme of the API that asks for what was given. */
async function credentialsFor(api: Api, { user, token }: Options, surroundings: Surroundings): Promise<Readonly<Record<string, unknown>>> {
  const schemes = walk(api).flatMap(({ operation }) => (operation['~kind'] === 'endpoint' && operation.auth ? [operation.auth] : []))
  const of = async <Value>(takes: typeof takesToken, flag: string, value: Value | undefined, read: (value: Value) => unknown) => {
    const taking = value === undefined ? [] : schemes.filter(takes)
    if (value === undefined) return []
    if (taking.length === 0) throw new Mistake(2, usage.noSchemeFor(flag, [...new Set(schemes.map(({ name }) => name))]))
    const credentials = await read(value)
    return taking.map(({ name }) => [name, credentials] as const)
  }
  return Object.fromEntries([
    ...(await of(takesUser, '--user', user, (one) => basicCredentials(one, surroundings))),
    ...(await of(takesToken, '--token', token, (one) => bearerToken(one, surroundings))),
  ])
}

/** Whether the credentials of a scheme are a name and a password. */
const takesUser = ({ challenge, openapi }: AnyAuth): boolean => /^basic\b/i.test(challenge) || openapi['scheme'] === 'basic'

/** Whether they are one text; those of a scheme of one's own may be anything, as its example shows. */
const takesToken = (auth: AnyAuth): boolean =>
  !takesUser(auth) && (auth.example === undefined ? /^bearer\b/i.test(auth.challenge) : typeof auth.example === 'string')

/** One line that is written over again. */
function progressOn({ errors }: Surroundings): ((progress: Progress) => void) | undefined {
  if (!errors.isTTY) return undefined
  return ({ endpoint, done, of, requests, failures }) =>
    void errors.write(
      `\r\u001b[K${done === of ? '' : `${done}/${of}  ${requests} requests, ${failures} broken  ${printableLine(endpoint)}`}`,
    )
}

/** Adds the command. */
export function check(program: Command, surroundings: Surroundings): void {
  const { folder } = surroundings
  aboutApi(program, 'check', 'Asks a server, in whatever language it is written, for everything that the description promises.')
    .requiredOption('--url <url>', 'where the server is')
    .option('--write', 'sends what changes things as well: POST, PUT, PATCH, DELETE')
    .option('--only <name>', 'an endpoint, or a group of them: users, users.item; may be repeated', collected)
    .option('--except <name>', 'an endpoint, or a group of them, not to look at; may be repeated', collected)
    .option('--fallback', 'something answers where the description has nothing: documentation, pages')
    .option('--without <predicate>', 'leaves a predicate out; may be repeated', collected)
    .option('--seed <number>', 'repeats a check')
    .option('--requests <number>', 'how many to send at most (default: 5000)')
    .option('--seconds <number>', 'for how long at most (default: 60)')
    .option('--time <milliseconds>', 'the time that no answer may take longer than (default: 10000)')
    .option('--json <file>', 'writes the report there as JSON')
    .option('--junit <file>', 'writes the report there as JUnit XML')
    .addOption(new Option('--user <name:password>', 'Basic credentials; without the password, LAPIDARY_PASSWORD or a question'))
    .addOption(new Option('--token [token]', 'a Bearer token; without it, LAPIDARY_TOKEN or a question'))
    .addOption(new Option('-H, --header <line>', 'a further header, "Name: value"; may be repeated').argParser(collected))
    .addHelpText('after', `\nPredicates:\n${predicates.map(({ name, sentence }) => `  ${name.padEnd(16)} ${sentence}`).join('\n')}`)
    .action(async (name: string, options: Options) => {
      const api = adopted(exportedApi(await imported(name, folder), options.export))
      const unknown = (options.without ?? []).find((one) => !predicates.some((predicate) => predicate.name === one))
      if (unknown !== undefined)
        throw new Mistake(
          2,
          usage.noSuchPredicate(
            unknown,
            predicates.map((one) => one.name),
          ),
        )
      const settings: CheckOptions = said({
        write: options.write,
        only: options.only,
        except: options.except,
        fallback: options.fallback,
        seed: numberIn('--seed', options.seed),
        requests: numberIn('--requests', options.requests),
        seconds: numberIn('--seconds', options.seconds),
        time: numberIn('--time', options.time),
        credentials: await credentialsFor(api, options, surroundings),
        headers: await handHeaders({ header: options.header ?? [] }, surroundings),
        predicates: options.without && predicates.filter((one) => !options.without?.includes(one.name)),
        watch: progressOn(surroundings),
      })
      const report = await complained(2, () => checkServer(api, options.url, settings))
      if (options.json !== undefined) await put(`${JSON.stringify(report, null, 2)}\n`, options.json, surroundings)
      if (options.junit !== undefined) await put(reportJunit(report), options.junit, surroundings)
      await put(reportText(report, showsColours(surroundings)), undefined, surroundings, { isPainted: true })
      if (report.failures.length > 0) throw new Mistake(1, usage.broken(report.failures.length))
    })
}
