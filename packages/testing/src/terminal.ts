/** Text for a terminal: control characters are escaped, and parts of it have colors. */

/**
 * Control characters except tabs and line feeds, direction marks (UAX #9) and invisible characters: they could move the cursor or hide
 * text.
 */
const unprintableCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Surrogate}]/gu

/** Escapes a character as JSON does. */
const escapeCharacter = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')

/** Escapes control characters: `\u001b[2J`. JSON keeps its value. */
export const escapeControls = (text: string): string => text.replace(unprintableCharacters, escapeCharacter)

/** Escapes control characters, tabs and line feeds. */
export const escapeControlsInLine = (text: string): string => escapeControls(text).replace(/[\t\n]/g, escapeCharacter)

/**
 * Escapes what a runner takes as its command in the log of a workflow: GitHub `::` at the begin of a line and `##[` anywhere, Azure `##vso[`,
 * TeamCity `##teamcity[`. JSON keeps its value.
 */
export const escapeWorkflowCommands = (text: string): string =>
  text.replace(/^([^\S\n]*):(?=:)/gm, '$1\\u003a').replace(/#(?=#(?:\w+)?\[)/g, '\\u0023')

/** Adds a color to a text. */
export type TerminalColor = (text: string) => string

const createTerminalColor =
  (code: number, end: number): TerminalColor =>
  (text) =>
    `\u001b[${code}m${text}\u001b[${end}m`

/** The colors of reports, as escape codes (ECMA-48 §8.3.117). */
export const terminalColors: Readonly<Record<'red' | 'green' | 'yellow' | 'faint' | 'bold', TerminalColor>> = Object.freeze({
  red: createTerminalColor(31, 39),
  green: createTerminalColor(32, 39),
  yellow: createTerminalColor(33, 39),
  faint: createTerminalColor(2, 22),
  bold: createTerminalColor(1, 22),
})

/** Returns a text without colors. */
export const noTerminalColor: TerminalColor = (text) => text
