/** A form with files as flags of `curl`: readable, in place of its bytes. Only its boundary is another one. */
import { decodeUtf8 } from 'lapidary/internal'
import { formatPrint, quoteForShell, toShellText } from './shellBytes.ts'

interface FormPart {
  readonly name: string
  readonly fileName: string | undefined
  readonly type: string | undefined
  readonly content: Uint8Array
}

/** The flags of a form, and the commands that write its files before. */
export interface FormFlags {
  readonly flags: readonly string[]
  readonly commands: readonly string[]
}

const headPattern = /^Content-Disposition: form-data; name="([^"%\\;=\r\n]*)"(?:; filename="([^"%\\\r\n]*)"\r\nContent-Type: ([^\r\n]+))?$/

/** Parses the form that a request has; `undefined` for one that `curl` would write in another way. */
function parseForm(body: Buffer, boundary: string): readonly FormPart[] | undefined {
  const delimiter = `\r\n--${boundary}`
  const text = `\r\n${body.toString('latin1')}`
  const [preamble, ...sections] = text.split(delimiter)
  if (preamble !== '' || sections.pop() !== '--\r\n' || sections.length === 0) return undefined
  const parts = sections.map((section): FormPart | undefined => {
    const end = section.indexOf('\r\n\r\n')
    const head = decodeUtf8(Buffer.from(section.slice(2, Math.max(2, end)), 'latin1')) ?? ''
    const [, name, fileName, type] = headPattern.exec(head) ?? []
    const isPart = section.startsWith('\r\n') && end >= 0 && name !== undefined && name !== ''
    return isPart ? { name, fileName, type, content: Buffer.from(section.slice(end + 4), 'latin1') } : undefined
  })
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/** A text that `--form` takes as it is. */
const isPlain = (text: string): boolean => /^[^\s@<"';](?:[^;"]*[^\s;"])?$/.test(text)

function formatPart({ name, fileName, type, content }: FormPart, file: string): FormFlags {
  const text = toShellText(content)
  if (fileName === undefined && text !== undefined)
    return { flags: [`${isPlain(text) ? '--form' : '--form-string'} ${quoteForShell(`${name}=${text}`)}`], commands: [] }
  const suffix = fileName === undefined ? '' : `;filename="${fileName}";type=${type}`
  const value = text === undefined ? `@${file}` : `"${text.replace(/["\\]/g, '\\$&')}"`
  const source = fileName === undefined ? `<${file}` : value
  return {
    flags: [`--form ${quoteForShell(`${name}=${source}${suffix}`)}`],
    commands: text === undefined ? [`${formatPrint(content)} > ${file}`] : [],
  }
}

/** Formats the form of a request; `undefined` if it is none that `curl` writes. */
export function formatForm(contentType: string, body: Uint8Array): FormFlags | undefined {
  const [, quoted, bare] = /^multipart\/form-data; boundary=(?:"([^"]+)"|([\w'()+,./:=?-]+))$/.exec(contentType) ?? []
  const boundary = quoted ?? bare
  const parts = boundary === undefined ? undefined : parseForm(Buffer.from(body), boundary)
  if (parts === undefined) return undefined
  const formatted = parts.map((part, index) => formatPart(part, `part-${index + 1}.bin`))
  return { flags: formatted.flatMap(({ flags }) => flags), commands: formatted.flatMap(({ commands }) => commands) }
}
