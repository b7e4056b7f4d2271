/** `lapidary manifest ./src/api.ts`: what an API is on the wire, as JSON that can be kept and compared. */
import type { Command } from 'commander'
import { manifest as manifestOf } from '../diff/manifest.ts'
import { type ApiOptions, createApiCommand } from './command.ts'
import { findApi } from './exportedApi.ts'
import { convertTypeErrors } from './mistake.ts'
import { loadModule } from './module.ts'
import { writeResult } from './result.ts'
import type { CliContext } from './surroundings.ts'

/** Adds the command. */
export function addManifestCommand(program: Command, surroundings: CliContext): void {
  createApiCommand(program, 'manifest', 'Prints what the API is on the wire, as JSON to be kept and compared.')
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(async (module: string, { out, export: name }: ApiOptions & { readonly out?: string }) => {
      const api = findApi(await loadModule(module, surroundings.cwd), name)
      const made = await convertTypeErrors(1, () => manifestOf(api))
      await writeResult(`${JSON.stringify(made, null, 2)}\n`, out, surroundings)
    })
}
