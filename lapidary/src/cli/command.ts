/** What the commands have in common: they are about a module that exports an api. */
import type { Command } from 'commander'

/** The words and flags by which an API is named. */
export interface ApiOptions {
  readonly export?: string
}

/** A command about the API of a module. */
export const aboutApi = (program: Command, name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .argument('<module>', 'the file that exports the api, such as ./src/api.ts')
    .option('--export <name>', 'which export is the api (default: "api", the default export, or the only one)')
