/** Text from elsewhere, so that it cannot move the cursor of a terminal, hide what stands there, or turn its direction around. */
/** Control characters but for tabs and ends of lines, marks that turn the direction of text (UAX #9), and signs that are not seen. */
const unprintableCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Surrogate}]/gu
/** A character as JSON spells it. */
const escapeCharacter = (sign) =>
  Array.from({ length: sign.length }, (_, index) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
/** The text with each of them spelled out, as in `\u001b[2J`. In a JSON text it stays the same value. */
export const escapeControls = (text) => text.replace(unprintableCharacters, escapeCharacter)
/** The same of what stands in a line. */
export const escapeControlsInLine = (text) => escapeControls(text).replace(/[\t\n]/g, escapeCharacter)
const createTerminalColor = (code, end) => (text) => `\u001b[${code}m${text}\u001b[${end}m`
/** The colours that reports have, as the codes that a terminal takes for them (ECMA-48 §8.3.117). */
export const terminalColors = Object.freeze({
  red: createTerminalColor(31, 39),
  green: createTerminalColor(32, 39),
  yellow: createTerminalColor(33, 39),
  faint: createTerminalColor(2, 22),
  bold: createTerminalColor(1, 22),
})
/** Where there are no colours: the text as it is. */
export const noTerminalColor = (text) => text
