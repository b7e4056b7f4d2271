/** The regular expressions of JSON Schemas: `pattern`, and the names of `patternProperties`. */

/** Tells whether a text matches a pattern. */
export type PatternMatcher = Pick<RegExp, 'test'>

/** By the texts of patterns: a schema that is derived or merged of others keeps the text, and nothing else of them. */
const matchers = new Map<string, PatternMatcher>()

/**
 * Makes the engine match a pattern by other means than `RegExp`, which may take years for one.
 *
 * @param matcher has to match the same texts
 */
export const setPatternMatcher = (pattern: string, matcher: PatternMatcher): void => void matchers.set(pattern, matcher)

/** The pattern as a `RegExp`, to read what it says. To match a text, use `compilePattern`. */
export function toRegExp(text: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(text, flags)
    } catch {}
  }
  return undefined
}

/**
 * The pattern of a text, as JSON Schema has them; undefined for one that this engine cannot read. Some are written without the flag `u`, which
 * allows no `\-` and no `[\w-.]`: what does not read with it is read as its library reads it.
 */
export const compilePattern = (text: string): PatternMatcher | undefined => matchers.get(text) ?? toRegExp(text)
