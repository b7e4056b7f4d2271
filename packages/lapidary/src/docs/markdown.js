/** `markdown(outline)`: an outline as a Markdown document. */
import * as documentation from '../messages/documentationTexts.js'
import { formatBullet, formatCode, formatFence, formatHeading, formatInline, formatParagraph, joinBlocks } from './markdownText.js'
import { findSharedResponses } from './sharedResponses.js'
// The parts of an outline as Markdown: fields, bodies, answers.
/** A list; where one of its items has blocks of its own, all of them stand apart. */
export const renderList = (items) => items.map(formatBullet).join(items.some((item) => item.includes('\n')) ? '\n\n' : '\n')
const formatCodeList = (texts) => texts.map(formatCode).join(', ')
/** `sortby` (choice, optional), **values**: `age`, `name`. What to sort by. */
function renderField({ name, type, examples, description }, presence) {
  const traits = [type, presence].filter((trait) => trait !== '').join(', ')
  const values = examples.length > 0 ? `, **values**: ${formatCodeList(examples)}` : ''
  return `${formatCode(name)} (${formatInline(traits)})${values}${description === '' ? '' : `. ${formatInline(description)}`}`
}
const formatPresence = ({ repeats }) => (repeats ? 'may be repeated' : 'optional')
/** Something that a client sends: required, or not. */
export const renderRequestField = (one) => renderField(one, one.required ? 'required' : formatPresence(one))
/** Something that it gets, or a capture: there, unless something else is said. */
export const renderResponseField = (one) => renderField(one, one.required ? '' : formatPresence(one))
const renderEncoding = ({ types, framing, example: shown }) =>
  shown === null
    ? formatParagraph(framing)
    : joinBlocks(
        formatParagraph(framing),
        `Example (${formatCodeList(types)}${shown.base64 ? ', here in base64' : ''}):`,
        formatFence(shown.text, shown.language),
      )
/** The content types of a body, and an example in each encoding that is `shown`; empty where there is no body. */
export const renderBody = (encodings, shown = encodings) =>
  encodings.length === 0
    ? ''
    : joinBlocks(
        'Supported content types are:',
        renderList(encodings.flatMap(({ types }) => types.map(formatCode))),
        ...shown.map(renderEncoding),
      )
const formatResponseLine = ({ status, reason, description }) =>
  `Status code ${status} (${formatInline(reason)})${description === '' ? '' : `: ${formatInline(description)}`}`
/** The answer of success. */
export const renderSuccess = (one, always) =>
  joinBlocks(
    formatResponseLine(one),
    one.headers.length === 0 ? '' : joinBlocks('Headers:', renderList(one.headers.map(renderResponseField))),
    always.length === 0 ? '' : joinBlocks('Headers of every answer, errors too:', renderList(always.map(renderResponseField))),
    renderBody(one.encodings) || 'No response body',
  )
const endWithPeriod = (text) => (/[.!?]$/.test(text) ? text : `${text}.`)
/** An error, in one line where it has no body of its own. */
export const renderError = (one) =>
  joinBlocks(
    one.headers.length === 0
      ? formatResponseLine(one)
      : `${endWithPeriod(formatResponseLine(one))} Headers: ${one.headers.map((header) => endWithPeriod(renderResponseField(header))).join(' ')}`,
    renderBody(one.encodings),
  )
/** A part of a section, left out where it is empty. */
const renderPart = (title, content) => (content === '' ? '' : joinBlocks(formatHeading(3, title), content))
/** Basic and bearer schemes are named by their realm. */
function renderSecurity({ name, scheme, realm, description, headers }) {
  const named = [
    formatParagraph(`${scheme} authentication`),
    name === realm ? '' : ` (${formatCode(name)})`,
    realm === '' ? '' : `, realm ${formatCode(realm)}`,
  ]
  const shown = Object.entries(headers).map(([header, value]) => formatCode(`${header}: ${value}`))
  return joinBlocks(named.join(''), formatParagraph(description), renderList(shown))
}
const renderErrorExample = ({ line, status, example: { text, language } }) =>
  joinBlocks(documentation.errorExampleText(formatCode(line), status), formatFence(text, language))
const renderSharedErrors = ({ shared: once }) =>
  once.length === 0 ? '' : joinBlocks(documentation.sharedErrorsText(), renderList(once.map(renderError)))
/** What all endpoints have in common. */
const renderCommon = (all, refused) =>
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
const formatHeadline = ({ method, path }) => (method === null ? `Everything under ${path}` : `${method} ${path}`)
function renderErrors(section, { forSection: of }) {
  const { own, statuses } = of(section)
  const numbers = statuses.join(', ')
  return joinBlocks(renderList(own.map(renderError)), numbers === '' || own.length === 0 ? numbers : `Also: ${numbers}`)
}
const renderSection = (one, shown, all) =>
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
const renderIntroduction = ({ title, paragraphs }) =>
  joinBlocks(title === '' ? '' : formatHeading(2, title), ...paragraphs.map(formatParagraph))
/**
 * The Markdown document (CommonMark) of an outline: the introductions, what every endpoint has in common, then `## GET /hello` for each.
 * What endpoints answer alike stands once, in front. One line feed ends the document.
 */
export function markdown({ title, introductions, errorExample: refused, sections }, { requestExamples = 'all' } = {}) {
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
