/** Texts that stand out on a terminal. */

/** Gives a text its colour. */
export type Paint = (text: string) => string

const coloured =
  (code: number, end: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[${end}m`

/** The colours that reports have, as the codes that a terminal takes for them (ECMA-48 §8.3.117). */
export const paints: Readonly<Record<'red' | 'green' | 'yellow' | 'faint' | 'bold', Paint>> = Object.freeze({
  red: coloured(31, 39),
  green: coloured(32, 39),
  yellow: coloured(33, 39),
  faint: coloured(2, 22),
  bold: coloured(1, 22),
})

/** Where there are no colours: the text as it is. */
export const unpainted: Paint = (text) => text
