/** `--format`: which forms a report is written in, and where. */
import { escapeControls, escapeWorkflowCommands } from '@lapidary/testing/internal'
import { Option } from 'commander'
import * as messages from '../cliMessages.ts'
import { collectValues } from '../command.ts'
import { type CliContext, CliError, hasColors, writeResult } from '../context.ts'
import { formatGitHub } from './formats/github.ts'
import { formatJUnit } from './formats/junit.ts'
import { formatMarkdown } from './formats/markdown.ts'
import { formatSarif } from './formats/sarif.ts'
import type { Report, ReportFormat } from './report.ts'

const formats: Readonly<Record<string, ReportFormat>> = {
  text: ({ formatText }) => formatText(false),
  json: ({ data }) => escapeControls(`${JSON.stringify(data, null, 2)}\n`),
  markdown: formatMarkdown,
  github: formatGitHub,
  sarif: formatSarif,
  junit: formatJUnit,
}

/** A form, and the file that it is written to; undefined: standard output. */
interface FormatTarget {
  readonly name: string
  readonly file: string | undefined
}

/** Creates the flag. */
export const createFormatOption = (): Option =>
  new Option(
    '--format <format>',
    `${Object.keys(formats).join(', ')}; with a file, as junit=report.xml, it is written there; may be repeated (default: text)`,
  ).argParser(collectValues)

/** Parses the values of the flag. @throws CliError for a form that there is not, and for two on standard output */
export function parseFormats(values: readonly string[] = []): readonly FormatTarget[] {
  const targets = values.map((value): FormatTarget => {
    const [, name = '', file] = /^([^=]*)(?:=(.+))?$/s.exec(value) ?? []
    if (!Object.hasOwn(formats, name)) throw new CliError(2, messages.unknownFormat(value, Object.keys(formats)))
    return { name, file }
  })
  const printed = targets.filter(({ file }) => file === undefined)
  if (printed.length > 1) throw new CliError(2, messages.severalFormats(printed.map(({ name }) => name)))
  return printed.length === 0 ? [...targets, { name: 'text', file: undefined }] : targets
}

/** Writes a report in each form; first to files, so that they are complete when the text is read. */
export async function writeReport(report: Report, targets: readonly FormatTarget[], context: CliContext): Promise<void> {
  for (const { name, file } of targets.toSorted((one, other) => Number(one.file === undefined) - Number(other.file === undefined))) {
    const format = formats[name]
    const text = name === 'text' && file === undefined ? report.formatText(hasColors(context)) : (format?.(report) ?? '')
    // The annotations of `github` are such commands themselves, of one line each.
    await writeResult(name === 'github' ? text : escapeWorkflowCommands(text), file, context, { isEscaped: true })
  }
}
