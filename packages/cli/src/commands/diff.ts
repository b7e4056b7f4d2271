/** `lapidary diff old.json ./src/api.ts` compares two versions of an API, and `lapidary manifest ./src/api.ts` prints one of them. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ApiManifest, type Change, diff, formatDiff, manifest } from '@lapidary/testing'
import { ComparisonTimeoutError, checkManifest, escapeControls } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import * as messages from '../cliMessages.ts'
import { type ApiOptions, collectValues, createApiCommand, createExportOption } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, getErrorReason, hasColors, writeChunk, writeResult } from '../context.ts'
import { loadApi } from '../findExports.ts'

interface DiffCommandOptions extends ApiOptions {
  readonly json?: true
  readonly strict?: boolean
  readonly allow?: readonly string[]
}

const maxManifestMegabytes = 32

/** Reads a manifest from a file. @throws CliError if it is none */
async function readManifest(file: string, cwd: string): Promise<ApiManifest> {
  const path = resolve(cwd, file)
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > maxManifestMegabytes * 1_000_000) throw new CliError(2, messages.manifestTooLarge(file, maxManifestMegabytes))
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CliError(2, messages.fileNotRead(file, getErrorReason(error)), { cause: error })
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    throw new CliError(2, messages.notAManifest(file), { cause: error })
  }
  if (Object(content).manifest !== 1) throw new CliError(2, messages.notAManifest(file))
  return convertTypeErrors(2, () => checkManifest(content))
}

/** Loads the manifest of a file (.json), or of the API of a module. */
async function loadManifest(name: string, exportName: string | undefined, context: CliContext): Promise<ApiManifest> {
  if (name.endsWith('.json')) return readManifest(name, context.cwd)
  const api = await loadApi(name, exportName, context)
  return convertTypeErrors(1, () => manifest(api))
}

/** @throws CliError if the comparison takes too long */
function compare(before: ApiManifest, after: ApiManifest): readonly Change[] {
  try {
    return diff(before, after)
  } catch (error) {
    throw error instanceof ComparisonTimeoutError ? new CliError(1, error.message, { cause: error }) : error
  }
}

/** Whether a word of `--allow` matches a change: an endpoint, a group of endpoints, or an endpoint and a place. */
const isAllowedBy = ({ endpoint, place }: Change, word: string): boolean =>
  endpoint.startsWith(`${word}.`) || `${endpoint} ${place} `.startsWith(`${word} `)

/** Adds the command `diff`. */
export function addDiffCommand(program: Command, context: CliContext): void {
  program
    .command('diff')
    .description('Compares two versions of an API, and says which clients and servers break.')
    .argument('<old>', 'a manifest (.json), or the module that exports the API')
    .argument('<new>', 'the same for the new version')
    .addOption(createExportOption())
    .option('--allow <change>', 'an endpoint, or "endpoint place", whose changes are intended; may be repeated', collectValues)
    .option('--strict', 'counts changes that may break clients as breaking')
    .option('--json', 'as JSON, for programs')
    .addHelpText('after', `\n${messages.diffHelp()}`)
    .action(async (oldName: string, newName: string, { export: exportName, json, strict = false, allow = [] }: DiffCommandOptions) => {
      const before = await loadManifest(oldName, exportName, context)
      const after = await loadManifest(newName, exportName, context)
      const changes = await convertTypeErrors(2, () => compare(before, after))
      const allowed = changes.filter((change) => allow.some((word) => isAllowedBy(change, word)))
      const text = json
        ? escapeControls(`${JSON.stringify(changes, null, 2)}\n`)
        : formatDiff(changes, { colors: hasColors(context), allowed })
      await writeResult(text, undefined, context, { isEscaped: true })
      for (const word of allow.filter((candidate) => !changes.some((change) => isAllowedBy(change, candidate))))
        await writeChunk(context.errors, `${messages.unknownAllowedChange(word)}\n`)
      const isBreaking = ({ clients }: Change): boolean => clients === 'breaking' || (strict && clients === 'unknown')
      const breaking = changes.filter((change) => isBreaking(change) && !allowed.includes(change))
      if (breaking.length > 0) throw new CliError(1, messages.breakingChangeCount(breaking.length, strict))
    })
}

/** Adds the command `manifest`. */
export function addManifestCommand(program: Command, context: CliContext): void {
  createApiCommand(program, 'manifest', 'Prints the API as it is on the wire, as JSON that you can store and compare.')
    .option('--out <file>', 'the file to write (default: standard output)')
    .action(async (module: string, { out, export: exportName }: ApiOptions & { readonly out?: string }) => {
      const api = await loadApi(module, exportName, context)
      const content = await convertTypeErrors(1, () => manifest(api))
      await writeResult(`${JSON.stringify(content, null, 2)}\n`, out, context)
    })
}
