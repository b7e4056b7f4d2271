/** `lapidary call ./src/api.ts users.list --sortby age`: calls an endpoint, and shows the answer. */
import { parseArgs } from 'node:util'
import { escapeControls } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import { documentSecurity } from 'lapidary/internal'
import { sendRequest } from '../call/exchange.ts'
import { createBodyOptions, createCallOptions, parseFlags } from '../call/flags.ts'
import { buildRequest } from '../call/request.ts'
import { formatRequestHead, formatResponseHead, writeResponse } from '../call/response.ts'
import { findTarget, type Target } from '../call/target.ts'
import * as usage from '../cliMessages.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../context.ts'
import { findApi } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'

/** The headers by which the endpoint is shown credentials, in lower case. */
function listSecretHeaders({ target }: Target): ReadonlySet<string> {
  const auth = 'endpoint' in target ? target.endpoint.auth : undefined
  return new Set(auth === undefined ? [] : Object.keys(documentSecurity(auth).headers).map((name) => name.toLowerCase()))
}

const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h'

async function runCall(command: Command, words: readonly string[], found: CliContext): Promise<void> {
  const [module = '', endpoint = ''] = words
  if (isHelpFlag(endpoint)) command.help()
  if (endpoint.startsWith('-') || Object.keys(command.opts()).length > 0) throw new CliError(2, usage.invalidCallOrder())
  // Which flags there are depends on the endpoint, and that on the export: this flag is looked for before the others can be told apart.
  const { values } = parseArgs({ args: [...words], options: { export: { type: 'string' } }, strict: false })
  const wanted = typeof values.export === 'string' ? values.export : undefined
  const target = findTarget(findApi(await loadModule(module, found.cwd), wanted), words.slice(1))
  const flags = parseFlags(command, module, target)
  const hidden = listSecretHeaders(target)
  const overhear = (head: string): void => void (flags.options.verbose && found.errors.write(escapeControls(head)))
  await sendRequest(await buildRequest(target.target, flags, found), {
    onRequest: (request) => overhear(formatRequestHead(request, hidden)),
    onResponse: (response) => {
      overhear(formatResponseHead(response, hidden))
      return writeResponse(response, found)
    },
  })
}

/** Adds the command. Its flags stand here for the help alone: whatever is behind the module is left to the endpoint that is named there. */
export function addCallCommand(program: Command, surroundings: CliContext): void {
  const command = program
    .command('call')
    .description('Calls an endpoint, by its name or by method and path, and shows the answer.')
    .usage('<module> <endpoint> [flags]')
    .argument('<module>', 'the file that exports the api, such as ./src/api.ts')
    .argument('<endpoint...>', 'its name, or a method and a path; --help behind it lists the flags that it has')
    .addHelpText('after', `\nExamples:\n${usage.callExamples()}`)
    .passThroughOptions()
  for (const option of [...createBodyOptions(), ...createCallOptions()]) command.addOption(option)
  command.action(() => runCall(command, command.args, surroundings))
}
