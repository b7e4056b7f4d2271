/** What the commands share: their arguments, and the parsing of flags. */
import { type Command, Option } from 'commander'
import * as messages from './cliMessages.ts'
import { CliError } from './context.ts'
import { toKebabCase } from './names.ts'

/** The flag that names the export of an API. */
export interface ApiOptions {
  readonly export?: string
}

/** Creates the flag that names the export of an API. */
export const createExportOption = (): Option =>
  new Option('--export <name>', 'the export that is the API (default: "api", the default export, or the only one)')

/** Creates a command about the API of a module. */
export const createApiCommand = (program: Command, name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .argument('<module>', 'the file that exports the API, such as ./src/api.ts, or an OpenAPI document, such as openapi.yaml')
    .addOption(createExportOption())

/** Collects the values of a flag that may be repeated. */
export const collectValues = (value: string, values: readonly string[] = []): readonly string[] => [...values, value]

/** Parses an integer of at least 0. @throws CliError for other texts, and for more than `max` */
export function parseWholeNumber(name: string, text: string, max: number = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text)
  if (/^[0-9]+$/.test(text) && number <= max) return number
  throw new CliError(2, messages.invalidWholeNumber(name, text))
}

/**
 * Parses `--capture`: the texts of each name.
 *
 * @param known the names of the captures. One may be written in another way, as a document has it: `kernel-id` of `kernelId`
 * @throws CliError for one that is no pair
 */
export function parseCaptures(given: readonly string[], known: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const pairs = given.map((pair) => {
    const [, name, text] = /^([^=\s]+)=(.+)$/s.exec(pair) ?? []
    if (name === undefined || text === undefined) throw new CliError(2, messages.invalidCapture(pair))
    const written = known.includes(name) ? name : known.find((other) => toKebabCase(other) === toKebabCase(name))
    return { name: written ?? name, text }
  })
  const names = [...new Set(pairs.map(({ name }) => name))]
  return Object.fromEntries(names.map((name) => [name, pairs.filter((pair) => pair.name === name).map(({ text }) => text)]))
}
