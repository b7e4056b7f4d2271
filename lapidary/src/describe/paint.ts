/** Texts that stand out on a terminal. */

/** Gives a text its colour. */
export type TerminalColor = (text: string) => string

const createTerminalColor =
  (code: number, end: number): TerminalColor =>
  (text) =>
    `\u001b[${code}m${text}\u001b[${end}m`

/** The colours that reports have, as the codes that a terminal takes for them (ECMA-48 §8.3.117). */
export const terminalColors: Readonly<Record<'red' | 'green' | 'yellow' | 'faint' | 'bold', TerminalColor>> = Object.freeze({
  red: createTerminalColor(31, 39),
  green: createTerminalColor(32, 39),
  yellow: createTerminalColor(33, 39),
  faint: createTerminalColor(2, 22),
  bold: createTerminalColor(1, 22),
})

/** Where there are no colours: the text as it is. */
export const noTerminalColor: TerminalColor = (text) => text
