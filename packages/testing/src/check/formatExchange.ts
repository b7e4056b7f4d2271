/** Exchanges as text: a `curl` command that repeats the request, and the response. */
import { decodeUtf8 } from 'lapidary/internal'
import { escapeControls } from '../terminal.ts'
import { type Exchange, isWireResponse, type WireRequest } from './exchange.ts'

/** The number of characters after which a body is truncated. */
const maxBodyCharacters = 2_000

/** Formats the head and the body of a response, or the reason why there is none. */
export function formatResponse({ response }: Exchange): string {
  if (!isWireResponse(response)) return response.reason
  const { status, rawHeaders, body } = response
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
  const text = decodeUtf8(body) ?? `(${body.length} bytes that are not UTF-8)`
  return [`HTTP/1.1 ${status}`, ...lines, '', text.length > maxBodyCharacters ? `${text.slice(0, maxBodyCharacters)}…` : text].join('\n')
}

/** Quotes a text as one word of a POSIX shell. No word of a shell can hold the character NUL. */
export const quoteForShell = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`

/** Escapes bytes for `printf`. */
const escapeBytes = (bytes: Uint8Array): string => Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')

/** Formats the `curl` command that sends the same bytes. */
export function formatCurl({ method, target, headers, body }: WireRequest, base: URL): string {
  const url = base.href.replace(/\/+$/, '') + target
  const methodFlags = method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method]
  const headerFlags = headers.flatMap(([name, value]) => ['-H', quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)])
  // Without this, curl adds a Content-Type of its own.
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const typeFlags = body === undefined || hasType ? [] : ['-H', quoteForShell('Content-Type:')]
  const text = body === undefined ? '' : decodeUtf8(body)
  // Other characters are invisible, or no word of a shell can hold them.
  const isReadable = text !== undefined && escapeControls(text) === text && !text.startsWith('@')
  const bodyFlags = body === undefined ? [] : ['--data-binary', isReadable ? quoteForShell(text) : '@-']
  const outputFlags = [...(method === 'HEAD' ? [] : ['-i']), '-g', '--path-as-is']
  const command = ['curl', ...outputFlags, ...methodFlags, ...headerFlags, ...typeFlags, ...bodyFlags, quoteForShell(url)].join(' ')
  return body === undefined || isReadable ? command : `printf ${quoteForShell(escapeBytes(body))} | ${command}`
}
