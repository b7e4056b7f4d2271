/** Loads the description of an API that a command names: the export of a module, or an OpenAPI document. */
import { statSync } from 'node:fs'
import { extname, relative, resolve } from 'node:path'
import type { Limit } from '@lapidary/openapi'
import type { Api } from 'lapidary'
import * as messages from './cliMessages.ts'
import { type CliContext, CliError, getErrorReason, writeChunk } from './context.ts'
import { findApi } from './findExports.ts'
import { type LoadedModule, loadModule } from './loadModule.ts'

/** A description, loaded. */
export interface Description {
  readonly api: Api
  /** The module that exports it; undefined: it is a document. */
  readonly module: LoadedModule | undefined
  /** What a document says and the API does not. */
  readonly limits: readonly Limit[]
  /** The names of the endpoints of a document, by their operationIds. */
  readonly operationIds: ReadonlyMap<string, string>
  /** The title of a document. */
  readonly title: string | undefined
  /** The version of the API that a document has. */
  readonly version: string | undefined
  /** The URLs of the servers of a document. They may be relative to it. */
  readonly servers: readonly string[]
}

/** Whether a name is that of a document, by its extension. */
export const isDocumentName = (name: string): boolean => ['.json', '.yaml', '.yml'].includes(extname(name).toLowerCase())

/** Messages name files relative to the folder of the process, and a command has one of its own. */
function toOwnPaths(message: string, cwd: string): string {
  const between = relative(process.cwd(), cwd).split('\\').join('/')
  return between === '' ? message : message.replaceAll(`${between}/`, '')
}

/**
 * Loads a document. The package that reads it is loaded only here.
 *
 * @param root the folder that no file of the document is outside of; undefined: any
 * @throws CliError if it is none
 */
export async function loadDocument(name: string, { cwd }: CliContext, root?: string): Promise<Description> {
  const path = resolve(cwd, name)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new CliError(2, messages.missingDocument(name))
  const { fromOpenApi, readOpenApi } = await import('@lapidary/openapi')
  try {
    const { api, limits, title, version, servers, operationIds } = fromOpenApi(await readOpenApi(path, root === undefined ? {} : { root }))
    return { api, module: undefined, limits, operationIds, title, version, servers: servers.map(({ url }) => url) }
  } catch (error) {
    const reason = toOwnPaths(getErrorReason(error), cwd)
    throw new CliError(2, reason.includes(name) ? reason : messages.documentNotRead(name, reason), { cause: error })
  }
}

/** Loads a description. A note on standard error says how many limits a document has. @throws CliError */
export async function loadDescription(
  name: string,
  exportName: string | undefined,
  context: CliContext,
  root?: string,
): Promise<Description> {
  if (!isDocumentName(name)) {
    const module = await loadModule(name, context.cwd)
    return {
      ...{ api: findApi(module, exportName), module },
      ...{ limits: [], operationIds: new Map(), title: undefined, version: undefined, servers: [] },
    }
  }
  if (exportName !== undefined) throw new CliError(2, messages.exportOfDocument(name))
  const description = await loadDocument(name, context, root)
  const { length } = description.limits
  if (length > 0) await writeChunk(context.errors, `${messages.documentLimits(name, length)}\n`)
  return description
}

/** Loads the API of a description. @throws CliError */
export const loadApi = async (name: string, exportName: string | undefined, context: CliContext): Promise<Api> =>
  (await loadDescription(name, exportName, context)).api
