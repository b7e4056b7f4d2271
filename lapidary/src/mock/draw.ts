/** Draws: numbers that look like chance, and are the same for the same words every time. */

/** FNV-1a, and the last step of MurmurHash3: words that are almost alike give numbers that are not. */
export function drawNumber(...words: readonly unknown[]): number {
  const text = words.join('\n')
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35)
  return sum ^ (sum >>> 16)
}

/** A number from 0 to less than 1. */
export const drawFraction = (...words: readonly unknown[]): number => (drawNumber(...words) >>> 0) / 2 ** 32

const replaceBigInt = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** What two requests have in common that are to get the same answer, as a word of a draw. */
export const toKey = (...values: readonly unknown[]): string => JSON.stringify(values, replaceBigInt)
