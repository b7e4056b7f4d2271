/** `lapidary manifest ./src/api.ts`: what an API is on the wire, as JSON that can be kept and compared. */
import type { Command } from 'commander'
import { manifest as manifestOf } from '../diff/manifest.ts'
import { type ApiOptions, aboutApi } from './command.ts'
import { exportedApi } from './exportedApi.ts'
import { complained } from './mistake.ts'
import { imported } from './module.ts'
import { put } from './result.ts'
import type { Surroundings } from './surroundings.ts'

/** Adds the command. */
export function manifest(program: Command, surroundings: Surroundings): void {
  aboutApi(program, 'manifest', 'Prints what the API is on the wire, as JSON to be kept and compared.')
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(async (module: string, { out, export: name }: ApiOptions & { readonly out?: string }) => {
      const api = exportedApi(await imported(module, surroundings.folder), name)
      const made = await complained(1, () => manifestOf(api))
      await put(`${JSON.stringify(made, null, 2)}\n`, out, surroundings)
    })
}
