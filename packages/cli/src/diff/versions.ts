/** The two versions that `diff` compares: manifests, modules, documents, or one of these at two commits. */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ApiManifest, manifest } from '@lapidary/testing'
import { checkManifest } from '@lapidary/testing/internal'
import * as messages from '../cliMessages.ts'
import { type CliContext, CliError, convertTypeErrors, getErrorReason, writeChunk } from '../context.ts'
import { loadApi } from '../findExports.ts'
import { createLocator, type Locate } from '../report/locate.ts'
import { parseGitRange, withCommits } from './gitRange.ts'

/** What is compared. */
export interface Versions {
  readonly before: ApiManifest
  readonly after: ApiManifest
  /** What was compared: `old.json → src/api.ts`, `src/api.ts at main..HEAD`. */
  readonly subject: string
  /** Finds the line of an endpoint in the new version. */
  readonly locate: Locate
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

const emptyManifest: ApiManifest = { manifest: 1, endpoints: {}, mounts: {} }

/** Loads the versions of a range of git: `main..HEAD`. */
async function loadCommittedVersions(
  text: string,
  range: NonNullable<ReturnType<typeof parseGitRange>>,
  file: string | undefined,
  exportName: string | undefined,
  context: CliContext,
): Promise<Versions> {
  return withCommits(text, range, file, context.cwd, async (old, now) => {
    const load = async ({ name, cwd, commit }: typeof now): Promise<ApiManifest> => {
      try {
        return await loadManifest(name, exportName, { ...context, cwd })
      } catch (error) {
        throw error instanceof CliError ? new CliError(error.exitCode, messages.inCommit(commit, error.message), { cause: error }) : error
      }
    }
    if (old === undefined) await writeChunk(context.errors, `${messages.newDescription(range.old, now.path)}\n`)
    const before = old === undefined ? emptyManifest : await load(old)
    const after = await load(now)
    // The file is gone when the report is written.
    const locate = createLocator(resolve(now.cwd, now.name), now.path)
    return { before, after, subject: `${now.path} at ${text}`, locate }
  })
}

/**
 * Loads what the arguments name: two files, or a range of git and a file.
 *
 * @throws CliError where something is missing, or is no description
 */
export async function loadVersions(
  old: string,
  now: string | undefined,
  exportName: string | undefined,
  context: CliContext,
): Promise<Versions> {
  const range = existsSync(resolve(context.cwd, old)) ? undefined : parseGitRange(old)
  if (range !== undefined) return loadCommittedVersions(old, range, now, exportName, context)
  if (now === undefined) throw new CliError(2, messages.missingNewVersion(old))
  const before = await loadManifest(old, exportName, context)
  const after = await loadManifest(now, exportName, context)
  return { before, after, subject: `${old} → ${now}`, locate: createLocator(resolve(context.cwd, now)) }
}
