/** `lapidary markdown ./src/api.ts`: prints the documentation of an API as one Markdown document. */
import { type Command, Option } from 'commander'
import { type MarkdownOptions, markdown, outline } from 'lapidary/docs'
import { type ApiOptions, createApiCommand } from '../command.ts'
import { type CliContext, convertTypeErrors, writeResult } from '../context.ts'
import { loadDescription } from '../description.ts'

interface MarkdownCommandOptions extends ApiOptions {
  readonly title?: string
  readonly requestExamples: NonNullable<MarkdownOptions['requestExamples']>
  readonly out?: string
}

/** Adds the command. */
export function addMarkdownCommand(program: Command, context: CliContext): void {
  createApiCommand(program, 'markdown', 'Prints the documentation as Markdown.')
    .option('--title <text>', 'the title of the document (default: that of an OpenAPI document, or none)')
    .addOption(
      new Option('--request-examples <which>', 'the encodings in which request bodies are shown').choices(['all', 'first']).default('all'),
    )
    .option('--out <file>', 'the file to write (default: standard output)')
    .action(async (module: string, { title, requestExamples, out, export: exportName }: MarkdownCommandOptions) => {
      const description = await loadDescription(module, exportName, context)
      const document = await convertTypeErrors(2, () => outline(description.api, { title: title ?? description.title ?? '' }))
      await writeResult(markdown(document, { requestExamples }), out, context)
    })
}
