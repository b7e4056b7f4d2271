/** `markdown(outline)`: an outline as a Markdown document. */
import type { BodyExample, Encoding } from '../contract/exampleBody.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import type { Field } from './field.ts'
import {
  endWithPeriod,
  formatBullet,
  formatCode,
  formatFence,
  formatHeading,
  formatInline,
  formatParagraph,
  formatPlain,
  joinBlocks,
} from './markdownText.ts'
import type { ErrorExample, Introduction, Outline } from './outline.ts'
import type { DocumentedAuth, DocumentedResponse, Section, Security } from './section.ts'
import { findSharedResponses, type SharedResponses } from './sharedResponses.ts'
import { listWebhookHeaders, type WebhookSection } from './webhookSection.ts'

// Fields, bodies and responses

/** A list. Where an item has several lines, blank lines separate all of them. */
const renderList = (items: readonly string[]): string =>
  items.map(formatBullet).join(items.some((item) => item.includes('\n')) ? '\n\n' : '\n')

const formatCodeList = (texts: readonly string[]): string => texts.map(formatCode).join(', ')

const delimiterText = (delimiter: Field['delimiter']): string =>
  delimiter === undefined ? '' : `in one text, separated by ${delimiter === ' ' ? 'a space' : formatCode(delimiter)}`

/** `sortby` (choice, optional), **values**: `age`, `name`. What to sort by. */
function renderField({ name, type, delimiter, examples, description }: Field, presence: string): string {
  const traits = [type, delimiterText(delimiter), presence].filter((trait) => trait !== '').join(', ')
  const values = examples.length > 0 ? `, **values**: ${formatCodeList(examples)}` : ''
  return `${formatCode(name)} (${formatPlain(traits)})${values}${description === '' ? '' : `. ${formatInline(description)}`}`
}

/** A part of a message that can be left out. */
const formatPresence = ({ repeats, delimiter, default: fallback }: Field): string => {
  if (fallback !== undefined) return `default ${fallback === '' ? 'the empty text' : fallback}`
  return repeats && delimiter === undefined ? 'may be repeated' : 'optional'
}

/** A part of a request: required or optional. */
const renderRequestField = (field: Field): string => renderField(field, field.required ? 'required' : formatPresence(field))
/** A capture, or a part of a response: always present, unless stated otherwise. */
const renderResponseField = (field: Field): string => renderField(field, field.required ? '' : formatPresence(field))

/** Example `ruby` (`application/json`): A red stone. */
const renderExample = (types: readonly string[], { name, summary, text, language, base64 }: BodyExample): string =>
  joinBlocks(
    `Example${name === '' ? '' : ` ${formatCode(name)}`} (${formatCodeList(types)}${base64 ? ', here in base64' : ''}):${
      summary === '' ? '' : ` ${formatInline(summary)}`
    }`,
    formatFence(text, language),
  )

const renderEncoding = ({ types, framing, examples }: Encoding): string =>
  joinBlocks(formatParagraph(framing), ...examples.map((example) => renderExample(types, example)))

/** The content types of a body, with an example of each encoding in `shown`; empty for no body. */
const renderBody = (encodings: readonly Encoding[], shown: readonly Encoding[] = encodings): string =>
  encodings.length === 0
    ? ''
    : joinBlocks(
        'Supported content types are:',
        renderList(encodings.flatMap(({ types }) => types.map(formatCode))),
        ...shown.map(renderEncoding),
      )

const formatResponseLine = ({ status, range, reason, description }: DocumentedResponse): string =>
  `Status code ${range ?? status} (${formatInline(reason)})${description === '' ? '' : `: ${formatInline(description)}`}`

const renderSuccess = (response: DocumentedResponse, constantHeaders: readonly Field[]): string =>
  joinBlocks(
    formatResponseLine(response),
    response.headers.length === 0 ? '' : joinBlocks('Headers:', renderList(response.headers.map(renderResponseField))),
    constantHeaders.length === 0
      ? ''
      : joinBlocks('Headers of every response, including errors:', renderList(constantHeaders.map(renderResponseField))),
    renderBody(response.encodings) || 'No response body',
  )

