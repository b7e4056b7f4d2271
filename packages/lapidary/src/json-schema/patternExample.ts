/** Texts that match a regular expression: short ones first, for examples of a `pattern`. */

import { compilePattern } from './patterns.ts'
import { TextScanner } from './textScanner.ts'

/** Chooses one of `count` possibilities, from 0. */
type Choose = (count: number) => number
type WriteText = (choose: Choose) => string

/** A part of a pattern. */
interface PatternWriter {
  readonly write: WriteText
  /** How many characters it writes at most, its repetitions a few times more than they have to. */
  readonly size: number
}

/** The characters that a class is tried with, those that read well first. */
const candidates: readonly string[] = [
  ...'aA1-_.0 @:/+#=,;!?*&%$~^(){}[]<>|\\"\'`bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ23456789',
  ...'\té💎\n',
]

/** How many characters an example has at most. */
const maxExampleLength = 2_000

/** How often a repetition is written at most, besides what it has to. */
const usualRepetitions = 24

/** How many characters all repetitions together may write. Those within others may ask for more than a machine has memory. */
const maxWrittenCharacters = 100_000

const emptyText: PatternWriter = { write: () => '', size: 1 }

class PatternReader extends TextScanner {
  /** @throws Error for a part that is not supported, such as a reference to a group. */
  read(): PatternWriter {
    const branches = [this.readSequence()]
    while (this.take('|')) branches.push(this.readSequence())
    return {
      write: (choose) => (branches[choose(branches.length)] as PatternWriter).write(choose),
      size: Math.max(...branches.map(({ size }) => size)),
    }
  }

  private readSequence(): PatternWriter {
    const parts: PatternWriter[] = []
    while (this.index < this.source.length && !/[|)]/.test(this.source[this.index] as string))
      parts.push(this.readRepeated(this.readAtom()))
    return { write: (choose) => parts.map(({ write }) => write(choose)).join(''), size: parts.reduce((sum, { size }) => sum + size, 0) }
  }

  private readRepeated(part: PatternWriter): PatternWriter {
    const found = this.match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y)
    if (found === undefined) return part
    const [, sign, least = '', comma, most = ''] = found
    const low = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
    const high = sign === '?' ? 1 : sign !== undefined ? Infinity : comma === '' ? low : most === '' ? Infinity : Number(most)
    const further = Math.min(high - low, usualRepetitions)
    const size = Math.max(1, part.size * (low + further))
    const write: WriteText = (choose) => {
      let text = ''
      // A few more than needed, where there is a choice.
      for (let count = low + choose(further + 1); count > 0 && text.length < maxExampleLength; count -= 1) {
        const more = part.write(choose)
        // What may be empty once may be so each time.
        if (more === '' && size > maxWrittenCharacters) break
        text += more
      }
      return text
    }
    return { write, size }
  }

  private readAtom(): PatternWriter {
    if (this.match(/\(\?(?:[=!]|<[=!])/y)) {
      // What stands around is not solved: the whole expression is tested.
      this.readGroup()
      return emptyText
    }
    if (this.match(/\((?:\?:|\?<\w+>)?/y)) return this.readGroup()
    if (this.match(/[$^]|\\[bB]/y)) return emptyText
    const [literal] = this.match(/[^\\[.]/uy) ?? []
    if (literal !== undefined) return { write: () => literal, size: 1 }
    const [form] = this.match(/\.|\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^1-9k])/isuy) ?? []
    if (form === undefined) throw new Error('not supported')
    const pattern = compilePattern(`^(?:${form})$`)
    const allowed = candidates.filter((character) => pattern?.test(character))
    if (allowed.length === 0) throw new Error('no character')
    return { write: (choose) => allowed[choose(allowed.length)] as string, size: 1 }
  }

  private readGroup(): PatternWriter {
    const group = this.read()
    if (!this.take(')')) throw new Error('not closed')
    return group
  }
}

/** How many texts are tried, after the shortest. */
const attempts = 60

/** The same pseudo-random numbers each time (a linear congruential generator). */
function createChoose(seed: number): Choose {
  let state = seed
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return seed === 0 ? 0 : Math.floor((state / 2 ** 32) * count)
  }
}

/** Texts that match a pattern, the plainest first; none where it is not supported. */
export function createPatternExamples(pattern: string): readonly string[] {
  try {
    const form = compilePattern(pattern)
    const { write, size } = new PatternReader(pattern).read()
    // Of a larger one, only the shortest text is written, in which each repetition is as short as it may be.
    const texts = Array.from({ length: size > maxWrittenCharacters ? 1 : attempts }, (_, seed) => write(createChoose(seed)))
    return [...new Set(texts)].filter((text) => form?.test(text))
  } catch {
    return []
  }
}

/** Whether the texts of a pattern are small enough to make them by chance: repetitions within others may ask for millions of characters. */
export function hasSmallTexts(pattern: string): boolean {
  try {
    return new PatternReader(pattern).read().size <= maxWrittenCharacters
  } catch {
    // What is not read here is not read by others that make texts of patterns.
    return true
  }
}
