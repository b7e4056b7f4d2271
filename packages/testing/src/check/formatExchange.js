/** An answer as text, as a report shows it. */
import { decodeUtf8 } from 'lapidary/internal'
import { isWireResponse } from './exchange.js'

/** Longer bodies are cut there, in characters. */
const maxBodyCharacters = 2_000
/** The head of an answer and its body; why there was none, where there was none. */
export function formatResponse({ response: answered }) {
  if (!isWireResponse(answered)) return answered.reason
  const { status, rawHeaders, body } = answered
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
  const text = decodeUtf8(body) ?? `(${body.length} bytes that are no text)`
  return [`HTTP/1.1 ${status}`, ...lines, '', text.length > maxBodyCharacters ? `${text.slice(0, maxBodyCharacters)}…` : text].join('\n')
}
// A request as a line for a terminal: `curl -i 'http://127.0.0.1:8081/users/1'`.
/** A text as a shell takes it, whatever stands in it. */
const quoteForShell = (text) => `'${text.replaceAll("'", `'\\''`)}'`
/** Bytes that are no text, as `printf` writes them. */
const escapeBytes = (bytes) => Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
/** What a shell cannot hold in a word, or people cannot read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadablePattern = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/
/** The line that sends the same bytes. */
export function formatCurl({ method, target, headers, body }, base) {
  const url = base.href.replace(/\/+$/, '') + target
  const how = method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method]
  const lines = headers.flatMap(([name, value]) => ['-H', quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)])
  // Otherwise curl names a type of its own.
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const untyped = body === undefined || isTyped ? [] : ['-H', quoteForShell('Content-Type:')]
  const text = body === undefined ? '' : decodeUtf8(body)
  const isText = text !== undefined && !unreadablePattern.test(text) && !text.startsWith('@')
  const data = body === undefined ? [] : ['--data-binary', isText ? quoteForShell(text) : '@-']
  const command = [
    'curl',
    ...(method === 'HEAD' ? [] : ['-i']),
    '-g',
    '--path-as-is',
    ...how,
    ...lines,
    ...untyped,
    ...data,
    quoteForShell(url),
  ].join(' ')
  return body === undefined || isText ? command : `printf ${quoteForShell(escapeBytes(body))} | ${command}`
}
