/** `markdown(outline)`: an outline as a Markdown document. */
import * as documentation from '../describe/documentation.ts'
import { blocks, code, fenced, heading, paragraph } from './markdownText.ts'
import type { Introduction, Outline } from './outline.ts'
import { asked, body, error, given, list, success } from './printed.ts'
import type { Protection } from './protection.ts'
import type { Refused } from './refused.ts'
import type { Section } from './section.ts'
import { type Told, told } from './told.ts'

/** How to print. */
export interface MarkdownOptions {
  /** Whether a request's body is shown in all of its encodings, or only in the first. Default: all. */
  readonly requestExamples?: 'all' | 'first'
}

/** A part of a section, left out where it is empty. */
const part = (title: string, content: string): string => (content === '' ? '' : blocks(heading(3, title), content))

/** Basic and bearer schemes are named by their realm. */
function protection({ name, scheme, realm, description, headers }: Protection): string {
  const named = [
    paragraph(`${scheme} authentication`),
    name === realm ? '' : ` (${code(name)})`,
    realm === '' ? '' : `, realm ${code(realm)}`,
  ]
  const shown = Object.entries(headers).map(([header, value]) => code(`${header}: ${value}`))
  return blocks(named.join(''), paragraph(description), list(shown))
}

const example = ({ line, status, example: { text, language } }: Refused): string =>
  blocks(documentation.refused(code(line), status), fenced(text, language))

const toldOnce = ({ once }: Told): string => (once.length === 0 ? '' : blocks(documentation.numbers(), list(once.map(error))))

/** What all endpoints have in common. */
const everyEndpoint = (all: Told, refused: Refused | null): string =>
  blocks(
    heading(2, 'What endpoints have in common'),
    documentation.methods(),
    documentation.types(),
    documentation.streams(),
    part('Errors', blocks(documentation.problems(), refused === null ? '' : example(refused), toldOnce(all))),
  )

const headline = ({ method, path }: Section): string => (method === null ? `Everything under ${path}` : `${method} ${path}`)

function errors(section: Section, { of }: Told): string {
  const { own, statuses } = of(section)
  const numbers = statuses.join(', ')
  return blocks(list(own.map(error)), numbers === '' || own.length === 0 ? numbers : `Also: ${numbers}`)
}

const section = (one: Section, shown: number, all: Told): string =>
  blocks(
    heading(2, headline(one)),
    paragraph(one.summary),
    paragraph(one.description),
    part('Authentication', one.auth === null ? '' : protection(one.auth)),
    part('Captures', list(one.captures.map(given))),
    part('Query parameters', list(one.query.map(asked))),
    part('Headers', list(one.headers.map(asked))),
    part('Request', body(one.request, one.request.slice(0, shown))),
    part('Response', one.response === null ? '' : success(one.response, one.always)),
    part('Errors', errors(one, all)),
  )

const introduction = ({ title, paragraphs }: Introduction): string =>
  blocks(title === '' ? '' : heading(2, title), ...paragraphs.map(paragraph))

/**
 * The Markdown document (CommonMark) of an outline: the introductions, what every endpoint has in common, then `## GET /hello` for each.
 * What endpoints answer alike stands once, in front. One line feed ends the document.
 */
export function markdown({ title, introductions, refused, sections }: Outline, { requestExamples = 'all' }: MarkdownOptions = {}): string {
  const shown = requestExamples === 'first' ? 1 : Infinity
  const all = told(sections)
  const document = blocks(
    title === '' ? '' : heading(1, title),
    ...introductions.map(introduction),
    sections.some(({ method }) => method !== null) ? everyEndpoint(all, refused) : '',
    ...sections.map((one) => section(one, shown, all)),
  )
  return `${document}\n`
}
