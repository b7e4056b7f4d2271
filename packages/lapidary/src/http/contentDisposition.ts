/** `Content-Disposition` of a file that is saved (RFC 6266, RFC 8187). */

/** In characters, so that no name fills the head of a response. File systems take 255 bytes. */
const maxNameLength = 200

/** Characters that a file name cannot have somewhere: separators of folders, and controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern has to find
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f/\\]/g

/** The characters that RFC 8187 allows besides those of `encodeURIComponent`, which leaves `'`, `(`, `)` and `*` as they are. */
const encodeExtendedValue = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Formats the header for a file name: `attachment; filename="report.pdf"`. A name that is more than ASCII is in `filename*` as well. A
 * separator of folders or a control character becomes `_`.
 */
export function formatContentDisposition(name: string): string {
  const safe = [...name.toWellFormed().replace(unsafeCharacters, '_')].slice(0, maxNameLength).join('')
  const ascii = safe.replace(/[^\x20-\x7e]/gu, '_')
  // Some clients decode a percent sign in `filename`.
  const plain = `attachment; filename="${ascii.replace(/["\\]/g, '\\$&').replaceAll('%', '_')}"`
  return ascii === safe && !safe.includes('%') ? plain : `${plain}; filename*=UTF-8''${encodeExtendedValue(safe)}`
}