/** An error, in one line where it has no body of its own. */
const renderError = (response: DocumentedResponse): string =>
  joinBlocks(
    response.headers.length === 0
      ? formatResponseLine(response)
      : `${endWithPeriod(formatResponseLine(response))} Headers: ${response.headers.map((header) => endWithPeriod(renderResponseField(header))).join(' ')}`,
    renderBody(response.encodings),
  )

// The document

/** Options of `markdown`. */
export interface MarkdownOptions {
  /**
   * Whether to show a request body in all of its encodings, or in the first.
   *
   * @default 'all'
   */
  readonly requestExamples?: 'all' | 'first'
}

/** A part of a section; nothing where it is empty. */
const renderPart = (title: string, content: string): string => (content === '' ? '' : joinBlocks(formatHeading(3, title), content))

/** The realm names a Basic or a Bearer scheme. */
function renderSecurity({ name, scheme, realm, scopes, description, headers, query }: Security): string {
  const named = [
    formatParagraph(`${scheme} authentication`),
    name === realm ? '' : ` (${formatCode(name)})`,
    realm === '' ? '' : `, realm ${formatCode(realm)}`,
    scopes.length === 0 ? '' : `, scopes ${scopes.map(formatCode).join(', ')}`,
  ]
  const shown = [
    ...Object.entries(headers).map(([header, value]) => formatCode(`${header}: ${value}`)),
    ...Object.entries(query).map(([parameter, value]) => formatCode(`?${parameter}=${value}`)),
  ]
  return joinBlocks(named.join(''), formatParagraph(description), renderList(shown))
}

/** Of several alternatives, the first whose credentials a request has counts. */
function renderAuth({ optional, ignoresInvalid, alternatives }: DocumentedAuth, hasConventions: boolean): string {
  const rendered = alternatives.map((all) =>
    joinBlocks(all.length > 1 ? documentationTexts.allCredentialsText() : '', ...all.map(renderSecurity)),
  )
  return joinBlocks(
    optional ? (hasConventions ? documentationTexts.optionalAuthText(ignoresInvalid) : documentationTexts.anonymousText()) : '',
    alternatives.length > 1 ? (hasConventions ? documentationTexts.alternativesText() : documentationTexts.oneOfCredentialsText()) : '',
    ...rendered.flatMap((one, index) => (index === 0 ? [one] : [documentationTexts.orText(), one])),
  )
}

const renderErrorExample = ({ line, status, example: { text, language } }: ErrorExample): string =>
  joinBlocks(documentationTexts.errorExampleText(formatCode(line), status), formatFence(text, language))

const renderSharedErrors = ({ shared }: SharedResponses): string =>
  shared.length === 0 ? '' : joinBlocks(documentationTexts.sharedErrorsText(), renderList(shared.map(renderError)))

/** The section about all endpoints. Of another server, only what its description says is known. */
function renderCommon(shared: SharedResponses, errorExample: ErrorExample | null, hasConventions: boolean): string {
  const title = formatHeading(2, 'What endpoints have in common')
  if (!hasConventions) return shared.shared.length === 0 ? '' : joinBlocks(title, renderPart('Errors', renderSharedErrors(shared)))
  return joinBlocks(
    title,
    documentationTexts.methodsText(),
    documentationTexts.contentTypesText(),
    documentationTexts.streamsText(),
    renderPart(
      'Errors',
      joinBlocks(
        documentationTexts.problemsText(),
        errorExample === null ? '' : renderErrorExample(errorExample),
        renderSharedErrors(shared),
      ),
    ),
  )
}

const hasOwnConventions = ({ method, conventions }: Section): boolean => method !== null && conventions !== false

const formatHeadline = ({ method, path }: Section): string => (method === null ? `Everything under ${path}` : `${method} ${path}`)

function renderErrors(section: Section, { forSection }: SharedResponses): string {
  const { own, statuses } = forSection(section)
  const numbers = statuses.join(', ')
  return joinBlocks(renderList(own.map(renderError)), numbers === '' || own.length === 0 ? numbers : `Also: ${numbers}`)
}

