/**
 * The patterns of documents, which may be anyone's: each is matched in a time that grows with the length of the text alone. `RegExp` tries one
 * way after the other: it matches a pattern that has few of them. RE2 follows all ways at once, and matches any other.
 */
import { setPatternMatcher, toRegExp, toUnicodePattern } from 'lapidary/internal'
import { RE2JS } from 're2js'
import { type PatternPart, parsePattern, UnreadPatternError } from './parsePattern.ts'

/** How many steps `RegExp` may take for each character of a text, or for all of them. */
const [maxStepsPerCharacter, maxSteps] = [1_000, 1_000_000]

/** How many states an automaton may have, and those of a document together: each costs time for each character, and memory. */
const [maxStates, maxDocumentStates] = [500, 20_000]

/** Whether `RegExp` matches any text in a time that grows with its length alone. */
function isLinear({ choices, loops, size, isAnchored }: PatternPart): boolean {
  // Else it is tried from each character on.
  const ends = loops + (isAnchored ? 0 : 1)
  return ends === 0 ? choices === 1 || choices * size <= maxSteps : ends === 1 && choices * Math.max(size, 1) <= maxStepsPerCharacter
}

function parse(pattern: string): PatternPart | undefined {
  try {
    return parsePattern(toUnicodePattern(pattern))
  } catch (error) {
    if (error instanceof UnreadPatternError) return undefined
    throw error
  }
}

function compileForRe2(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}

/** Guards the patterns of one document. */
export class PatternGuard {
  private readonly known = new Map<string, boolean>()
  private states = 0

  /**
   * Whether a pattern can be matched in a time that grows with the length of the text alone. If `RegExp` cannot do so, the engine uses RE2 from
   * now on. A text that is no pattern is left to the engine, which matches nothing with it.
   */
  admits(pattern: string): boolean {
    const known = this.known.get(pattern) ?? (toRegExp(pattern) === undefined || this.prepare(pattern))
    this.known.set(pattern, known)
    return known
  }

  private prepare(pattern: string): boolean {
    const part = parse(pattern)
    if (part === undefined) return false
    if (isLinear(part)) return true
    if (part.re2 === undefined || part.states > maxStates || this.states + part.states > maxDocumentStates) return false
    this.states += part.states
    const compiled = compileForRe2(part.re2)
    if (compiled === undefined) return false
    setPatternMatcher(pattern, { test: (text) => compiled.test(text) })
    return true
  }
}
