/** `lapidary call ./src/api.ts users.list --sortby age`: calls an endpoint, and shows the response. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseArgs } from 'node:util'
import { escapeControls, getAcceptHeader, isUnreachableError, listAuthHeaderNames } from '@lapidary/testing/internal'
import { Command } from 'commander'
import { type AnyEndpoint, noContent } from 'lapidary'
import { addQuery, createCallRequest, getCauseMessage, idempotencyKeyHeader, listAuthSchemes, parseBaseUrl } from 'lapidary/internal'
import { formatPartHelp, readBody } from '../call/body.ts'
import { addFlags, type CallInput, type CallOptions, createCallOptions, defaultBase, listFlags, rejectArguments } from '../call/flags.ts'
import { formatHead, writeResponse } from '../call/response.ts'
import { type CallTarget, findTarget } from '../call/target.ts'
import * as messages from '../cliMessages.ts'
import { type CliContext, CliError, convertTypeErrors, isPipeClosed } from '../context.ts'
import { readHeaderFlags, writeApiKeys } from '../credentials.ts'
import { type Description, loadDescription } from '../description.ts'
import { addBasePath, findServerUrl, getBasePath } from '../documentServer.ts'

/** Sends the request of a call, and shows its response. @throws CliError if there is none, or not all of it */
async function sendCall(
  target: CallTarget,
  input: CallInput,
  options: CallOptions,
  description: Description,
  context: CliContext,
): Promise<void> {
  const { endpoint, method } = target
  const given = options.base ?? (context.env['LAPIDARY_BASE'] || undefined)
  const own = given === undefined ? (findServerUrl(description) ?? defaultBase) : given
  const source = options.base === undefined ? 'LAPIDARY_BASE' : '--base'
  const base = new URL(await convertTypeErrors(2, () => parseBaseUrl(addBasePath(source, own, getBasePath(description)))))
  // The body is sent as it was given and the response is shown as it came: no media type encodes or decodes them.
  const request = await convertTypeErrors(2, () => createCallRequest({ ...endpoint, body: undefined, response: noContent }, input))
  const body = await readBody(endpoint, options, context)
  const schemes = listAuthSchemes(endpoint.auth)
  const written = await writeApiKeys(options.apiKey, schemes, context)
  const cookies = written.flatMap(({ headers }) => headers['Cookie'] ?? [])
  const keyHeaders = [...written.map(({ headers }) => headers), cookies.length === 0 ? {} : { Cookie: cookies.join('; ') }]
  const content = body && { 'Content-Type': body.type, 'Content-Length': String(body.bytes.length) }
  const accept = getAcceptHeader(endpoint)
  const all = [
    ...[accept === undefined ? {} : { Accept: accept }, request.headers, content ?? {}],
    ...[...keyHeaders, await readHeaderFlags(options, context), { Connection: 'close' }],
  ].flatMap(Object.entries)
  // Of two headers with the same name in any case, the later wins.
  const headers = Object.fromEntries(new Map(all.map((pair) => [pair[0].toLowerCase(), pair])).values())
  const plainPath = base.pathname.replace(/\/+$/, '') + request.target
  const path = addQuery(plainPath, written)
  const shownPath = path === plainPath ? path : `${plainPath}${path.charAt(plainPath.length)}***`
  const call = `${method} ${base.origin}${path.replace(/\?.*$/s, '')}`
  const secretHeaders = schemes.flatMap(listAuthHeaderNames)
  const logHead = (sign: string, line: string, rawHeaders: readonly string[]): void =>
    void (options.verbose && context.errors.write(escapeControls(formatHead(sign, line, rawHeaders, secretHeaders))))
  let hasResponse = false
  try {
    const response = await new Promise<IncomingMessage>((onResponse, onError) => {
      const start = base.protocol === 'https:' ? requestHttps : requestHttp
      const message = start(base, { method, path, headers, agent: false }, onResponse).on('error', onError)
      const rawHeaders = message.getRawHeaderNames().flatMap((name) => [name, String(message.getHeader(name))])
      logHead('>', `${method} ${shownPath} HTTP/1.1`, rawHeaders)
      message.end(body?.bytes)
    })
    hasResponse = true
    logHead('<', `HTTP/${response.httpVersion} ${response.statusCode} ${response.statusMessage}`, response.rawHeaders)
    await writeResponse(response, context)
  } catch (error) {
    if (isPipeClosed(error) || error instanceof CliError) throw error
    const reason = getCauseMessage(error)
    if (hasResponse) throw new CliError(1, messages.responseCutOff(call, reason), { cause: error })
    throw new CliError(isUnreachableError(error) ? 2 : 1, messages.noResponse(call, reason), { cause: error })
  }
}

