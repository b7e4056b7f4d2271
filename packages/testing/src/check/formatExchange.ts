/** Exchanges as text: a `curl` command that repeats the request, and the response. */
import { decodeUtf8 } from 'lapidary/internal'
import { type Exchange, isWireResponse, type WireRequest } from './exchange.ts'
import { formatForm } from './formatForm.ts'
import { formatPrint, quoteForShell, toShellText } from './shellBytes.ts'

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

/** Formats the `curl` command that sends the same bytes. The form of a request with files has another boundary. */
export function formatCurl({ method, target, headers, body }: WireRequest, base: URL): string {
  const url = base.href.replace(/\/+$/, '') + target
  const methodFlags = method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method]
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const form = body === undefined || type === undefined ? undefined : formatForm(type, body)
  const lines = form === undefined ? headers : headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  const headerFlags = lines.flatMap(([name, value]) => ['-H', quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)])
  // Without this, curl adds a Content-Type of its own.
  const typeFlags = body === undefined || type !== undefined ? [] : ['-H', quoteForShell('Content-Type:')]
  const text = body === undefined ? '' : toShellText(body)
  // Other characters are invisible, or no word of a shell can hold them.
  const isReadable = text !== undefined && !text.startsWith('@')
  const bodyFlags = body === undefined ? [] : (form?.flags ?? ['--data-binary', isReadable ? quoteForShell(text) : '@-'])
  const outputFlags = [...(method === 'HEAD' ? [] : ['-i']), '-g', '--path-as-is']
  const command = ['curl', ...outputFlags, ...methodFlags, ...headerFlags, ...typeFlags, ...bodyFlags, quoteForShell(url)].join(' ')
  if (form !== undefined) return [...form.commands, command].join(' && ')
  return body === undefined || isReadable ? command : `${formatPrint(body)} | ${command}`
}
