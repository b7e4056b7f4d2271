/** Shows an answer: its body on standard output as it comes, or what went wrong in lines for people. */
import type { IncomingMessage } from 'node:http'
import { jsonParsed } from '../../describe/jsonText.ts'
import { type MediaType, mediaType } from '../../describe/mediaType.ts'
import { printable } from '../../describe/printable.ts'
import { reasonOf } from '../../describe/status.ts'
import { utf8Decoded } from '../../describe/utf8.ts'
import { whole } from '../../describe/whole.ts'
import { Mistake } from '../mistake.ts'
import { type Surroundings, written } from '../surroundings.ts'
import { problemLines } from './problemLines.ts'
import { isRefusal } from './refused.ts'

const typeOf = ({ headers }: IncomingMessage): MediaType | undefined => mediaType(headers['content-type'] ?? '')
const isJson = (type: MediaType | undefined): boolean => /[/+]json$/.test(type?.essence ?? '')
const isText = (type: MediaType | undefined): boolean =>
  /^text\/|jsonl?$|xml$|^application\/x-www-form-urlencoded$/.test(type?.essence ?? '')

/** JSON with a member a line; as it came where that would change a number, or it is none. */
function pretty(text: string): string {
  const value = jsonParsed(text)
  return isRefusal(value) ? text : JSON.stringify(value, null, 2)
}

const lineFeed = 0x0a

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** `404 Not Found`, and where to go from there. */
function statusLine({ statusCode = 0, statusMessage, headers: { location } }: IncomingMessage): string {
  return `${statusCode} ${statusMessage || reasonOf(statusCode)}${location === undefined ? '' : `, Location: ${location}`}`
}

/** Shows an answer of success. People are told of one without a body, which would else be silence; on a terminal, JSON is laid out for them. */
async function showSuccess(response: IncomingMessage, { output, errors }: Surroundings): Promise<void> {
  const type = typeOf(response)
  if (output.isTTY && isJson(type)) {
    const bytes = await whole(response)
    const text = utf8Decoded(bytes)
    return written(output, printable(ended(pretty(text ?? new TextDecoder().decode(bytes)))))
  }
  let last: number | undefined
  // What is read on a terminal is text to it, whatever it was meant for.
  const decoder = output.isTTY ? new TextDecoder() : undefined
  for await (const piece of response) {
    await written(output, decoder === undefined ? piece : printable(decoder.decode(piece, { stream: true })))
    last = piece.at(-1)
  }
  if (last === undefined) await written(errors, `${printable(statusLine(response))}\n`)
  else if (output.isTTY && isText(type) && last !== lineFeed) await written(output, '\n')
}

/** What went wrong, in lines: problem details, or any other body below the status. */
async function trouble(response: IncomingMessage): Promise<string> {
  const type = typeOf(response)
  const bytes = await whole(response)
  const text = utf8Decoded(bytes)
  const value = text !== undefined && isJson(type) ? jsonParsed(text) : undefined
  const status = statusLine(response)
  if (type?.essence === 'application/problem+json' && typeof value === 'object' && value !== null && !isRefusal(value))
    return problemLines(status, value)
  if (bytes.length === 0) return status
  if (text === undefined) return `${status}\n(${bytes.length} bytes of ${type?.essence ?? 'an unknown type'})`
  return `${status}\n${(isJson(type) ? pretty(text) : text).replace(/\n$/, '')}`
}

/** Shows an answer. @throws Mistake for one that is no success. */
export async function show(response: IncomingMessage, surroundings: Surroundings): Promise<void> {
  if ((response.statusCode ?? 0) >= 400) throw new Mistake(1, await trouble(response))
  await showSuccess(response, surroundings)
}
