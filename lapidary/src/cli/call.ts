/** `lapidary call ./src/api.ts users.list --sortby age`: calls an endpoint, and shows the answer. */
import { parseArgs } from 'node:util'
import type { Command } from 'commander'
import { printable } from '../describe/printable.ts'
import * as usage from '../describe/usage.ts'
import { protectionOf } from '../docs/protection.ts'
import { show } from './call/answer.ts'
import { exchange } from './call/exchange.ts'
import { flagsIn } from './call/flagsIn.ts'
import { bodyOptions, callOptions } from './call/options.ts'
import { sendingOf } from './call/sending.ts'
import { type Target, targetOf } from './call/target.ts'
import { answerHead, requestHead } from './call/verbose.ts'
import { exportedApi } from './exportedApi.ts'
import { Mistake } from './mistake.ts'
import { imported } from './module.ts'
import type { Surroundings } from './surroundings.ts'

/** The headers by which the endpoint is shown credentials, in lower case. */
function secretHeaders({ target }: Target): ReadonlySet<string> {
  const auth = 'endpoint' in target ? target.endpoint.auth : undefined
  return new Set(auth === undefined ? [] : Object.keys(protectionOf(auth).headers).map((name) => name.toLowerCase()))
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

async function called(command: Command, words: readonly string[], found: Surroundings): Promise<void> {
  const [module = '', endpoint = ''] = words
  if (isHelp(endpoint)) command.help()
  if (endpoint.startsWith('-') || Object.keys(command.opts()).length > 0) throw new Mistake(2, usage.wordsFirst())
  // Which flags there are depends on the endpoint, and that on the export: this flag is looked for before the others can be told apart.
  const { values } = parseArgs({ args: [...words], options: { export: { type: 'string' } }, strict: false })
  const wanted = typeof values.export === 'string' ? values.export : undefined
  const target = targetOf(exportedApi(await imported(module, found.folder), wanted), words.slice(1))
  const flags = flagsIn(command, module, target)
  const hidden = secretHeaders(target)
  const overhear = (head: string): void => void (flags.options.verbose && found.errors.write(printable(head)))
  await exchange(await sendingOf(target.target, flags, found), {
    asked: (request) => overhear(requestHead(request, hidden)),
    answered: (response) => {
      overhear(answerHead(response, hidden))
      return show(response, found)
    },
  })
}

/** Adds the command. Its flags stand here for the help alone: whatever is behind the module is left to the endpoint that is named there. */
export function call(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('call')
    .description('Calls an endpoint, by its name or by method and path, and shows the answer.')
    .usage('<module> <endpoint> [flags]')
    .argument('<module>', 'the file that exports the api, such as ./src/api.ts')
    .argument('<endpoint...>', 'its name, or a method and a path; --help behind it lists the flags that it has')
    .addHelpText('after', `\nExamples:\n${usage.callExamples()}`)
    .passThroughOptions()
  for (const option of [...bodyOptions(), ...callOptions()]) command.addOption(option)
  command.action(() => called(command, command.args, surroundings))
}
