/** Names in the command line: spellings that mean the same, and names that are near a wrong one. */

/** Converts `userId`, `user_id` and `User-Id` to `user-id`. */
export const toKebabCase = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1-')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()

/** The number of characters to add, to remove and to replace between two texts (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (character === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** A spelling of a name that separators and capitals do not change. */
const toPlain = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()

/** Returns the names that are near a wrong one, the nearest first. Of several spellings of one name, the first counts. */
export function findNearNames(wrong: string, names: readonly string[], count: number): readonly string[] {
  const plain = toPlain(wrong)
  const bySpelling = new Map<string, string>()
  for (const name of names) if (!bySpelling.has(toPlain(name))) bySpelling.set(toPlain(name), name)
  return [...bySpelling]
    .map(([spelling, name]) => ({ name, edits: spelling.includes(plain) ? 1 : countEdits(plain, spelling) }))
    .filter(({ edits }) => edits <= plain.length / 2)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ name }) => name)
}
