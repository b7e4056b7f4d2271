/** `markdown(outline)`: an outline as a Markdown document. */

import type { Encoding } from '../contract/exampleBody.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { formatBullet, formatCode, formatFence, formatHeading, formatInline, formatParagraph, joinBlocks } from './markdownText.ts'
import type { ErrorExample, Introduction, Outline } from './outline.ts'
import type { DocumentedResponse, Field, Section, Security } from './section.ts'
import { findSharedResponses, type SharedResponses } from './sharedResponses.ts'

// The parts of an outline as Markdown: fields, bodies, answers.

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
  joinBlocks(documentationTexts.errorExampleText(formatCode(line), status), formatFence(text, language))

const renderSharedErrors = ({ shared: once }: SharedResponses): string =>
  once.length === 0 ? '' : joinBlocks(documentationTexts.sharedErrorsText(), renderList(once.map(renderError)))

/** What all endpoints have in common. */
const renderCommon = (all: SharedResponses, refused: ErrorExample | null): string =>
  joinBlocks(
    formatHeading(2, 'What endpoints have in common'),
    documentationTexts.methodsText(),
    documentationTexts.contentTypesText(),
    documentationTexts.streamsText(),
    renderPart(
      'Errors',
      joinBlocks(documentationTexts.problemsText(), refused === null ? '' : renderErrorExample(refused), renderSharedErrors(all)),
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
