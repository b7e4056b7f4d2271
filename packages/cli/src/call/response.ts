/** Shows an answer: its body on standard output as it comes, or what went wrong in lines for people. */

import type { ClientRequest, IncomingMessage } from 'node:http'
import { escapeControls, isSecretName } from '@lapidary/testing/internal'
import { isParseError, type ParseError } from 'lapidary'
import { collectBytes, decodeUtf8, getReasonPhrase, type ParsedMediaType, parseJsonText, parseMediaType } from 'lapidary/internal'
import { type CliContext, CliError, writeChunk } from '../context.ts'

// Problem details (RFC 9457) as lines for people.

/** A member of what may be anything. */
const getMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Texts and numbers as they are; anything else as JSON. */
const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `query limit: expected an integer such as 42`. */
function formatProblemError(error: unknown): string {
  const place = [getMember(error, 'in'), getMember(error, 'name') ?? getMember(error, 'pointer')].filter(
    (word) => word !== undefined && word !== '',
  )
  const detail = getMember(error, 'detail')
  return detail === undefined ? formatValue(error) : `${place.map(formatValue).join(' ')}: ${formatValue(detail)}`
}

/** What the first line says, or nobody needs. */
const shownMembers = new Set(['type', 'title', 'status', 'detail', 'errors'])

/** The status with the detail, then one line for each thing that is wrong, and for each further member. */
export function formatProblem(status: string, problem: object): string {
  const detail = getMember(problem, 'detail')
  const errors = getMember(problem, 'errors')
  const others = Object.entries(problem).filter(([name]) => !shownMembers.has(name))
  const lines = [
    detail === undefined ? status : `${status}: ${formatValue(detail)}`,
    ...(Array.isArray(errors) ? errors.map(formatProblemError) : []),
    ...others.map(([name, value]) => `${name}: ${formatValue(value)}`),
  ]
  return lines.join('\n  ')
}

// Tells a refusal from a value.

/** By its form as well: the API may have been described with another copy of this package than the one that runs. */
export const isParseErrorLike = (value: unknown): value is ParseError =>
  isParseError(value) || (typeof value === 'object' && value !== null && 'flaws' in value && Array.isArray(value.flaws))

const getMediaType = ({ headers }: IncomingMessage): ParsedMediaType | undefined => parseMediaType(headers['content-type'] ?? '')
const isJsonType = (type: ParsedMediaType | undefined): boolean => /[/+]json$/.test(type?.essence ?? '')
const isTextType = (type: ParsedMediaType | undefined): boolean =>
  /^text\/|jsonl?$|xml$|^application\/x-www-form-urlencoded$/.test(type?.essence ?? '')

/** JSON with a member a line; as it came where that would change a number, or it is none. */
function formatJson(text: string): string {
  const value = parseJsonText(text)
  return isParseErrorLike(value) ? text : JSON.stringify(value, null, 2)
}

const lineFeed = 0x0a

const endWithLineFeed = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** `404 Not Found`, and where to go from there. */
function formatStatusLine({ statusCode = 0, statusMessage, headers: { location } }: IncomingMessage): string {
  return `${statusCode} ${statusMessage || getReasonPhrase(statusCode)}${location === undefined ? '' : `, Location: ${location}`}`
}

/** Shows an answer of success. People are told of one without a body, which would else be silence; on a terminal, JSON is laid out for them. */
async function writeSuccess(response: IncomingMessage, { output, errors }: CliContext): Promise<void> {
  const type = getMediaType(response)
  if (output.isTTY && isJsonType(type)) {
    const bytes = await collectBytes(response)
    const text = decodeUtf8(bytes)
    return writeChunk(output, escapeControls(endWithLineFeed(formatJson(text ?? new TextDecoder().decode(bytes)))))
  }
  let last: number | undefined
  // What is read on a terminal is text to it, whatever it was meant for.
  const decoder = output.isTTY ? new TextDecoder() : undefined
  for await (const piece of response) {
    await writeChunk(output, decoder === undefined ? piece : escapeControls(decoder.decode(piece, { stream: true })))
    last = piece.at(-1)
  }
  if (last === undefined) await writeChunk(errors, `${escapeControls(formatStatusLine(response))}\n`)
  else if (output.isTTY && isTextType(type) && last !== lineFeed) await writeChunk(output, '\n')
}

/** What went wrong, in lines: problem details, or any other body below the status. */
async function formatError(response: IncomingMessage): Promise<string> {
  const type = getMediaType(response)
  const bytes = await collectBytes(response)
  const text = decodeUtf8(bytes)
  const value = text !== undefined && isJsonType(type) ? parseJsonText(text) : undefined
  const status = formatStatusLine(response)
  if (type?.essence === 'application/problem+json' && typeof value === 'object' && value !== null && !isParseErrorLike(value))
    return formatProblem(status, value)
  if (bytes.length === 0) return status
  if (text === undefined) return `${status}\n(${bytes.length} bytes of ${type?.essence ?? 'an unknown type'})`
  return `${status}\n${(isJsonType(type) ? formatJson(text) : text).replace(/\n$/, '')}`
}

/** Shows an answer. @throws Mistake for one that is no success. */
export async function writeResponse(response: IncomingMessage, surroundings: CliContext): Promise<void> {
  if ((response.statusCode ?? 0) >= 400) throw new CliError(1, await formatError(response))
  await writeSuccess(response, surroundings)
}

// Both sides of an exchange as they went over the wire, for `--verbose`; credentials are masked.

const credentialMask = '***'

/** The value to show; of an Authorization header, the scheme stays. */
function maskCredentials(name: string, value: string, hidden: ReadonlySet<string>): string {
  if (!isSecretName(name) && !hidden.has(name.toLowerCase())) return value
  return /authorization$/i.test(name)
    ? value.replace(/^(\S+) .*$/s, `$1 ${credentialMask}`).replace(/^\S+$/, credentialMask)
    : credentialMask
}

/** The head of a message, each line behind the sign of its side. `headers` are names and values in turn. */
function formatHead(sign: string, line: string, headers: readonly string[], hidden: ReadonlySet<string>): string {
  const lines = [line]
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2)
    lines.push(`${name}: ${maskCredentials(name, value, hidden)}`)
  }
  return [...lines, ''].map((one) => `${`${sign} ${one}`.trimEnd()}\n`).join('')
}

/** The lines of a request. `hidden` are the names of further headers to mask, in lower case. */
export function formatRequestHead(request: ClientRequest, hidden: ReadonlySet<string>): string {
  const headers = request.getRawHeaderNames().flatMap((name) => [name, String(request.getHeader(name))])
  return formatHead('>', `${request.method} ${request.path} HTTP/1.1`, headers, hidden)
}

/** The lines of an answer. */
export function formatResponseHead(response: IncomingMessage, hidden: ReadonlySet<string>): string {
  const { httpVersion, statusCode, statusMessage, rawHeaders } = response
  return formatHead('<', `HTTP/${httpVersion} ${statusCode} ${statusMessage}`, rawHeaders, hidden)
}
