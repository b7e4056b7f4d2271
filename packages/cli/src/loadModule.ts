/** Imports the module that a command names: JavaScript, or TypeScript where Node or the project's own tsx can. */
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as usage from './cliMessages.ts'
import { CliError } from './context.ts'

/** A module that was imported. */
export interface LoadedModule {
  /** As it was named. */
  readonly name: string
  readonly path: string
  readonly exports: Readonly<Record<string, unknown>>
}

type ModuleExports = LoadedModule['exports']

/** What Node says of TypeScript that it does not run. */
const unsupportedTypeScriptCodes = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
])
/** What it says of imports that only a compiler understands: `./user` or `./user.js` for user.ts. It finds them before it runs anything. */
const unresolvedImportCodes = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT'])

const getErrorCode = (error: unknown): string => (error instanceof Error ? String(Reflect.get(error, 'code')) : '')

type TsImport = (url: string, parent: string) => Promise<ModuleExports>

/** The project's own tsx, where it has one. */
async function findTsx(...folders: readonly string[]): Promise<TsImport | undefined> {
  const { resolve: find } = createRequire(import.meta.url)
  let found: string
  try {
    found = find('tsx/esm/api', { paths: [...folders] })
  } catch {
    return undefined
  }
  // What is found is the twin for CommonJS, which looks for its loader in the wrong place.
  const { tsImport } = await import(pathToFileURL(found.replace(/\.cjs$/, '.mjs')).href)
  return tsImport
}

/** The folder of this package and of its siblings: `packages` in the repository, a folder of `node_modules` where they are installed. */
const packagesFolder = fileURLToPath(new URL('../../', import.meta.url))

/** Whether a frame of a stack says nothing to the author of a module: those of Node, of packages and of the toolkit. */
const isForeignFrame = (path: string): boolean =>
  path.includes('node_modules') || (path.startsWith(packagesFolder) && /[\\/](?:src|dist)[\\/]/.test(path.slice(packagesFolder.length)))
/** A line of a stack that names a file; of a module that cannot be read, the first one does, without a column. */
const stackFramePattern = /^(?: +at (?:.*\()?)?((?:file:\/\/|[A-Za-z]:\\|\/)[^()]*?)(?:\?[^:]*)?:(\d+)(?::\d+\)?)?$/gm

/** Where in the author's own files an error arose: ` (src/api.ts:12)`. */
function findErrorPlace(error: unknown, folder: string): string {
  for (const [, file = '', line] of (error instanceof Error ? (error.stack ?? '') : '').matchAll(stackFramePattern)) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    if (!isForeignFrame(path)) return ` (${relative(folder, path)}:${line})`
  }
  return ''
}

const formatErrorMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().replace(/\s*\n\s*/g, ' ')

/** The module that is named so in this folder. @throws Mistake when there is none, or it cannot be imported. */
export async function loadModule(name: string, folder: string): Promise<LoadedModule> {
  const path = resolve(folder, name)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new CliError(2, usage.missingModule(name))
  const url = pathToFileURL(path).href
  const failed = (error: unknown): CliError =>
    unsupportedTypeScriptCodes.has(getErrorCode(error))
      ? new CliError(1, usage.typescriptNotSupported(name), { cause: error })
      : new CliError(1, usage.moduleNotLoaded(name, formatErrorMessage(error) + findErrorPlace(error, folder)), { cause: error })
  const direct = import(url) as Promise<ModuleExports>
  const exports = await direct.catch(async (error: unknown) => {
    const tsImport =
      unsupportedTypeScriptCodes.has(getErrorCode(error)) || unresolvedImportCodes.has(getErrorCode(error))
        ? await findTsx(folder, dirname(path))
        : undefined
    if (tsImport === undefined) throw failed(error)
    return tsImport(url, import.meta.url).catch((second: unknown) => {
      throw failed(second)
    })
  })
  return { name, path, exports }
}
