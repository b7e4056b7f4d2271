/** `lapidary openapi ./src/api.ts`: prints the OpenAPI document of an API. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, Option } from 'commander'
import { type OpenApiVersion, openapi } from 'lapidary/openapi'
import * as messages from '../cliMessages.ts'
import { type ApiOptions, collectValues, createApiCommand } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, writeResult } from '../context.ts'
import { loadDescription } from '../description.ts'
import { findSchemas } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'

/** The parts of a package.json that the document needs. */
interface PackageInfo {
  readonly name: string
  readonly version: string
}

/** Reads the package.json of a folder; `undefined` if there is none, or it has no name. */
function readPackage(folder: string): PackageInfo | undefined {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
  const { name, version } = Object(content) as Readonly<Record<string, unknown>>
  return typeof name === 'string' ? { name, version: typeof version === 'string' ? version : '0.0.0' } : undefined
}

/** Finds the nearest package.json with a name, beside a file or above it. */
function findPackage(path: string): PackageInfo | undefined {
  const folder = dirname(path)
  if (folder === path) return undefined
  return readPackage(folder) ?? findPackage(folder)
}

interface OpenApiCommandOptions extends ApiOptions {
  readonly title?: string
  readonly apiVersion?: string
  readonly openapi: OpenApiVersion
  readonly server?: readonly string[]
  readonly schemas?: readonly string[]
  readonly out?: string
}

/** Adds the command. */
export function addOpenApiCommand(program: Command, context: CliContext): void {
  const { cwd } = context
  createApiCommand(program, 'openapi', 'Prints the OpenAPI document, as JSON.')
    .option('--title <text>', 'the title of the API (default: the name of its package)')
    .option('--api-version <version>', 'the version of the API (default: the version of its package)')
    .addOption(new Option('--openapi <version>', 'the version of OpenAPI').choices(['3.0', '3.1', '3.2']).default('3.1'))
    .option('--server <url>', 'the URL of a server; may be repeated (default: the origin of the document)', collectValues)
    .option(
      '--schemas <module>',
      'another module that exports schemas; they become components with their names; may be repeated',
      collectValues,
    )
    .option('--out <file>', 'the file to write (default: standard output)')
    .action(async (name: string, options: OpenApiCommandOptions) => {
      const description = await loadDescription(name, options.export, context)
      const { api, module } = description
      const schemaModules = await Promise.all((options.schemas ?? []).map((file) => loadModule(file, cwd)))
      const packageInfo = module && findPackage(module.path)
      const title = options.title ?? description.title ?? packageInfo?.name
      if (title === undefined) throw new CliError(2, messages.missingTitle(name))
      const servers = options.server ?? description.servers
      const document = await convertTypeErrors(2, () =>
        openapi(api, {
          title,
          openapi: options.openapi,
          version: options.apiVersion ?? description.version ?? packageInfo?.version ?? '0.0.0',
          schemas: findSchemas(...(module === undefined ? [] : [module]), ...schemaModules),
          ...(servers.length === 0 ? {} : { servers: servers.map((url) => ({ url })) }),
        }),
      )
      await writeResult(`${JSON.stringify(document, null, 2)}\n`, options.out, context)
    })
}
