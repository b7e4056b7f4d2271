/** The two versions that `diff` compares: manifests, modules, documents, or one of these at two commits. */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ApiManifest, manifest } from '@lapidary/testing'
import { checkManifest } from '@lapidary/testing/internal'
import * as messages from '../cliMessages.ts'
import { type CliContext, CliError, convertTypeErrors, getErrorReason, writeChunk } from '../context.ts'
import { type Description, loadDescription } from '../description.ts'
import { getBasePath } from '../documentServer.ts'
import { createLocator, type Locate } from '../report/locate.ts'
import { parseGitRange, withCommits } from './gitRange.ts'

/** What is compared. */
export interface Versions {
  readonly before: ApiManifest
  readonly after: ApiManifest
  /** The path of the first server of the new document; empty: it has none. */
  readonly basePath: string
  /** The names of endpoints by the operationIds of both documents. Where they differ, the new one counts. */
  readonly operationIds: Description['operationIds']
  /** What was compared: `old.json → src/api.ts`, `src/api.ts at main..HEAD`. */
  readonly subject: string
  /** Finds the line of an endpoint in the new version. */
  readonly locate: Locate
}

const maxManifestMegabytes = 32

/** The content of a JSON file; undefined where it is none. @throws CliError for a file that is not there, or too large */
async function readJson(file: string, cwd: string): Promise<unknown> {
  const path = resolve(cwd, file)
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > maxManifestMegabytes * 1_000_000) throw new CliError(2, messages.manifestTooLarge(file, maxManifestMegabytes))
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CliError(2, messages.fileNotRead(file, getErrorReason(error)), { cause: error })
  })
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A version of an API. */
interface Version {
  readonly manifest: ApiManifest
  /** The path of the first server of a document; empty: it has none. */
  readonly basePath: string
  readonly operationIds: Description['operationIds']
}

/** Loads a manifest, the API of an OpenAPI document, or that of a module. */
async function loadVersion(name: string, exportName: string | undefined, context: CliContext, root?: string): Promise<Version> {
  if (/\.json$/i.test(name)) {
    const content = Object(await readJson(name, context.cwd))
    if (content.manifest === 1 || content.manifest === 2)
      return { manifest: await convertTypeErrors(2, () => checkManifest(content)), basePath: '', operationIds: new Map() }
    if (content.openapi === undefined && content.swagger === undefined) throw new CliError(2, messages.notAManifest(name))
  }
  const description = await loadDescription(name, exportName, context, root)
  return {
    manifest: await convertTypeErrors(2, () => manifest(description.api)),
    basePath: getBasePath(description),
    operationIds: description.operationIds,
  }
}

const toVersions = (before: Version, after: Version): Pick<Versions, 'before' | 'after' | 'basePath' | 'operationIds'> => ({
  before: before.manifest,
  after: after.manifest,
  basePath: after.basePath,
  operationIds: new Map([...before.operationIds, ...after.operationIds]),
})

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
    const load = async ({ name, cwd, commit, root }: typeof now): Promise<Version> => {
      try {
        return await loadVersion(name, exportName, { ...context, cwd }, root)
      } catch (error) {
        throw error instanceof CliError ? new CliError(error.exitCode, messages.inCommit(commit, error.message), { cause: error }) : error
      }
    }
    if (old === undefined) await writeChunk(context.errors, `${messages.newDescription(range.old, now.path)}\n`)
    else if (old.path !== now.path) await writeChunk(context.errors, `${messages.movedDescription(range.old, old.path, now.path)}\n`)
    const before: Version = old === undefined ? { manifest: emptyManifest, basePath: '', operationIds: new Map() } : await load(old)
    const after = await load(now)
    // The file is gone when the report is written.
    const locate = createLocator(resolve(now.cwd, now.name), now.cwd, now.path)
    return { ...toVersions(before, after), subject: `${now.path} at ${text}`, locate }
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
  const before = await loadVersion(old, exportName, context)
  const after = await loadVersion(now, exportName, context)
  return { ...toVersions(before, after), subject: `${old} → ${now}`, locate: createLocator(resolve(context.cwd, now), context.cwd) }
}