/** The endpoint, whose idempotency key need not be given: each call has a new one. */
function withGeneratedKey(endpoint: AnyEndpoint): AnyEndpoint {
  const { [idempotencyKeyHeader]: key, ...headers } = endpoint.headers
  if (endpoint.idempotent === undefined || key === undefined) return endpoint
  const generated: AnyEndpoint['headers'][string] = {
    ...key,
    required: false,
    read: (input) => (input.isPresent ? key.read(input) : randomUUID()),
  }
  return { ...endpoint, headers: { ...headers, [idempotencyKeyHeader]: generated } }
}

async function runCall(parent: Command, words: readonly string[], context: CliContext): Promise<void> {
  const [module = '', first = '', second = ''] = words
  if (first === '--help' || first === '-h') parent.help()
  if (first.startsWith('-') || Object.keys(parent.opts()).length > 0) throw new CliError(2, messages.invalidCallOrder())
  // The flags depend on the endpoint, and the endpoint on --export.
  const { values } = parseArgs({ args: [...words], options: { export: { type: 'string' } }, strict: false })
  const description = await loadDescription(module, typeof values.export === 'string' ? values.export : undefined, context)
  const targetWords = second.startsWith('/') ? [first, second] : [first]
  const target = findTarget(description, targetWords)
  const { values: given } = target
  const endpoint = withGeneratedKey(target.endpoint)
  const command = new Command(`lapidary call ${module} ${targetWords.join(' ')}`)
    .copyInheritedSettings(parent)
    .description([endpoint.route, endpoint.summary, endpoint.description].filter(Boolean).join('\n\n'))
  // A value in the path has no flag.
  const flags = listFlags(endpoint, createCallOptions()).filter(({ part }) => !Object.hasOwn(given, part))
  const readFlags = addFlags(command, endpoint, flags)
  for (const option of createCallOptions()) command.addOption(option)
  command.addHelpText('after', formatPartHelp(endpoint))
  command.allowExcessArguments().parse(words.slice(1 + targetWords.length), { from: 'user' })
  rejectArguments(command.args, endpoint, flags)
  await sendCall(target, { ...readFlags(), ...given }, command.opts<CallOptions>(), description, context)
}

/** Adds the command. The flags of an endpoint are parsed later, because they depend on the module. */
export function addCallCommand(program: Command, context: CliContext): void {
  const command = program
    .command('call')
    .description('Calls an endpoint, by its name or by method and path, and shows the response.')
    .usage('<module> <endpoint> [flags]')
    .argument('<module>', 'the file that exports the API, such as ./src/api.ts, or an OpenAPI document, such as openapi.yaml')
    .argument('<endpoint...>', 'its name, its operationId, or a method and a path; add --help for its flags')
    .addHelpText(
      'after',
      `\nExamples:\n${messages.callExamples()}\n\nThe body is written as it came, byte for byte. On a terminal, JSON is indented and the last line ends.`,
    )
    .passThroughOptions()
  for (const option of createCallOptions()) command.addOption(option)
  command.action(() => runCall(command, command.args, context))
}
