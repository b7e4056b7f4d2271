/** Both sides of an exchange as they went over the wire, for `--verbose`; credentials are masked. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { isSecretName } from '../../check/secrets.ts'

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
