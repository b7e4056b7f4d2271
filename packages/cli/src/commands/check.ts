/** `lapidary check ./src/api.ts --url http://127.0.0.1:8081`: checks a running server against its description. */
import { resolve } from 'node:path'
import {
  type CheckProgress,
  type CheckReport,
  type CheckServerOptions,
  checkServer,
  type Rule,
  rules,
  type ScopedCredentials,
} from '@lapidary/testing'
import { escapeControlsInLine, explainUnserved, summarizeFaults } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import { type AnyAuthScheme, type Api, type AuthAlternatives, operations } from 'lapidary'
import { isMount, listAuthSchemes, listScopeRequirements } from 'lapidary/internal'
import * as messages from '../cliMessages.ts'
import { type ApiOptions, collectValues, createApiCommand, parseCaptures, parseWholeNumber } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, writeChunk, writeResult } from '../context.ts'
import {
  acceptsApiKey,
  createHeaderOptions,
  type HeaderOptions,
  readApiKeys,
  readBasicCredentials,
  readBearerToken,
  readHeaderFlags,
} from '../credentials.ts'
import { type Description, loadDescription } from '../description.ts'
import { rulesLeftOut } from '../documentRules.ts'
import { addBasePath, findServerUrl, getBasePath } from '../documentServer.ts'
import { resolveEndpointNames } from '../endpointNames.ts'
import { createCheckReport, isEmptyCheck } from '../report/checkReport.ts'
import { createFormatOption, parseFormats, writeReport } from '../report/formats.ts'
import { createLocator } from '../report/locate.ts'

interface CheckCommandOptions extends ApiOptions, HeaderOptions {
  readonly url?: string
  readonly allRules?: true
  readonly write?: true
  readonly keep?: true
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  readonly without?: readonly string[]
  readonly fallback?: true
  readonly capture?: readonly string[]
  readonly scopedToken?: readonly string[]
  readonly seed?: string
  readonly requests?: string
  readonly seconds?: string
  readonly time?: string
  readonly steps?: string
  readonly clients?: string
  readonly repro?: string
  readonly format?: readonly string[]
}

const parseNumberFlag = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseWholeNumber(name, text)

