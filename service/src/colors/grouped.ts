/** Numbers for people. */

const format = new Intl.NumberFormat('en')

/** `1,000,000`. */
export const grouped = (number: number): string => format.format(number)

/** `1 colour`, `1,000 colours`. */
export const counted = (number: number): string => `${grouped(number)} ${number === 1 ? 'colour' : 'colours'}`
