/** Shows the response of a call: the body on standard output, or the error in lines for people. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { escapeControls, isSecretName } from '@lapidary/testing/internal'
import { isParseError } from 'lapidary'
import { decodeUtf8, isJsonEssence, parseJsonText, parseMediaType } from 'lapidary/internal'
import { type CliContext, CliError, writeChunk } from '../context.ts'

/** Formats the head of a message as curl does, without credentials. `rawHeaders` are names and values in turn. */
export function formatHead(sign: string, line: string, rawHeaders: readonly string[], secretHeaders: readonly string[]): string {
  const lines = rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1) return []
    const value = rawHeaders[index + 1] ?? ''
    if (!isSecretName(name) && !secretHeaders.includes(name.toLowerCase())) return [`${name}: ${value}`]
    return [`${name}: ${/authorization$/i.test(name) ? value.replace(/^(?:(\S+) )?.*$/s, '$1 ***').trim() : '***'}`]
  })
  return [line, ...lines, ''].map((text) => `${`${sign} ${text}`.trimEnd()}\n`).join('')
}

const getEssenceOf = ({ headers }: IncomingMessage): string => parseMediaType(headers['content-type'] ?? '')?.essence ?? ''

/** Indents JSON. A text that is not JSON, or has a number that would change, stays as it is. */
const formatJson = (text: string, value: unknown = parseJsonText(text)): string =>
  isParseError(value) ? text : JSON.stringify(value, null, 2)

const formatStatusLine = ({ statusCode = 0, statusMessage, headers: { location } }: IncomingMessage): string =>
  `${statusCode} ${statusMessage || STATUS_CODES[statusCode]}${location === undefined ? '' : `, Location: ${location}`}`

async function formatError(response: IncomingMessage): Promise<string> {
  const [essence, statusLine] = [getEssenceOf(response), formatStatusLine(response)]
  const bytes = await buffer(response)
  const text = decodeUtf8(bytes)
  if (bytes.length === 0) return statusLine
  if (text === undefined) return `${statusLine}\n(${bytes.length} bytes of ${essence || 'an unknown type'})`
  return `${statusLine}\n${(isJsonEssence(essence) ? formatJson(text) : text).replace(/\n$/, '')}`
}

/**
 * Writes a response. On a terminal JSON is indented, and the last line ends. An empty body is replaced by the status.
 *
 * @throws CliError for an error
 */
export async function writeResponse(response: IncomingMessage, { output, errors }: CliContext): Promise<void> {
  if ((response.statusCode ?? 0) >= 400) throw new CliError(1, await formatError(response))
  const essence = getEssenceOf(response)
  if (output.isTTY && isJsonEssence(essence)) {
    const text = formatJson(new TextDecoder().decode(await buffer(response)))
    return writeChunk(output, escapeControls(text === '' || text.endsWith('\n') ? text : `${text}\n`))
  }
  const decoder = output.isTTY ? new TextDecoder() : undefined
  let lastByte: number | undefined
  for await (const chunk of response) {
    await writeChunk(output, decoder === undefined ? chunk : escapeControls(decoder.decode(chunk, { stream: true })))
    lastByte = chunk.at(-1)
  }
  if (lastByte === undefined) await writeChunk(errors, `${escapeControls(formatStatusLine(response))}\n`)
  else if (output.isTTY && lastByte !== 0x0a) await writeChunk(output, '\n')
}