/** Removes undefined members, so that the defaults apply. */
const omitUndefined = <Values extends object>(values: Values): { readonly [Name in keyof Values]?: NonNullable<Values[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

/** Whether a scheme takes a user name and a password. */
const acceptsUser = ({ challenge, openapi }: AnyAuthScheme): boolean => /^basic\b/i.test(challenge) || openapi['scheme'] === 'basic'

/** Whether a scheme takes a token. A custom scheme says so by its example. A key or a cookie is no token: `--api-key` gives it. */
const acceptsToken = (auth: AnyAuthScheme): boolean =>
  !acceptsUser(auth) &&
  !acceptsApiKey(auth) &&
  (auth.example === undefined ? /^bearer\b/i.test(auth.challenge) : typeof auth.example === 'string')

/** Lists the alternatives of all endpoints. */
const listApiAuth = (api: Api): AuthAlternatives =>
  operations(api).flatMap(({ operation }) => (isMount(operation) ? [] : (operation.auth ?? [])))

/** Lists the names of the captures of all endpoints. */
const listCaptureNames = (api: Api): readonly string[] =>
  operations(api).flatMap(({ operation }) => (isMount(operation) ? [] : Object.keys(operation.params)))

/** Reads the credentials of the flags, by the name of each auth scheme that takes them. @throws CliError if none does */
async function readCredentials(
  api: Api,
  { user, token, apiKey }: CheckCommandOptions,
  context: CliContext,
): Promise<Readonly<Record<string, unknown>>> {
  const schemes = listAuthSchemes(listApiAuth(api))
  const assign = async (flag: string, accepts: typeof acceptsUser, read: () => unknown): Promise<Readonly<Record<string, unknown>>> => {
    const accepting = schemes.filter(accepts)
    if (accepting.length === 0) throw new CliError(2, messages.missingAuthScheme(flag, schemes))
    const credentials = await read()
    return Object.fromEntries(accepting.map(({ name }) => [name, credentials]))
  }
  return {
    ...(apiKey !== undefined && (await readApiKeys(apiKey, schemes, context))),
    ...(user !== undefined && (await assign('--user', acceptsUser, () => readBasicCredentials(user, context)))),
    ...(token !== undefined && (await assign('--token', acceptsToken, () => readBearerToken(token, context)))),
  }
}

/** Reads `--scoped-token`, by the name of each auth scheme with scopes that takes a token. @throws CliError if none does */
function readScopedTokens(api: Api, given: readonly string[] = []): Readonly<Record<string, readonly ScopedCredentials[]>> {
  if (given.length === 0) return {}
  const all = listApiAuth(api)
  const names = listScopeRequirements(all).flatMap(({ scheme }) => (acceptsToken(scheme) ? [scheme.name] : []))
  if (names.length === 0) throw new CliError(2, messages.missingAuthScheme('--scoped-token', listAuthSchemes(all)))
  const scoped = given.map((text) => {
    const [credentials = '', ...scopes] = text.trim().split(/\s+/)
    return { credentials, scopes }
  })
  return Object.fromEntries(names.map((name) => [name, scoped]))
}

/** Creates a listener that shows the progress on one line of a terminal. */
function createProgressLine({ errors }: CliContext): ((progress: CheckProgress) => void) | undefined {
  if (!errors.isTTY) return undefined
  return ({ endpoint, completed, total, requests, failures }) => {
    const line = `${completed}/${total}  ${requests} requests, ${failures} failed  ${escapeControlsInLine(endpoint)}`
    errors.write(`\r\u001b[K${completed === total ? '' : line}`)
  }
}

/** The URL of the server, with the path that a document says. @throws CliError without one */
async function findCheckedUrl({ url }: CheckCommandOptions, description: Description, context: CliContext): Promise<string> {
  if (url === undefined) throw new CliError(2, messages.missingUrl(findServerUrl(description)))
  const whole = addBasePath('--url', url, getBasePath(description))
  if (whole !== url) await writeChunk(context.errors, `${messages.basePathAdded(whole)}\n`)
  return whole
}

/** The rules that a description promises, without those of `--without`. */
function selectRules({ without = [], allRules }: CheckCommandOptions, isDocument: boolean): readonly Rule[] {
  const leftOut = isDocument && !allRules ? rulesLeftOut.map(({ name }) => name) : []
  return rules.filter(({ name }) => !without.includes(name) && !leftOut.includes(name))
}

/** Writes the script of the first sequence that failed, or says why there is none. */
async function writeScript({ failures }: CheckReport, { repro, steps }: CheckCommandOptions, context: CliContext): Promise<void> {
  if (repro === undefined) return
  const script = failures.find((failure) => failure.script !== null)?.script
  if (script) return writeResult(script, repro, context)
  const hasSteps = steps !== undefined && Number(steps) > 0
  await writeChunk(context.errors, `${hasSteps ? messages.noScript(repro, failures.length) : messages.noScriptWithoutSteps(repro)}\n`)
}

/** Adds the command. */
export function addCheckCommand(program: Command, context: CliContext): void {
  const ruleNames = rules.map(({ name }) => name)
  const command = createApiCommand(program, 'check', 'Checks whether a server, in any language, does what the description says.')
    .option('--url <url>', 'the URL of the server')
    .option('--write', 'also sends requests that change data: POST, PUT, PATCH, DELETE')
    .option('--keep', 'with --write: leaves what it has created on the server, which is otherwise deleted at the end')
    .option(
      '--only <name>',
      'an endpoint, by its name or its operationId, or a group to check: users.item, users; may be repeated',
      collectValues,
    )
    .option('--except <name>', 'an endpoint or a group to leave out; may be repeated', collectValues)
    .option('--fallback', 'the server also responds at paths that the description does not have, such as documentation or pages')
    .option('--capture <name=text>', 'a capture that exists, as it is in a URL: org=acme; may be repeated', collectValues)
    .option(
      '--scoped-token <token>',
      "another token and its scopes, 'token stones:read': other scopes get 403; may be repeated",
      collectValues,
    )
    .option('--all-rules', 'with a document: also tests the rules that no OpenAPI document promises')
    .option('--without <rule>', 'a rule to leave out; may be repeated', collectValues)
    .option('--seed <number>', 'the seed of a check to repeat')
    .option('--requests <number>', 'the maximum number of requests (default: 5000)')
    .option('--seconds <number>', 'the maximum duration (default: 60)')
    .option('--time <milliseconds>', 'the longest allowed time of a response (default: 10000)')
    .option('--steps <number>', 'the number of requests in sequences, which test what the server remembers; needs --write (default: 0)')
    .option('--clients <number>', 'the number of clients that send the requests of sequences (default: 1)')
    .option('--repro <file>', 'writes a shell script that repeats the sequence of the first failure')
    .addOption(createFormatOption())
    .addHelpText('after', `\nRules:\n${rules.map(({ name, description }) => `  ${name.padEnd(20)} ${description}`).join('\n')}`)
  for (const option of createHeaderOptions()) command.addOption(option)
  command.action(async (module: string, options: CheckCommandOptions) => {
    const formats = parseFormats(options.format)
    const description = await loadDescription(module, options.export, context)
    const { api } = description
    // Also one that the toolkit has written: a document says less than the description that it was made of.
    const isDocument = description.module === undefined
    const url = await findCheckedUrl(options, description, context)
    if (parseNumberFlag('--steps', options.steps) && !options.write) throw new CliError(2, messages.stepsWithoutWrite)
    if (Number(options.clients ?? 1) > 1 && !Number(options.steps ?? 0)) throw new CliError(2, messages.clientsWithoutSteps)
    const { without } = options
    const unknown = without?.find((name) => !ruleNames.includes(name))
    if (unknown !== undefined) throw new CliError(2, messages.unknownRule(unknown, ruleNames))
    const checkOptions: CheckServerOptions = omitUndefined({
      write: options.write,
      keep: options.keep,
      only: options.only && resolveEndpointNames(options.only, description),
      except: options.except && resolveEndpointNames(options.except, description),
      fallback: options.fallback,
      captures: options.capture && parseCaptures(options.capture, listCaptureNames(api)),
      seed: parseNumberFlag('--seed', options.seed),
      requests: parseNumberFlag('--requests', options.requests),
      seconds: parseNumberFlag('--seconds', options.seconds),
      time: parseNumberFlag('--time', options.time),
      steps: parseNumberFlag('--steps', options.steps),
      clients: parseNumberFlag('--clients', options.clients),
      credentials: await readCredentials(api, options, context),
      scopedCredentials: readScopedTokens(api, options.scopedToken),
      headers: await readHeaderFlags({ header: options.header ?? [] }, context),
      rules: selectRules(options, isDocument),
      lenient: isDocument && options.allRules === undefined,
      onProgress: createProgressLine(context),
    })
    const report = await convertTypeErrors(2, () => checkServer(api, url, checkOptions))
    if (report.responses === 0 && report.outage !== '') throw new CliError(2, messages.unreachableServer(url, report.outage, '--url'))
    if (report.isElsewhere) throw new CliError(2, messages.apiElsewhere(url, description.servers[0]))
    if (report.areCredentialsRefused) throw new CliError(2, messages.credentialsRefused(url))
    await writeScript(report, options, context)
    const locate = createLocator(resolve(context.cwd, module), context.cwd)
    await writeReport(createCheckReport({ report, rules, locate, scriptFile: options.repro }), formats, context)
    if (checkOptions.lenient) await writeChunk(context.errors, `${messages.leftOutRuleCount(rulesLeftOut.length)}\n`)
    if (report.outage !== '') throw new CliError(1, messages.serverWentAway(report.outage))
    if (report.failures.length > 0) throw new CliError(1, messages.foundFaults(summarizeFaults(report)))
    if (report.isOverBudget) throw new CliError(1, messages.incompleteCheck)
    if (isEmptyCheck(report)) throw new CliError(1, messages.emptyCheck)
    const unserved = explainUnserved(report)
    if (unserved !== undefined) throw new CliError(1, unserved)
  })
}
