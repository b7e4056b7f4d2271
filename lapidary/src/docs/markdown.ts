/** `markdown(outline)`: an outline as a Markdown document. */

import type { Encoding } from '../examples/encoding.ts'
import type { Answer } from './answer.ts'
import type { Field } from './field.ts'
import { blocks, bullet, code, fenced, heading, inline, paragraph } from './markdownText.ts'
import type { Introduction, Outline } from './outline.ts'
import type { Protection, Section } from './section.ts'

/** How to print. */
export interface MarkdownOptions {
  /** Whether a request's body is shown in all of its encodings, or only in the first. Default: all. */
  readonly requestExamples?: 'all' | 'first'
}

const list = (items: readonly string[]): string => items.map(bullet).join(items.some((item) => item.includes('\n')) ? '\n\n' : '\n')

/** A part of a section, left out where it is empty. */
const part = (title: string, body: string): string => (body === '' ? '' : blocks(heading(3, title), body))

const listed = (texts: readonly string[]): string => texts.map(code).join(', ')

/** `sortby` (choice, optional), **values**: `age`, `name`. What to sort by. */
function field({ name, type, examples, description }: Field, presence: string): string {
  const traits = [type, presence].filter((trait) => trait !== '').join(', ')
  const values = examples.length > 0 ? `, **values**: ${listed(examples)}` : ''
  return `${code(name)} (${inline(traits)})${values}${description === '' ? '' : `. ${inline(description)}`}`
}

const repeated = ({ repeats }: Field): string => (repeats ? 'may be repeated' : 'optional')
/** What a client sends is required or not; what it gets, and a capture, is there unless something else is said. */
const asked = (one: Field): string => field(one, one.required ? 'required' : repeated(one))
const given = (one: Field): string => field(one, one.required ? '' : repeated(one))

/** Basic and bearer schemes are named by their realm. */
const protection = ({ name, scheme, realm }: Protection): string =>
  `${paragraph(`${scheme} authentication`)}${name === realm ? '' : ` (${code(name)})`}${realm === '' ? '' : `, realm ${code(realm)}`}`

const examples = (encodings: readonly Encoding[]): string =>
  blocks(
    ...encodings.map(({ types, example }) =>
      example === null
        ? ''
        : blocks(`Example (${listed(types)}${example.base64 ? ', here in base64' : ''}):`, fenced(example.text, example.language)),
    ),
  )

/** The content types of a body, and an example in each encoding that is `shown`. */
const body = (encodings: readonly Encoding[], shown: readonly Encoding[] = encodings): string =>
  encodings.length === 0
    ? ''
    : blocks('Supported content types are:', list(encodings.flatMap(({ types }) => types.map(code))), examples(shown))

function answer({ status, reason, description, headers, encodings }: Answer, bodiless: string): string {
  return blocks(
    `Status code ${status} (${inline(reason)})${description === '' ? '' : `: ${inline(description)}`}`,
    headers.length > 0 ? blocks('Headers:', list(headers.map(given))) : '',
    body(encodings) || bodiless,
  )
}

const headline = ({ method, path }: Section): string => (method === null ? `Everything under ${path}` : `${method} ${path}`)

function section(one: Section, shown: number): string {
  return blocks(
    heading(2, headline(one)),
    paragraph(one.summary),
    paragraph(one.description),
    part('Authentication', one.auth === null ? '' : protection(one.auth)),
    part('Captures', list(one.captures.map(given))),
    part('Query parameters', list(one.query.map(asked))),
    part('Headers', list(one.headers.map(asked))),
    part('Request', body(one.request, one.request.slice(0, shown))),
    part('Response', one.response === null ? '' : answer(one.response, 'No response body')),
    part('Errors', list(one.errors.map((error) => answer(error, '')))),
  )
}

const introduction = ({ title, paragraphs }: Introduction): string =>
  blocks(title === '' ? '' : heading(2, title), ...paragraphs.map(paragraph))

/** The Markdown document (CommonMark) of an outline: `## GET /hello` for each endpoint, behind the introductions. One line feed ends it. */
export function markdown({ title, introductions, sections }: Outline, { requestExamples = 'all' }: MarkdownOptions = {}): string {
  const shown = requestExamples === 'first' ? 1 : Infinity
  const document = blocks(
    title === '' ? '' : heading(1, title),
    ...introductions.map(introduction),
    ...sections.map((one) => section(one, shown)),
  )
  return `${document}\n`
}
