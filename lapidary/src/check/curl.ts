/** A request as a line for a terminal: `curl -i 'http://127.0.0.1:8081/users/1'`. */
import { utf8Decoded } from '../describe/utf8.ts'
import type { Asked } from './exchange.ts'

/** A text as a shell takes it, whatever stands in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Bytes that are no text, as `printf` writes them. */
const escapes = (bytes: Uint8Array): string => Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')

/** What a shell cannot hold in a word, or people cannot read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** The line that sends the same bytes. */
export function curlOf({ method, target, headers, body }: Asked, base: URL): string {
  const url = base.href.replace(/\/+$/, '') + target
  const how = method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method]
  const lines = headers.flatMap(([name, value]) => ['-H', quoted(value === '' ? `${name};` : `${name}: ${value}`)])
  // Otherwise curl names a type of its own.
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const untyped = body === undefined || isTyped ? [] : ['-H', quoted('Content-Type:')]
  const text = body === undefined ? '' : utf8Decoded(body)
  const isText = text !== undefined && !unreadable.test(text) && !text.startsWith('@')
  const data = body === undefined ? [] : ['--data-binary', isText ? quoted(text) : '@-']
  const command = [
    'curl',
    ...(method === 'HEAD' ? [] : ['-i']),
    '-g',
    '--path-as-is',
    ...how,
    ...lines,
    ...untyped,
    ...data,
    quoted(url),
  ].join(' ')
  return body === undefined || isText ? command : `printf ${quoted(escapes(body))} | ${command}`
}
