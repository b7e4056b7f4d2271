/** `lapidary routes ./src/api.ts`: one line for each endpoint and mount. */
import type { Command } from 'commander'
import { walk } from '../describe/api.ts'
import { type ApiOptions, aboutApi } from './command.ts'
import { exportedApi } from './exportedApi.ts'
import { imported } from './module.ts'
import { put } from './result.ts'
import { rowOf } from './row.ts'
import type { Surroundings } from './surroundings.ts'
import { table } from './table.ts'

/** Adds the command. */
export function routes(program: Command, surroundings: Surroundings): void {
  const { output, folder } = surroundings
  aboutApi(program, 'routes', 'Lists every endpoint: its method, path, name and auth, what it takes and what it answers.')
    .option('--json', 'as JSON, for programs')
    .action(async (module: string, options: ApiOptions & { readonly json?: true }) => {
      const rows = walk(exportedApi(await imported(module, folder), options.export)).map(rowOf)
      const text = options.json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows, output.isTTY ? output.columns : undefined)
      await put(text, undefined, surroundings)
    })
}
