/** `lapidary markdown ./src/api.ts`: the documentation of an API as one Markdown document. */
import { type Command, Option } from 'commander'
import { type MarkdownOptions, outline, markdown as printed } from 'lapidary/docs'
import { type ApiOptions, createApiCommand } from '../command.ts'
import type { CliContext } from '../context.ts'
import { convertTypeErrors, writeResult } from '../context.ts'
import { findApi } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'

interface MarkdownCommandOptions extends ApiOptions {
  readonly title?: string
  readonly requestExamples: NonNullable<MarkdownOptions['requestExamples']>
  readonly out?: string
}

/** Adds the command. */
export function addMarkdownCommand(program: Command, surroundings: CliContext): void {
  createApiCommand(program, 'markdown', 'Prints the documentation as Markdown.')
    .option('--title <text>', 'the title of the document (default: none)')
    .addOption(
      new Option('--request-examples <which>', 'the encodings in which request bodies are shown').choices(['all', 'first']).default('all'),
    )
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(async (module: string, { title = '', requestExamples, out, export: name }: MarkdownCommandOptions) => {
      const api = findApi(await loadModule(module, surroundings.cwd), name)
      const document = await convertTypeErrors(1, () => outline(api, { title }))
      await writeResult(printed(document, { requestExamples }), out, surroundings)
    })
}
