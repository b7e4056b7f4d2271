/** `lapidary diff old.json ./src/api.ts`: what became of an API, and which programs break by it. */

import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { type ApiManifest, type Change, diff as changesOf, formatDiff, manifest, manifest as manifestOf } from '@lapidary/testing'
import { checkManifest, escapeControls } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import * as usage from '../cliMessages.ts'
import { type ApiOptions, collectValues, createApiCommand } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, getErrorReason, hasColors, writeChunk, writeResult } from '../context.ts'
import { findApi } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'

interface DiffCommandOptions {
  readonly export?: string
  readonly json?: true
  readonly strict?: true
  readonly allow?: readonly string[]
}

/** Of a manifest, in MB. */
const maxManifestMegabytes = 32

async function readManifest(file: string, folder: string): Promise<ApiManifest> {
  const path = resolve(folder, file)
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > maxManifestMegabytes * 1_000_000) throw new CliError(2, usage.manifestTooLarge(file, maxManifestMegabytes))
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CliError(2, usage.fileNotRead(file, getErrorReason(error)), { cause: error })
  })
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch (error) {
    throw new CliError(2, usage.notAManifest(file), { cause: error })
  }
  if (Object(found).manifest !== 1) throw new CliError(2, usage.notAManifest(file))
  return convertTypeErrors(2, () => checkManifest(found))
}

/** The manifest that a word names: a file of one, or a module whose API it is made of. */
async function loadManifest(name: string, { export: exported }: DiffCommandOptions, folder: string): Promise<ApiManifest> {
  if (name.endsWith('.json')) return readManifest(name, folder)
  const api = findApi(await loadModule(name, folder), exported)
  return convertTypeErrors(1, () => manifest(api))
}

/** For how long it is compared at most, in milliseconds: a pattern may take for ever to hold against a text. */
const diffTimeoutMilliseconds = 60_000

/** The result of work that is done in one go, which is ended when it takes too long. @throws Mistake */
function runWithTimeout<Result>(work: () => Result): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: diffTimeoutMilliseconds }) as Result
  } catch (error) {
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new CliError(1, usage.comparisonTimeout(diffTimeoutMilliseconds / 1_000), { cause: error })
  }
}

/** Whether `--allow` means a change: by the endpoint, a group of endpoints, or the endpoint and the place. */
const isAllowedBy = ({ endpoint, place }: Change, word: string): boolean =>
  endpoint.startsWith(`${word}.`) || `${endpoint} ${place} `.startsWith(`${word} `)

/** Adds the command. */
export function addDiffCommand(program: Command, surroundings: CliContext): void {
  const { errors, cwd: folder } = surroundings
  program
    .command('diff')
    .description('Says what became of an API, and which clients and servers break by it.')
    .argument('<old>', 'a manifest (.json), or the module that exports the api')
    .argument('<new>', 'likewise')
    .option('--export <name>', 'which export of a module is the api (default: "api", the default export, or the only one)')
    .option('--allow <change>', 'an endpoint, or "endpoint place", whose changes are meant; may be repeated', collectValues)
    .option('--strict', 'what may break clients counts as what does')
    .option('--json', 'as JSON, for programs')
    .addHelpText('after', `\n${usage.diffHelp()}`)
    .action(async (old: string, now: string, options: DiffCommandOptions) => {
      const [before, after] = [await loadManifest(old, options, folder), await loadManifest(now, options, folder)]
      const changes = await convertTypeErrors(2, () => runWithTimeout(() => changesOf(before, after)))
      const words = options.allow ?? []
      const allowed = changes.filter((change) => words.some((word) => isAllowedBy(change, word)))
      const text = options.json
        ? `${JSON.stringify(changes, null, 2)}\n`
        : formatDiff(changes, { colours: hasColors(surroundings), allowed })
      await writeResult(options.json ? escapeControls(text) : text, undefined, surroundings, { isPainted: true })
      for (const word of words.filter((one) => !changes.some((change) => isAllowedBy(change, one))))
        await writeChunk(errors, `${usage.unknownAllowedChange(word)}\n`)
      const counts = ({ clients }: Change): boolean => clients === 'breaking' || (options.strict === true && clients === 'unknown')
      const breaking = changes.filter((change) => counts(change) && !allowed.includes(change))
      if (breaking.length > 0) throw new CliError(1, usage.breakingChangeCount(breaking.length, options.strict === true))
    })
}

// `lapidary manifest ./src/api.ts`: what an API is on the wire, as JSON that can be kept and compared.

/** Adds the command. */
export function addManifestCommand(program: Command, surroundings: CliContext): void {
  createApiCommand(program, 'manifest', 'Prints what the API is on the wire, as JSON to be kept and compared.')
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(async (module: string, { out, export: name }: ApiOptions & { readonly out?: string }) => {
      const api = findApi(await loadModule(module, surroundings.cwd), name)
      const made = await convertTypeErrors(1, () => manifestOf(api))
      await writeResult(`${JSON.stringify(made, null, 2)}\n`, out, surroundings)
    })
}
