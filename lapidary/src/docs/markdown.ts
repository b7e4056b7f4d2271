/** `markdown(outline)`: an outline as a Markdown document. */
import * as documentation from '../describe/documentation.ts'
import { formatCode, formatFence, formatHeading, formatParagraph, joinBlocks } from './markdownText.ts'
import type { Introduction, Outline } from './outline.ts'
import { renderBody, renderError, renderList, renderRequestField, renderResponseField, renderSuccess } from './printed.ts'
import type { Security } from './protection.ts'
import type { ErrorExample } from './refused.ts'
import type { Section } from './section.ts'
import { findSharedResponses, type SharedResponses } from './told.ts'

/** How to print. */
export interface MarkdownOptions {
  /** Whether a request's body is shown in all of its encodings, or only in the first. Default: all. */
  readonly requestExamples?: 'all' | 'first'
}

/** A part of a section, left out where it is empty. */
const renderPart = (title: string, content: string): string => (content === '' ? '' : joinBlocks(formatHeading(3, title), content))

/** Basic and bearer schemes are named by their realm. */
function renderSecurity({ name, scheme, realm, description, headers }: Security): string {
  const named = [
    formatParagraph(`${scheme} authentication`),
    name === realm ? '' : ` (${formatCode(name)})`,
    realm === '' ? '' : `, realm ${formatCode(realm)}`,
  ]
  const shown = Object.entries(headers).map(([header, value]) => formatCode(`${header}: ${value}`))
  return joinBlocks(named.join(''), formatParagraph(description), renderList(shown))
}

const renderErrorExample = ({ line, status, example: { text, language } }: ErrorExample): string =>
  joinBlocks(documentation.errorExampleText(formatCode(line), status), formatFence(text, language))

const renderSharedErrors = ({ shared: once }: SharedResponses): string =>
  once.length === 0 ? '' : joinBlocks(documentation.sharedErrorsText(), renderList(once.map(renderError)))

/** What all endpoints have in common. */
const renderCommon = (all: SharedResponses, refused: ErrorExample | null): string =>
  joinBlocks(
    formatHeading(2, 'What endpoints have in common'),
    documentation.methodsText(),
    documentation.contentTypesText(),
    documentation.streamsText(),
    renderPart(
      'Errors',
      joinBlocks(documentation.problemsText(), refused === null ? '' : renderErrorExample(refused), renderSharedErrors(all)),
    ),
  )

const formatHeadline = ({ method, path }: Section): string => (method === null ? `Everything under ${path}` : `${method} ${path}`)

function renderErrors(section: Section, { forSection: of }: SharedResponses): string {
  const { own, statuses } = of(section)
  const numbers = statuses.join(', ')
  return joinBlocks(renderList(own.map(renderError)), numbers === '' || own.length === 0 ? numbers : `Also: ${numbers}`)
}

const renderSection = (one: Section, shown: number, all: SharedResponses): string =>
  joinBlocks(
    formatHeading(2, formatHeadline(one)),
    formatParagraph(one.summary),
    formatParagraph(one.description),
    renderPart('Authentication', one.auth === null ? '' : renderSecurity(one.auth)),
    renderPart('Captures', renderList(one.captures.map(renderResponseField))),
    renderPart('Query parameters', renderList(one.query.map(renderRequestField))),
    renderPart('Headers', renderList(one.headers.map(renderRequestField))),
    renderPart('Request', renderBody(one.request, one.request.slice(0, shown))),
    renderPart('Response', one.response === null ? '' : renderSuccess(one.response, one.responseHeaders)),
    renderPart('Errors', renderErrors(one, all)),
  )

const renderIntroduction = ({ title, paragraphs }: Introduction): string =>
  joinBlocks(title === '' ? '' : formatHeading(2, title), ...paragraphs.map(formatParagraph))

/**
 * The Markdown document (CommonMark) of an outline: the introductions, what every endpoint has in common, then `## GET /hello` for each.
 * What endpoints answer alike stands once, in front. One line feed ends the document.
 */
export function markdown(
  { title, introductions, errorExample: refused, sections }: Outline,
  { requestExamples = 'all' }: MarkdownOptions = {},
): string {
  const shown = requestExamples === 'first' ? 1 : Infinity
  const all = findSharedResponses(sections)
  const document = joinBlocks(
    title === '' ? '' : formatHeading(1, title),
    ...introductions.map(renderIntroduction),
    sections.some(({ method }) => method !== null) ? renderCommon(all, refused) : '',
    ...sections.map((one) => renderSection(one, shown, all)),
  )
  return `${document}\n`
}
