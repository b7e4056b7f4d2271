/** `lapidary routes ./src/api.ts`: one line for each endpoint and mount. */
import type { Command } from 'commander'
import { operations } from '../describe/api.ts'
import { type ApiOptions, createApiCommand } from './command.ts'
import { findApi } from './exportedApi.ts'
import { loadModule } from './module.ts'
import { writeResult } from './result.ts'
import { summarizeRoute } from './row.ts'
import type { CliContext } from './surroundings.ts'
import { formatTable } from './table.ts'

/** Adds the command. */
export function addRoutesCommand(program: Command, surroundings: CliContext): void {
  const { output, cwd: folder } = surroundings
  createApiCommand(program, 'routes', 'Lists every endpoint: its method, path, name and auth, what it takes and what it answers.')
    .option('--json', 'as JSON, for programs')
    .action(async (module: string, options: ApiOptions & { readonly json?: true }) => {
      const rows = operations(findApi(await loadModule(module, folder), options.export)).map(summarizeRoute)
      const text = options.json ? `${JSON.stringify(rows, null, 2)}\n` : formatTable(rows, output.isTTY ? output.columns : undefined)
      await writeResult(text, undefined, surroundings)
    })
}
