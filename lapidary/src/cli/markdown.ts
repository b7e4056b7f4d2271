/** `lapidary markdown ./src/api.ts`: the documentation of an API as one Markdown document. */
import { type Command, Option } from 'commander'
import { type MarkdownOptions, markdown as printed } from '../docs/markdown.ts'
import { outline } from '../docs/outline.ts'
import { type ApiOptions, aboutApi } from './command.ts'
import { exportedApi } from './exportedApi.ts'
import { complained } from './mistake.ts'
import { imported } from './module.ts'
import { put } from './result.ts'
import type { Surroundings } from './surroundings.ts'

interface Options extends ApiOptions {
  readonly title?: string
  readonly requestExamples: NonNullable<MarkdownOptions['requestExamples']>
  readonly out?: string
}

/** Adds the command. */
export function markdown(program: Command, surroundings: Surroundings): void {
  aboutApi(program, 'markdown', 'Prints the documentation as Markdown.')
    .option('--title <text>', 'the title of the document (default: none)')
    .addOption(
      new Option('--request-examples <which>', 'the encodings in which request bodies are shown').choices(['all', 'first']).default('all'),
    )
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(async (module: string, { title = '', requestExamples, out, export: name }: Options) => {
      const api = exportedApi(await imported(module, surroundings.folder), name)
      const document = await complained(1, () => outline(api, { title }))
      await put(printed(document, { requestExamples }), out, surroundings)
    })
}
