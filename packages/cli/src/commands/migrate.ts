/** `lapidary migrate ts-rest ./contract.ts` writes the description that takes the place of a contract of another library. */
import { dirname, relative, resolve } from 'node:path'
import { isRoute, type RuntimeRouter, writeMigration } from '@lapidary/ts-rest/internal'
import type { Command } from 'commander'
import * as messages from '../cliMessages.ts'
import { type CliContext, CliError, convertTypeErrors, writeChunk, writeResult } from '../context.ts'
import { type LoadedModule, loadModule } from '../loadModule.ts'

interface MigrateOptions {
  readonly export?: string
  readonly out?: string
}

/** Whether a value is a contract of ts-rest: a record of routes, at any depth. */
function isContract(value: unknown, depth = 0): value is RuntimeRouter {
  if (typeof value !== 'object' || value === null || depth > 16) return false
  const members: readonly unknown[] = Object.values(value)
  const isMember = (member: unknown): boolean =>
    typeof member === 'object' && member !== null && (isRoute(member) || isContract(member, depth + 1))
  return members.length > 0 && !isRoute(value) && members.every(isMember)
}

/** A contract, and the name of its export. */
interface FoundContract {
  readonly name: string
  readonly contract: RuntimeRouter
}

/** Finds the contract of a module: the named export, else `contract`, else the only one. @throws CliError if there is none, or several */
function findContract({ name: module, exports }: LoadedModule, exportName: string | undefined): FoundContract {
  const contracts = Object.entries(exports).filter((entry): entry is [string, RuntimeRouter] => isContract(entry[1]))
  // A module may export its contract by name and as its default.
  const distinct = contracts.filter(
    ([name, value]) => name !== 'default' || !contracts.some(([other, same]) => other !== name && same === value),
  )
  const names = distinct.map(([name]) => name)
  const [first] = distinct
  const found =
    contracts.find(([name]) => name === (exportName ?? 'contract')) ?? (exportName === undefined && names.length === 1 ? first : undefined)
  if (found !== undefined) return { name: found[0] === 'default' ? 'contract' : found[0], contract: found[1] }
  if (exportName !== undefined) throw new CliError(2, messages.unknownContract(module, exportName, names))
  throw new CliError(
    2,
    first === undefined ? messages.missingContract(module, Object.keys(exports)) : messages.ambiguousContract(module, names),
  )
}

/** How the module in `out` imports the contract. */
function findSpecifier(contract: string, out: string | undefined, cwd: string): string {
  const folder = out === undefined ? dirname(contract) : dirname(resolve(cwd, out))
  const path = relative(folder, contract).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Adds the command `migrate`. */
export function addMigrateCommand(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description('Writes the description that takes the place of a contract of another library.')
    .command('ts-rest')
    .description('Writes the description that takes the place of a contract of ts-rest.')
    .argument('<module>', 'the file that exports the contract, such as ./src/contract.ts')
    .option('--export <name>', 'the export that is the contract (default: "contract", or the only one)')
    .option('--out <file>', 'the file to write (default: standard output)')
    .addHelpText('after', `\n${messages.migrateHelp()}`)
    .action(async (name: string, { export: exportName, out }: MigrateOptions) => {
      const module = await loadModule(name, context.cwd)
      if (out !== undefined && resolve(context.cwd, out) === module.path) throw new CliError(2, messages.contractAsOut(out))
      const found = findContract(module, exportName)
      const specifier = findSpecifier(module.path, out, context.cwd)
      const { code, notes } = await convertTypeErrors(1, () =>
        writeMigration(found.contract, { exports: module.exports, name: found.name, specifier }),
      )
      await writeResult(code, out, context)
      for (const note of notes) await writeChunk(context.errors, `${note}\n`)
    })
}
