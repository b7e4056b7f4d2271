/** `lapidary diff old.json ./src/api.ts` compares two versions of an API. */
import { type ApiManifest, type Change, diff, type ReplayedChange, replayChanges } from '@lapidary/testing'
import { ComparisonTimeoutError, ServerUnreachableError } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import { type AnyAuthScheme, apiKey, webhookSignature } from 'lapidary'
import * as messages from '../cliMessages.ts'
import { type ApiOptions, collectValues, createExportOption, parseCaptures } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, writeChunk, writeResult } from '../context.ts'
import { createHeaderOptions, type HeaderOptions, readHeaderFlags, writeApiKeys } from '../credentials.ts'
import { explainVersionPart, getVersionPart, isBreakingChange } from '../diff/semver.ts'
import { loadVersions, type Versions } from '../diff/versions.ts'
import { addBasePath } from '../documentServer.ts'
import { toKebabCase } from '../names.ts'
import { createDiffReport } from '../report/diffReport.ts'
import { createFormatOption, parseFormats, writeReport } from '../report/formats.ts'

interface DiffCommandOptions extends ApiOptions, HeaderOptions {
  readonly format?: readonly string[]
  readonly semver?: true
  readonly strict?: boolean
  readonly allow?: readonly string[]
  readonly replay?: string
  readonly write?: true
  readonly capture?: readonly string[]
}

/** @throws CliError if the comparison takes too long */
function compare(before: ApiManifest, after: ApiManifest): readonly Change[] {
  try {
    return diff(before, after)
  } catch (error) {
    throw error instanceof ComparisonTimeoutError ? new CliError(2, error.message, { cause: error }) : error
  }
}

/**
 * Whether a word of `--allow` matches a change: an endpoint, a group of endpoints, or an endpoint and a place. The endpoint has its own name or
 * its operationId.
 */
function isAllowedBy({ endpoint, place }: Change, word: string, operationIds: Versions['operationIds']): boolean {
  const [, id = '', rest = ''] = /^(\S*)(.*)$/s.exec(word) ?? []
  const names = [word, `${operationIds.get(id) ?? id}${rest}`]
  return names.some((name) => endpoint.startsWith(`${name}.`) || `${endpoint} ${place} `.startsWith(`${name} `))
}

/** The schemes of a version that take a key: a request has it in a header, in a cookie or in the query. */
function listKeySchemes({ endpoints }: ApiManifest): readonly AnyAuthScheme[] {
  const all = Object.values(endpoints).flatMap(({ auth }) => (auth ?? []).flat())
  const places = new Map(all.map(({ name, kind }) => [name, kind] as const))
  // A signature is made of the whole request, and no key.
  places.delete(webhookSignature.name)
  return [...places].flatMap(([name, kind]) => (kind['type'] === 'apiKey' ? [{ ...apiKey(kind as never), name }] : []))
}

/** Sends the witnesses to the server of `--replay`. */
async function replayWitnesses(
  changes: readonly Change[],
  { before, after, basePath }: Versions,
  { replay, write, capture = [], ...headerOptions }: DiffCommandOptions,
  context: CliContext,
): Promise<readonly ReplayedChange[] | undefined> {
  if (replay === undefined) return undefined
  const headers = await readHeaderFlags(headerOptions, context)
  const credentials = await writeApiKeys(headerOptions.apiKey, await convertTypeErrors(2, () => listKeySchemes(after)), context)
  const names = Object.values(before.endpoints).flatMap((endpoint) => Object.keys(endpoint.captures))
  const captures = Object.fromEntries(Object.entries(parseCaptures(capture, names)).map(([name, texts]) => [name, texts.at(-1) ?? '']))
  const url = addBasePath('--replay', replay, basePath)
  try {
    return await convertTypeErrors(2, () =>
      replayChanges(changes, before, url, { write: write === true, headers, credentials, captures, now: after }),
    )
  } catch (error) {
    if (!(error instanceof ServerUnreachableError)) throw error
    throw new CliError(2, messages.unreachableServer(url, error.message, '--replay'), { cause: error })
  }
}

/** Flags that say how witnesses are sent. */
const replayFlags = ['write', 'capture', 'user', 'token', 'apiKey', 'header'] as const

async function runDiff(old: string, now: string | undefined, options: DiffCommandOptions, context: CliContext): Promise<void> {
  const { export: exportName, format, semver, strict: isStrict = false, allow = [] } = options
  const formats = parseFormats(format)
  if (semver && format !== undefined) throw new CliError(2, messages.semverWithFormat)
  const alone = options.replay === undefined ? replayFlags.find((name) => options[name] !== undefined) : undefined
  if (alone !== undefined) throw new CliError(2, messages.flagWithoutReplay(`--${toKebabCase(alone)}`))
  const startTime = performance.now()
  const versions = await loadVersions(old, now, exportName, context)
  const { before, after, operationIds, subject, locate } = versions
  const changes = await convertTypeErrors(2, () => compare(before, after))
  if (semver) {
    await writeResult(`${getVersionPart(changes, isStrict)}\n`, undefined, context)
    return writeChunk(
      context.errors,
      explainVersionPart(changes, isStrict)
        .map((line) => `${line}\n`)
        .join(''),
    )
  }
  const allowed = changes.filter((change) => allow.some((word) => isAllowedBy(change, word, operationIds)))
  const replayed = await replayWitnesses(changes, versions, options, context)
  const milliseconds = Math.round(performance.now() - startTime)
  const report = createDiffReport({ changes, allowed, replayed, isStrict, before, after, subject, milliseconds, locate })
  await writeReport(report, formats, context)
  for (const word of allow.filter((candidate) => !changes.some((change) => isAllowedBy(change, candidate, operationIds))))
    await writeChunk(context.errors, `${messages.unknownAllowedChange(word)}\n`)
  const breaking = changes.filter((change) => isBreakingChange(change, isStrict) && !allowed.includes(change))
  if (breaking.length > 0) throw new CliError(1, messages.breakingChangeCount(breaking.length, isStrict))
}

/** Adds the command. */
export function addDiffCommand(program: Command, context: CliContext): void {
  const command = program
    .command('diff')
    .description('Compares two versions of an API, and says which clients and servers break.')
    .argument('<old>', 'an OpenAPI document, a manifest (.json), or the module that exports the API; or two commits, as main..HEAD')
    .argument('[new]', 'the same for the new version; or the file at both commits')
    .addOption(createExportOption())
    .option('--allow <change>', 'an endpoint, or "endpoint place", whose changes are intended; may be repeated', collectValues)
    .option('--strict', 'counts changes that may break clients as breaking')
    .addOption(createFormatOption())
    .option('--semver', 'prints major, minor or patch, and why; the exit code is 0')
    .option('--replay <url>', 'sends the request of each change that breaks clients to a running server of the new version')
    .option('--write', 'with --replay: also sends requests that change data')
    .option('--capture <name=text>', 'with --replay: a capture that exists, as it is in a URL; may be repeated', collectValues)
    .addHelpText('after', `\n${messages.diffHelp()}`)
  for (const option of createHeaderOptions()) command.addOption(option)
  command.action((old: string, now: string | undefined, options: DiffCommandOptions) => runDiff(old, now, options, context))
}
