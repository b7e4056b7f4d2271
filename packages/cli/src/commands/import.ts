/** `lapidary import openapi.yaml` writes the description of an OpenAPI document. */
import { resolve } from 'node:path'
import { escapeControlsInLine, escapeWorkflowCommands } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import * as messages from '../cliMessages.ts'
import { type CliContext, CliError, convertTypeErrors, writeChunk, writeResult } from '../context.ts'

interface ImportOptions {
  readonly out?: string
}

/** Adds the command `import`. */
export function addImportCommand(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('Writes the description of an OpenAPI document, with zod.')
    .argument('<document>', 'the file, in JSON or YAML: OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0')
    .option('--out <file>', 'the file to write (default: standard output)')
    .addHelpText('after', `\n${messages.importHelp()}`)
    .action(async (document: string, { out }: ImportOptions) => {
      const path = resolve(context.cwd, document)
      if (out !== undefined && resolve(context.cwd, out) === path) throw new CliError(2, messages.documentAsOut(out))
      // The reader of documents takes its time to load: the other commands do without it.
      const { readOpenApi } = await import('@lapidary/openapi')
      const { writeModule } = await import('@lapidary/openapi/internal')
      const { code, limits } = await convertTypeErrors(2, async () => writeModule(await readOpenApi(path)))
      await writeResult(code, out, context)
      for (const { pointer, message } of limits)
        await writeChunk(context.errors, `${escapeWorkflowCommands(escapeControlsInLine(messages.limitOf(pointer, message)))}\n`)
    })
}
