/** The parts of an outline as Markdown: fields, bodies, answers. */
import type { Encoding } from '../examples/encoding.ts'
import type { Answer } from './answer.ts'
import type { Field } from './field.ts'
import { blocks, bullet, code, fenced, inline, paragraph } from './markdownText.ts'

/** A list; where one of its items has blocks of its own, all of them stand apart. */
export const list = (items: readonly string[]): string => items.map(bullet).join(items.some((item) => item.includes('\n')) ? '\n\n' : '\n')

const listed = (texts: readonly string[]): string => texts.map(code).join(', ')

/** `sortby` (choice, optional), **values**: `age`, `name`. What to sort by. */
function field({ name, type, examples, description }: Field, presence: string): string {
  const traits = [type, presence].filter((trait) => trait !== '').join(', ')
  const values = examples.length > 0 ? `, **values**: ${listed(examples)}` : ''
  return `${code(name)} (${inline(traits)})${values}${description === '' ? '' : `. ${inline(description)}`}`
}

const repeated = ({ repeats }: Field): string => (repeats ? 'may be repeated' : 'optional')

/** Something that a client sends: required, or not. */
export const asked = (one: Field): string => field(one, one.required ? 'required' : repeated(one))
/** Something that it gets, or a capture: there, unless something else is said. */
export const given = (one: Field): string => field(one, one.required ? '' : repeated(one))

const example = ({ types, framing, example: shown }: Encoding): string =>
  shown === null
    ? paragraph(framing)
    : blocks(paragraph(framing), `Example (${listed(types)}${shown.base64 ? ', here in base64' : ''}):`, fenced(shown.text, shown.language))

/** The content types of a body, and an example in each encoding that is `shown`; empty where there is no body. */
export const body = (encodings: readonly Encoding[], shown: readonly Encoding[] = encodings): string =>
  encodings.length === 0
    ? ''
    : blocks('Supported content types are:', list(encodings.flatMap(({ types }) => types.map(code))), ...shown.map(example))

const line = ({ status, reason, description }: Answer): string =>
  `Status code ${status} (${inline(reason)})${description === '' ? '' : `: ${inline(description)}`}`

/** The answer of success. */
export const success = (one: Answer, always: readonly Field[]): string =>
  blocks(
    line(one),
    one.headers.length === 0 ? '' : blocks('Headers:', list(one.headers.map(given))),
    always.length === 0 ? '' : blocks('Headers of every answer, errors too:', list(always.map(given))),
    body(one.encodings) || 'No response body',
  )

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** An error, in one line where it has no body of its own. */
export const error = (one: Answer): string =>
  blocks(
    one.headers.length === 0
      ? line(one)
      : `${sentence(line(one))} Headers: ${one.headers.map((header) => sentence(given(header))).join(' ')}`,
    body(one.encodings),
  )
