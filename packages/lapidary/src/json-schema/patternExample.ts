/** Texts that match a regular expression: short ones first, for examples of a `pattern`. */

import { compilePattern } from './patterns.ts'

/** Chooses one of `count` possibilities, from 0. */
type Choose = (count: number) => number
type WriteText = (choose: Choose) => string

/** The characters that a class is tried with, those that read well first. */
const candidates: readonly string[] = [
  ...'aA1-_.0 @:/+#=,;!?*&%$~^(){}[]<>|\\"\'`bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ23456789',
  ...'\té💎\n',
]

/** How many characters an example has at most. */
const maxExampleLength = 2_000

class PatternReader {
  private readonly source: string
  private index = 0

  constructor(source: string) {
    this.source = source
  }

  /** @throws Error for a part that is not supported, such as a reference to a group. */
  read(): WriteText {
    const branches = [this.readSequence()]
    while (this.take('|')) branches.push(this.readSequence())
    return (choose) => (branches[choose(branches.length)] as WriteText)(choose)
  }

  private take(text: string): boolean {
    const isNext = this.source.startsWith(text, this.index)
    if (isNext) this.index += text.length
    return isNext
  }

  /** Takes what matches at this place; undefined where nothing does. */
  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.index
    const found = pattern.exec(this.source)
    if (found === null) return undefined
    this.index += found[0].length
    return found
  }

  private readSequence(): WriteText {
    const parts: WriteText[] = []
    while (this.index < this.source.length && !/[|)]/.test(this.source[this.index] as string))
      parts.push(this.readRepeated(this.readAtom()))
    return (choose) => parts.map((write) => write(choose)).join('')
  }

  private readRepeated(write: WriteText): WriteText {
    const found = this.match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y)
    if (found === undefined) return write
    const [, sign, least = '', comma, most = ''] = found
    const low = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
    const high = sign === '?' ? 1 : sign !== undefined ? Infinity : comma === '' ? low : most === '' ? Infinity : Number(most)
    return (choose) => {
      let text = ''
      // A few more than needed, where there is a choice.
      for (let count = low + choose(Math.min(high - low, 24) + 1); count > 0 && text.length < maxExampleLength; count -= 1)
        text += write(choose)
      return text
    }
  }

  private readAtom(): WriteText {
    if (this.match(/\(\?(?:[=!]|<[=!])/y)) {
      // What stands around is not solved: the whole expression is tested.
      this.readGroup()
      return () => ''
    }
    if (this.match(/\((?:\?:|\?<\w+>)?/y)) return this.readGroup()
    if (this.match(/[$^]|\\[bB]/y)) return () => ''
    const [literal] = this.match(/[^\\[.]/uy) ?? []
    if (literal !== undefined) return () => literal
    const [form] = this.match(/\.|\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^1-9k])/isuy) ?? []
    if (form === undefined) throw new Error('not supported')
    const pattern = compilePattern(`^(?:${form})$`)
    const allowed = candidates.filter((character) => pattern?.test(character))
    if (allowed.length === 0) throw new Error('no character')
    return (choose) => allowed[choose(allowed.length)] as string
  }

  private readGroup(): WriteText {
    const write = this.read()
    if (!this.take(')')) throw new Error('not closed')
    return write
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
    const write = new PatternReader(pattern).read()
    const texts = Array.from({ length: attempts }, (_, seed) => write(createChoose(seed)))
    return [...new Set(texts)].filter((text) => form?.test(text))
  } catch {
    return []
  }
}
