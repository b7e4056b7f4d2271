/** `lapidary openapi ./src/api.ts`: the OpenAPI document of an API. */
import type { Command } from 'commander'
import * as usage from '../describe/usage.ts'
import { openapi as documentOf } from '../openapi/openapi.ts'
import { type ApiOptions, aboutApi, collected } from './command.ts'
import { exportedApi } from './exportedApi.ts'
import { exportedSchemas } from './exportedSchemas.ts'
import { complained, Mistake } from './mistake.ts'
import { imported } from './module.ts'
import { packageOf } from './packageOf.ts'
import { put } from './result.ts'
import type { Surroundings } from './surroundings.ts'

interface Options extends ApiOptions {
  readonly title?: string
  readonly apiVersion?: string
  readonly server?: readonly string[]
  readonly schemas?: readonly string[]
  readonly out?: string
}

/** Adds the command. */
export function openapi(program: Command, surroundings: Surroundings): void {
  const { folder } = surroundings
  aboutApi(program, 'openapi', 'Prints the OpenAPI 3.1 document, as JSON.')
    .option('--title <text>', 'the title of the API (default: the name of its package)')
    .option('--api-version <version>', 'the version of the API (default: that of its package)')
    .option('--server <url>', 'where the API is; may be repeated (default: where the document is found)', collected)
    .option('--schemas <module>', 'a further module whose exported schemas are called by their names; may be repeated', collected)
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(async (name: string, options: Options) => {
      const module = await imported(name, folder)
      const api = exportedApi(module, options.export)
      const further = await Promise.all((options.schemas ?? []).map((file) => imported(file, folder)))
      const own = packageOf(module.path)
      const title = options.title ?? own?.name
      if (title === undefined) throw new Mistake(2, usage.noTitle(name))
      const document = await complained(1, () =>
        documentOf(api, {
          title,
          version: options.apiVersion ?? own?.version ?? '0.0.0',
          schemas: exportedSchemas(module, ...further),
          ...(options.server === undefined ? {} : { servers: options.server.map((url) => ({ url })) }),
        }),
      )
      await put(`${JSON.stringify(document, null, 2)}\n`, options.out, surroundings)
    })
}