/** A line of its own: a heading that is struck through is no part of CommonMark. */
function renderDeprecation({ deprecated }: Section): string {
  if (deprecated === null) return ''
  const { since, sunset, link } = deprecated
  const text = documentationTexts.deprecatedText(since, sunset)
  return link === null ? text : `${text} [${documentationTexts.deprecationLinkText()}](<${link}>).`
}

const renderSection = (section: Section, requestExampleCount: number, shared: SharedResponses): string =>
  joinBlocks(
    formatHeading(2, formatHeadline(section)),
    renderDeprecation(section),
    formatParagraph(section.summary),
    formatParagraph(section.description),
    renderPart('Authentication', section.auth === null ? '' : renderAuth(section.auth, section.conventions !== false)),
    renderPart('Captures', renderList(section.captures.map(renderResponseField))),
    renderPart('Query parameters', renderList(section.query.map(renderRequestField))),
    renderPart('Headers', renderList(section.headers.map(renderRequestField))),
    renderPart('Cookies', renderList(section.cookies.map(renderRequestField))),
    renderPart(
      'Request',
      joinBlocks(
        section.requestOptional ? documentationTexts.optionalBodyText() : '',
        renderBody(section.request, section.request.slice(0, requestExampleCount)),
      ),
    ),
    renderPart('Response', joinBlocks(...section.responses.map((response) => renderSuccess(response, section.responseHeaders)))),
    renderPart('Errors', renderErrors(section, shared)),
  )

const renderWebhook = (webhook: WebhookSection, requestExampleCount: number): string =>
  joinBlocks(
    formatHeading(3, webhook.name),
    webhook.deprecated ? documentationTexts.deprecatedWebhookText() : '',
    formatParagraph(webhook.summary),
    formatParagraph(webhook.description),
    renderBody(webhook.request, webhook.request.slice(0, requestExampleCount)),
  )

/** The section about all webhooks: what they have in common, then each of them. */
function renderWebhooks(webhooks: readonly WebhookSection[], requestExampleCount: number): string {
  if (webhooks.length === 0) return ''
  const headers = listWebhookHeaders().map(
    ({ name, description, example }) => `${formatCode(name)}, such as ${formatCode(example)}. ${formatInline(description)}`,
  )
  const statuses = [
    `2xx: ${documentationTexts.webhookDoneText()}`,
    `410: ${documentationTexts.webhookGoneText()}`,
    `Any other, or no response in time: ${documentationTexts.webhookRetriedText()}`,
  ]
  const common = [
    documentationTexts.webhooksText(),
    'Headers:',
    renderList(headers),
    'What the status of the receiver says:',
    renderList(statuses),
  ]
  return joinBlocks(
    formatHeading(2, 'Webhooks'),
    ...(webhooks.some(({ conventions }) => conventions !== false) ? common : []),
    ...webhooks.map((webhook) => renderWebhook(webhook, requestExampleCount)),
  )
}

const renderIntroduction = ({ title, paragraphs }: Introduction): string =>
  joinBlocks(title === '' ? '' : formatHeading(2, title), ...paragraphs.map(formatParagraph))

/**
 * Renders an outline as a Markdown document (CommonMark): the introductions, what all endpoints have in common, then `## GET /hello` for
 * each, then the webhooks. Responses that endpoints share are shown once, before the endpoints. The document ends with one line feed.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { markdown, outline } from 'lapidary/docs'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * console.log(markdown(await outline(api), { requestExamples: 'first' }))
 * ```
 */
export function markdown(
  { title, introductions, errorExample, sections, webhooks = [] }: Outline,
  { requestExamples = 'all' }: MarkdownOptions = {},
): string {
  const requestExampleCount = requestExamples === 'first' ? 1 : Infinity
  const shared = findSharedResponses(sections)
  const document = joinBlocks(
    title === '' ? '' : formatHeading(1, title),
    ...introductions.map(renderIntroduction),
    sections.some(({ method }) => method !== null) ? renderCommon(shared, errorExample, sections.some(hasOwnConventions)) : '',
    ...sections.map((section) => renderSection(section, requestExampleCount, shared)),
    renderWebhooks(webhooks, requestExampleCount),
  )
  return `${document}\n`
}
