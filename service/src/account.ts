/** The command for accounts: `npm run account -- add NAME`, `remove NAME`, `list`. */
import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { hashPassword } from './accounts/password.ts'
import { nameProblem, normalizeText, passwordProblem } from './accounts/rules.ts'
import { CommandError, createProgram, printError, printLine } from './command.ts'
import type { Accounts } from './store/store.ts'

/** Asks on standard error, so that standard output contains results alone. */
async function promptHidden(question: string): Promise<string> {
  // readline echoes the input to its output, which discards it.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stderr.write(question)
  // Ctrl-C or Ctrl-D closes without a line.
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  process.stderr.write('\n')
  if (line === undefined) throw new CommandError('No password was given.')
  return line
}

async function promptPassword(name: string): Promise<string> {
  const password = await promptHidden(`Password for ${name}: `)
  if (password !== (await promptHidden('The same again: '))) throw new CommandError('The two passwords are not the same.')
  return password
}

/** Reads standard input to its end. The final line feed, which `echo` and editors add, is not part of the password. */
async function pipedPassword(): Promise<string> {
  const bytes = await buffer(process.stdin)
  if (!isUtf8(bytes)) throw new CommandError('The password on standard input is not UTF-8.')
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '')
}

function throwProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new CommandError(problem)
}

async function addAccount(accounts: Accounts, text: string): Promise<void> {
  const name = normalizeText(text)
  throwProblem(nameProblem(name))
  const password = await (process.stdin.isTTY ? promptPassword(name) : pipedPassword())
  throwProblem(passwordProblem(password))
  const isKnown = (await accounts.find(name)) !== undefined
  await accounts.put(name, await hashPassword(password))
  printLine(isKnown ? `The account ${name} was there already: its password is changed.` : `Added the account ${name}.`)
}

async function removeAccount(accounts: Accounts, text: string): Promise<void> {
  const name = normalizeText(text)
  // Quoted, because an invalid name may contain any character.
  if (!(await accounts.remove(name))) throw new CommandError(`There is no account ${JSON.stringify(text)}.`)
  printLine(`Removed the account ${name}.`)
}

async function listAccounts(accounts: Accounts): Promise<void> {
  const names = await accounts.list()
  if (names.length === 0) printError('There are no accounts yet.')
  for (const name of names) printLine(name)
}

const { program, withStore, run } = createProgram(
  'npm run account --',
  'Accounts for the protected endpoints, in the database of the service.',
)

program
  .command('add <name>')
  .description('adds an account, or changes its password; asks for the password, or reads it from standard input')
  .action((name: string) => withStore(({ accounts }) => addAccount(accounts, name)))
program
  .command('remove <name>')
  .description('removes an account; its credentials are refused at once')
  .action((name: string) => withStore(({ accounts }) => removeAccount(accounts, name)))
program
  .command('list')
  .description('prints the name of every account')
  .action(() => withStore(({ accounts }) => listAccounts(accounts)))

await run()
