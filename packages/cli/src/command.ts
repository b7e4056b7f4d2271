/** What the commands have in common: they are about a module that exports an api, and read their flags alike. */
import type { Command } from 'commander'
import * as usage from './cliMessages.ts'
import { CliError } from './context.ts'

/** The words and flags by which an API is named. */
export interface ApiOptions {
  readonly export?: string
}

/** A command about the API of a module. */
export const createApiCommand = (program: Command, name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .argument('<module>', 'the file that exports the api, such as ./src/api.ts')
    .option('--export <name>', 'which export is the api (default: "api", the default export, or the only one)')

/** The values of a flag that may be repeated. */
export const collectValues = (value: string, values: readonly string[] = []): readonly string[] => [...values, value]

/** The number that a flag is given. @throws Mistake for what is no whole number, or more than `most`. */
export function parseWholeNumber(name: string, text: string, most: number = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text)
  if (/^[0-9]+$/.test(text) && number <= most) return number
  throw new CliError(2, usage.invalidWholeNumber(name, text))
}
