/** The command line for accounts: `add NAME`, `remove NAME`, `list`. */

import { Command, CommanderError } from 'commander'
import { askPassword, Refused } from './accounts/askPassword.ts'
import { accountName, nameComplaint } from './accounts/name.ts'
import { hash, passwordComplaint } from './accounts/password.ts'
import { BadSetting } from './settings.ts'
import { CannotOpen } from './store/cannotOpen.ts'
import type { Accounts } from './store/store.ts'
import { StoreUnavailable } from './store/storeUnavailable.ts'
import { withStore } from './withStore.ts'

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const complain = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

function refuse(complaint: string | undefined): void {
  if (complaint !== undefined) throw new Refused(complaint)
}

async function add(accounts: Accounts, text: string): Promise<void> {
  const name = accountName(text)
  refuse(nameComplaint(name))
  const password = await askPassword(name)
  refuse(passwordComplaint(password))
  const known = (await accounts.find(name)) !== undefined
  await accounts.put(name, await hash(password))
  say(known ? `The account ${name} was there already: its password is changed.` : `Added the account ${name}.`)
}

async function remove(accounts: Accounts, text: string): Promise<void> {
  // Quoted: a name that is none may hold anything.
  if (!(await accounts.remove(accountName(text)))) throw new Refused(`There is no account ${JSON.stringify(text)}.`)
  say(`Removed the account ${accountName(text)}.`)
}

async function list(accounts: Accounts): Promise<void> {
  const names = await accounts.list()
  if (names.length === 0) complain('There are no accounts yet.')
  for (const name of names) say(name)
}

const program = new Command('npm run account --')
  .description('Accounts for the protected endpoints, in the database of the service.')
  .option('--database-url <url>', 'where the service keeps everything (default: DATABASE_URL, or sqlite:data/service.db)')
  .exitOverride()

const withAccounts = (work: (accounts: Accounts) => Promise<void>): Promise<void> =>
  withStore(program.opts<{ databaseUrl?: string }>().databaseUrl, {}, ({ accounts }) => work(accounts))

program
  .command('add <name>')
  .description('adds an account, or changes its password; asks for the password, or reads it from standard input')
  .action((name: string) => withAccounts((accounts) => add(accounts, name)))
program
  .command('remove <name>')
  .description('removes an account; whoever uses it is out at once')
  .action((name: string) => withAccounts((accounts) => remove(accounts, name)))
program
  .command('list')
  .description('prints the name of every account')
  .action(() => withAccounts(list))

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode
  } else if (error instanceof Refused || error instanceof BadSetting || error instanceof CannotOpen || error instanceof StoreUnavailable) {
    complain(error.message)
    process.exitCode = 1
  } else {
    throw error
  }
}
