/** `lapidary manifest ./src/api.ts` prints a version of an API, which `lapidary diff` compares with another. */
import { manifest } from '@lapidary/testing'
import type { Command } from 'commander'
import { type ApiOptions, createApiCommand } from '../command.ts'
import { type CliContext, convertTypeErrors, writeResult } from '../context.ts'
import { loadApi } from '../description.ts'

/** Adds the command. */
export function addManifestCommand(program: Command, context: CliContext): void {
  createApiCommand(program, 'manifest', 'Prints the API as it is on the wire, as JSON that you can store and compare.')
    .option('--out <file>', 'the file to write (default: standard output)')
    .action(async (module: string, { out, export: exportName }: ApiOptions & { readonly out?: string }) => {
      const api = await loadApi(module, exportName, context)
      const content = await convertTypeErrors(2, () => manifest(api))
      await writeResult(`${JSON.stringify(content, null, 2)}\n`, out, context)
    })
}
