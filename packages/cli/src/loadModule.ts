/** Loads the module that a command names: JavaScript, or TypeScript if Node or the tsx of the project can run it. */
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as messages from './cliMessages.ts'
import { CliError } from './context.ts'

/** A loaded module. */
export interface LoadedModule {
  /** The name as given. */
  readonly name: string
  readonly path: string
  readonly exports: Readonly<Record<string, unknown>>
}

type ModuleExports = LoadedModule['exports']

/** Error codes of Node for TypeScript that it cannot run. */
const unsupportedTypeScriptCodes = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
])
/**
 * Error codes of Node for imports that only a compiler resolves: `./user` or `./user.js` for user.ts. Node reports them before it runs any
 * code.
 */
const unresolvedImportCodes = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT'])

const getErrorCode = (error: unknown): string => (error instanceof Error ? String(Reflect.get(error, 'code')) : '')

type TsImport = (url: string, parent: string) => Promise<ModuleExports>

/** Finds the tsx of the project. */
async function findTsx(...folders: readonly string[]): Promise<TsImport | undefined> {
  const { resolve: resolvePackage } = createRequire(import.meta.url)
  let path: string
  try {
    path = resolvePackage('tsx/esm/api', { paths: [...folders] })
  } catch {
    return undefined
  }
  // The CommonJS build, which is found, looks for its loader in the wrong place.
  const { tsImport } = await import(pathToFileURL(path.replace(/\.cjs$/, '.mjs')).href)
  return tsImport
}

/** The folder of this package and its siblings: `packages` in the repository, a folder of `node_modules` when installed. */
const packagesFolder = fileURLToPath(new URL('../../', import.meta.url))

/** Whether a file belongs to a package or to the toolkit, and not to the author of the module. */
const isForeignFrame = (path: string): boolean =>
  path.includes('node_modules') || (path.startsWith(packagesFolder) && /[\\/](?:src|dist)[\\/]/.test(path.slice(packagesFolder.length)))
/** A line of a stack trace that names a file. For a module that cannot be parsed, the first line does, without a column. */
const stackFramePattern = /^(?: +at (?:.*\()?)?((?:file:\/\/|[A-Za-z]:\\|\/)[^()]*?)(?:\?[^:]*)?:(\d+)(?::\d+\)?)?$/gm

/** Finds the place of an error in the files of the author: ` (src/api.ts:12)`. */
function findErrorPlace(error: unknown, cwd: string): string {
  for (const [, file = '', line] of (error instanceof Error ? (error.stack ?? '') : '').matchAll(stackFramePattern)) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    if (!isForeignFrame(path)) return ` (${relative(cwd, path)}:${line})`
  }
  return ''
}

const formatErrorMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().replace(/\s*\n\s*/g, ' ')

/** Loads a module by its path. @throws CliError if there is none, or it cannot be loaded */
export async function loadModule(name: string, cwd: string): Promise<LoadedModule> {
  const path = resolve(cwd, name)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new CliError(2, messages.missingModule(name))
  const url = pathToFileURL(path).href
  const toCliError = (error: unknown): CliError =>
    unsupportedTypeScriptCodes.has(getErrorCode(error))
      ? new CliError(2, messages.typescriptNotSupported(name), { cause: error })
      : new CliError(2, messages.moduleNotLoaded(name, formatErrorMessage(error) + findErrorPlace(error, cwd)), { cause: error })
  const namespace = await (import(url) as Promise<ModuleExports>).catch(async (error: unknown) => {
    const code = getErrorCode(error)
    // Node 22.18 and newer strip types, but read the module of a CommonJS package as CommonJS: a SyntaxError without a code.
    const isUnreadable = error instanceof SyntaxError && /\.[cm]?ts$/.test(path)
    const tsImport =
      unsupportedTypeScriptCodes.has(code) || unresolvedImportCodes.has(code) || isUnreadable
        ? await findTsx(cwd, dirname(path))
        : undefined
    if (tsImport === undefined) throw toCliError(error)
    return tsImport(url, import.meta.url).catch((tsxError: unknown) => {
      throw toCliError(tsxError)
    })
  })
  // Newer versions of Node export the value of `default` from a CommonJS module under this name, too.
  const { 'module.exports': _, ...exports } = namespace
  return { name, path, exports }
}
