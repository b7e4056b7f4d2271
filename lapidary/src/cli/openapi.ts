/** `lapidary openapi ./src/api.ts`: the OpenAPI document of an API. */
import type { Command } from 'commander'
import * as usage from '../describe/usage.ts'
import { openapi as documentOf } from '../openapi/openapi.ts'
import { type ApiOptions, collectValues, createApiCommand } from './command.ts'
import { findApi } from './exportedApi.ts'
import { findSchemas } from './exportedSchemas.ts'
import { CliError, convertTypeErrors } from './mistake.ts'
import { loadModule } from './module.ts'
import { findPackage } from './packageOf.ts'
import { writeResult } from './result.ts'
import type { CliContext } from './surroundings.ts'

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
