/** `lapidary limits openapi.yaml`: lists the parts of a document that are not read in full, each with its place. */
import { escapeControlsInLine, escapeWorkflowCommands } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import * as messages from '../cliMessages.ts'
import { type CliContext, CliError, writeResult } from '../context.ts'
import { isDocumentName, loadDocument } from '../description.ts'

/** Adds the command. */
export function addLimitsCommand(program: Command, context: CliContext): void {
  program
    .command('limits')
    .description('Lists the parts of an OpenAPI document that are not read in full, each with its place.')
    .argument('<document>', 'an OpenAPI document, such as openapi.yaml')
    .option('--json', 'as JSON, for programs')
    .action(async (name: string, { json }: { readonly json?: true }) => {
      if (!isDocumentName(name)) throw new CliError(2, messages.limitsOfModule(name))
      const { limits } = await loadDocument(name, context)
      const lines = limits.map(
        ({ kind, pointer, message }) => `${escapeControlsInLine(pointer)}  ${kind}\n    ${escapeControlsInLine(message)}\n`,
      )
      const text = limits.length === 0 ? `${messages.noLimits(name)}\n` : lines.join('')
      await writeResult(escapeWorkflowCommands(json ? `${JSON.stringify(limits, null, 2)}\n` : text), undefined, context)
    })
}
