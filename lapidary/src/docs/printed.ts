/** The parts of an outline as Markdown: fields, bodies, answers. */
import type { Encoding } from '../examples/encoding.ts'
import type { DocumentedResponse } from './answer.ts'
import type { Field } from './field.ts'
import { formatBullet, formatCode, formatFence, formatInline, formatParagraph, joinBlocks } from './markdownText.ts'

/** A list; where one of its items has blocks of its own, all of them stand apart. */
export const renderList = (items: readonly string[]): string =>
  items.map(formatBullet).join(items.some((item) => item.includes('\n')) ? '\n\n' : '\n')

const formatCodeList = (texts: readonly string[]): string => texts.map(formatCode).join(', ')

/** `sortby` (choice, optional), **values**: `age`, `name`. What to sort by. */
function renderField({ name, type, examples, description }: Field, presence: string): string {
  const traits = [type, presence].filter((trait) => trait !== '').join(', ')
  const values = examples.length > 0 ? `, **values**: ${formatCodeList(examples)}` : ''
  return `${formatCode(name)} (${formatInline(traits)})${values}${description === '' ? '' : `. ${formatInline(description)}`}`
}

const formatPresence = ({ repeats }: Field): string => (repeats ? 'may be repeated' : 'optional')

/** Something that a client sends: required, or not. */
export const renderRequestField = (one: Field): string => renderField(one, one.required ? 'required' : formatPresence(one))
/** Something that it gets, or a capture: there, unless something else is said. */
export const renderResponseField = (one: Field): string => renderField(one, one.required ? '' : formatPresence(one))

const renderEncoding = ({ types, framing, example: shown }: Encoding): string =>
  shown === null
    ? formatParagraph(framing)
    : joinBlocks(
        formatParagraph(framing),
        `Example (${formatCodeList(types)}${shown.base64 ? ', here in base64' : ''}):`,
        formatFence(shown.text, shown.language),
      )

/** The content types of a body, and an example in each encoding that is `shown`; empty where there is no body. */
export const renderBody = (encodings: readonly Encoding[], shown: readonly Encoding[] = encodings): string =>
  encodings.length === 0
    ? ''
    : joinBlocks(
        'Supported content types are:',
        renderList(encodings.flatMap(({ types }) => types.map(formatCode))),
        ...shown.map(renderEncoding),
      )

const formatResponseLine = ({ status, reason, description }: DocumentedResponse): string =>
  `Status code ${status} (${formatInline(reason)})${description === '' ? '' : `: ${formatInline(description)}`}`

/** The answer of success. */
export const renderSuccess = (one: DocumentedResponse, always: readonly Field[]): string =>
  joinBlocks(
    formatResponseLine(one),
    one.headers.length === 0 ? '' : joinBlocks('Headers:', renderList(one.headers.map(renderResponseField))),
    always.length === 0 ? '' : joinBlocks('Headers of every answer, errors too:', renderList(always.map(renderResponseField))),
    renderBody(one.encodings) || 'No response body',
  )

const endWithPeriod = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** An error, in one line where it has no body of its own. */
export const renderError = (one: DocumentedResponse): string =>
  joinBlocks(
    one.headers.length === 0
      ? formatResponseLine(one)
      : `${endWithPeriod(formatResponseLine(one))} Headers: ${one.headers.map((header) => endWithPeriod(renderResponseField(header))).join(' ')}`,
    renderBody(one.encodings),
  )
