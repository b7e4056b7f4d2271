/** Shows an answer: its body on standard output as it comes, or what went wrong in lines for people. */
import type { IncomingMessage } from 'node:http'
import { parseJsonText } from '../../describe/jsonText.ts'
import { type ParsedMediaType, parseMediaType } from '../../describe/mediaType.ts'
import { escapeControls } from '../../describe/printable.ts'
import { getReasonPhrase } from '../../describe/status.ts'
import { decodeUtf8 } from '../../describe/utf8.ts'
import { collectBytes } from '../../describe/whole.ts'
import { CliError } from '../mistake.ts'
import { type CliContext, writeChunk } from '../surroundings.ts'
import { formatProblem } from './problemLines.ts'
import { isParseErrorLike } from './refused.ts'

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
