/** Bytes as words and commands of a POSIX shell. */
import { decodeUtf8 } from 'lapidary/internal'
import { escapeControls } from '../terminal.ts'

/** Quotes a text as one word of a POSIX shell. No word of a shell can hold the character NUL. */
export const quoteForShell = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`

const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\', '%': '%%' }

/** Escapes bytes for `printf`: what can be read stays. A hyphen at the start would be an option. */
const escapeBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte, index) => {
    const character = String.fromCharCode(byte)
    const isPlain = /[ -~]/.test(character) && character !== "'" && !(index === 0 && character === '-')
    return namedEscapes[character] ?? (isPlain ? character : `\\${byte.toString(8).padStart(3, '0')}`)
  }).join('')

/** From this number on, the same byte again and again is not written out. */
const minRepeated = 200

/** Formats the command that prints bytes. */
export function formatPrint(bytes: Uint8Array): string {
  const [first = 0] = bytes
  if (bytes.length < minRepeated || bytes.some((byte) => byte !== first)) return `printf '${escapeBytes(bytes)}'`
  return `head -c ${bytes.length} /dev/zero | tr '\\000' '\\${first.toString(8).padStart(3, '0')}'`
}

/** The number of bytes up to which a text is a word of a command. */
const maxWordBytes = 4_000

/** Returns bytes as a text that one word can hold; `undefined` for invisible characters, and where it is long and says nothing. */
export function toShellText(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined || escapeControls(text) !== text) return undefined
  return bytes.length > maxWordBytes && new Set(bytes).size === 1 ? undefined : text
}
