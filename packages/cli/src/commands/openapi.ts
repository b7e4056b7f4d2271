/** `lapidary openapi ./src/api.ts`: the OpenAPI document of an API. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { openapi as documentOf } from 'lapidary/openapi'
import * as usage from '../cliMessages.ts'
import { type ApiOptions, collectValues, createApiCommand } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, writeResult } from '../context.ts'
import { findApi, findSchemas } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'

// What the package of a module says of itself.

/** A package.json, as far as it matters here. */
export interface PackageInfo {
  readonly name: string
  /** `0.0.0` where it has none. */
  readonly version: string
}

function readPackage(folder: string): PackageInfo | undefined {
  let found: unknown
  try {
    found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
  const { name, version } = Object(found) as Readonly<Record<string, unknown>>
  // One without a name only says how its folder is to be loaded.
  return typeof name === 'string' ? { name, version: typeof version === 'string' ? version : '0.0.0' } : undefined
}

/** The nearest package.json with a name, beside the file or above it; undefined where there is none. */
export function findPackage(path: string): PackageInfo | undefined {
  const folder = dirname(path)
  if (folder === path) return undefined
  return readPackage(folder) ?? findPackage(folder)
}

interface OpenApiCommandOptions extends ApiOptions {
  readonly title?: string
  readonly apiVersion?: string
  readonly server?: readonly string[]
  readonly schemas?: readonly string[]
  readonly out?: string
}

/** Adds the command. */
export function addOpenApiCommand(program: Command, surroundings: CliContext): void {
  const { cwd: folder } = surroundings
  createApiCommand(program, 'openapi', 'Prints the OpenAPI 3.1 document, as JSON.')
    .option('--title <text>', 'the title of the API (default: the name of its package)')
    .option('--api-version <version>', 'the version of the API (default: that of its package)')
    .option('--server <url>', 'where the API is; may be repeated (default: where the document is found)', collectValues)
    .option('--schemas <module>', 'a further module whose exported schemas are called by their names; may be repeated', collectValues)
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(async (name: string, options: OpenApiCommandOptions) => {
      const module = await loadModule(name, folder)
      const api = findApi(module, options.export)
      const further = await Promise.all((options.schemas ?? []).map((file) => loadModule(file, folder)))
      const own = findPackage(module.path)
      const title = options.title ?? own?.name
      if (title === undefined) throw new CliError(2, usage.missingTitle(name))
      const document = await convertTypeErrors(1, () =>
        documentOf(api, {
          title,
          version: options.apiVersion ?? own?.version ?? '0.0.0',
          schemas: findSchemas(module, ...further),
          ...(options.server === undefined ? {} : { servers: options.server.map((url) => ({ url })) }),
        }),
      )
      await writeResult(`${JSON.stringify(document, null, 2)}\n`, options.out, surroundings)
    })
}
