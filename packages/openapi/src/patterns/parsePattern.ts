/**
 * Reads a regular expression (ECMA-262 §22.2.1, with the flag `u`): what it costs a program that tries one way after the other, as `RegExp`
 * does, and how RE2 writes it.
 */
import { TextScanner } from 'lapidary/internal'

/** A part of a pattern. */
export interface PatternPart {
  /** In how many ways it can match, at most, those that the length of the text gives apart. Infinity: their number grows with the text. */
  readonly choices: number
  /** How many of its repetitions may end anywhere in a text: each multiplies the ways by the length of the text. */
  readonly loops: number
  /** How many characters it has, its repetitions written out. Of one without an end, only what is required counts. */
  readonly size: number
  /** The same with the most of each repetition that ends: as many states it has in an automaton. */
  readonly states: number
  /** Whether it matches only at the start of a text. */
  readonly isAnchored: boolean
  /** The same for RE2; undefined for a part that it does not have, as a lookahead. */
  readonly re2: string | undefined
}

/** A pattern with a syntax that is not read. */
export class UnreadPatternError extends Error {}

/** Groups within one another. */
const maxGroupDepth = 100

/** A repetition with a wider range may as well end anywhere. */
const maxRange = 100

const createPart = (part: Partial<PatternPart>): PatternPart => ({
  choices: 1,
  loops: 0,
  size: 0,
  states: 0,
  isAnchored: false,
  re2: '',
  ...part,
})

const createCharacter = (re2: string): PatternPart => createPart({ size: 1, states: 1, re2 })

const toHex = (code: number): string => `\\x{${code.toString(16)}}`

/** The characters of the escapes of a class: RE2 takes fewer of them for blanks. */
const sets: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Z_a-z',
  s: [
    ...['\\x{9}-\\x{d}', '\\x{20}', '\\x{a0}', '\\x{1680}', '\\x{2000}-\\x{200a}'],
    '\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}',
  ].join(''),
  D: '\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}',
  W: '\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{10ffff}',
  S: [
    ...['\\x{0}-\\x{8}', '\\x{e}-\\x{1f}', '\\x{21}-\\x{9f}', '\\x{a1}-\\x{167f}', '\\x{1681}-\\x{1fff}', '\\x{200b}-\\x{2027}'],
    ...['\\x{202a}-\\x{202e}', '\\x{2030}-\\x{205e}', '\\x{2060}-\\x{2fff}', '\\x{3001}-\\x{fefe}', '\\x{ff00}-\\x{10ffff}'],
  ].join(''),
}

const controlCodes: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, b: 8, '0': 0 }

const escapePattern =
  /\\(?:([dwsDWS])|([pP]\{[\w=]+\})|u([\dA-Fa-f]{4})\\u([Dd][C-Fc-f][\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]+)\}|x([\dA-Fa-f]{2})|c([A-Za-z])|([tnvfrb0])|([\^$\\.*+?()[\]{}|/-]))/y

/** One character, or the characters of a set as RE2 writes them in a class. */
type Atom = { readonly code: number } | { readonly set: string }

const writeAtom = (atom: Atom): string => ('code' in atom ? toHex(atom.code) : atom.set)

class PatternParser extends TextScanner {
  private depth = 0

  /** @throws UnreadPatternError */
  parse(): PatternPart {
    const part = this.readAlternatives()
    if (this.index < this.source.length) throw new UnreadPatternError()
    return part
  }

  private readAlternatives(): PatternPart {
    const parts = [this.readSequence()]
    while (this.take('|')) parts.push(this.readSequence())
    if (parts.length === 1) return parts[0] as PatternPart
    const texts = parts.map(({ re2 }) => re2)
    return {
      choices: parts.reduce((sum, { choices }) => sum + choices, 0),
      loops: Math.max(...parts.map(({ loops }) => loops)),
      size: Math.max(...parts.map(({ size }) => size)),
      states: parts.reduce((sum, { states }) => sum + states, 0),
      isAnchored: parts.every(({ isAnchored }) => isAnchored),
      re2: texts.includes(undefined) ? undefined : texts.join('|'),
    }
  }

  private readSequence(): PatternPart {
    let whole = createPart({})
    while (this.index < this.source.length && !/[|)]/.test(this.source[this.index] as string)) {
      const part = this.readRepeated(this.readTerm())
      whole = {
        choices: whole.choices * part.choices,
        loops: whole.loops + part.loops,
        size: whole.size + part.size,
        states: whole.states + part.states,
        isAnchored: whole.isAnchored || (whole.states === 0 && part.isAnchored),
        re2: whole.re2 === undefined || part.re2 === undefined ? undefined : whole.re2 + part.re2,
      }
    }
    return whole
  }

  private readRepeated(part: PatternPart): PatternPart {
    const found = this.match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y)
    if (found === undefined) return part
    const [text, sign, low = '', comma, high = ''] = found
    const least = sign === undefined ? Number(low) : sign === '+' ? 1 : 0
    const most = sign === '?' ? 1 : sign !== undefined ? Infinity : comma === '' ? least : high === '' ? Infinity : Number(high)
    const re2 = part.re2 === undefined ? undefined : `(?:${part.re2})${text}`
    const range = most - least + 1
    const isAnchored = part.isAnchored && least > 0
    const states = Math.max(part.states, 1) * (most === Infinity ? Math.max(least, 1) : most)
    if (range > maxRange) {
      // What matches in several ways does so each time.
      const choices = part.choices === 1 && part.loops === 0 ? 1 : Infinity
      return { choices, loops: 1, size: part.size * Math.max(least, 1), states, isAnchored, re2 }
    }
    return { choices: part.choices ** most * range, loops: part.loops * most, size: part.size * most, states, isAnchored, re2 }
  }

  private readTerm(): PatternPart {
    const { source } = this
    if (this.match(/\(\?(?:[=!]|<[=!])/y)) return { ...this.readGroup(), isAnchored: false, re2: undefined }
    if (this.match(/\((?:\?:|\?<[\w$]+>)?(?!\?)/y)) {
      const group = this.readGroup()
      return { ...group, re2: group.re2 === undefined ? undefined : `(?:${group.re2})` }
    }
    if (this.take('^')) return createPart({ isAnchored: true, re2: '\\A' })
    if (this.take('$')) return createPart({ re2: '\\z' })
    if (this.match(/\\[bB]/y)) return createPart({ re2: source.slice(this.index - 2, this.index) })
    // A reference is as long as the text that it repeats.
    if (this.match(/\\(?:[1-9]\d*|k<[^>]+>)/y)) return createPart({ loops: 1, size: 1, states: 1, re2: undefined })
    if (this.take('.')) return createCharacter('[^\\x{a}\\x{d}\\x{2028}\\x{2029}]')
    if (this.take('[')) return this.readClass()
    const atom = this.readAtom()
    return createCharacter('code' in atom ? toHex(atom.code) : `[${atom.set}]`)
  }

  private readGroup(): PatternPart {
    this.depth += 1
    if (this.depth > maxGroupDepth) throw new UnreadPatternError()
    const part = this.readAlternatives()
    if (!this.take(')')) throw new UnreadPatternError()
    this.depth -= 1
    return part
  }

  private readAtom(): Atom {
    const found = this.match(escapePattern)
    if (found === undefined) {
      const code = this.source.codePointAt(this.index)
      // Any other escape, and the sign of a group that is not read.
      if (code === undefined || /[\\(){}*+?]/.test(String.fromCodePoint(code))) throw new UnreadPatternError()
      this.index += code > 0xffff ? 2 : 1
      return { code }
    }
    const [, set, property, lead, trail, four, point, two, letter, control, syntax = ''] = found
    if (set !== undefined) return { set: sets[set] as string }
    if (property !== undefined) return { set: `\\${property}` }
    if (lead !== undefined && trail !== undefined) {
      const [high, low] = [Number.parseInt(lead, 16), Number.parseInt(trail, 16)]
      if (high >= 0xd800 && high <= 0xdbff) return { code: (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 }
      this.index -= 6
      return { code: high }
    }
    const hex = four ?? point ?? two
    if (hex !== undefined) return { code: Number.parseInt(hex, 16) }
    if (letter !== undefined) return { code: letter.charCodeAt(0) % 32 }
    return { code: control === undefined ? syntax.charCodeAt(0) : (controlCodes[control] as number) }
  }

  private readClassAtom(): Atom {
    const character = this.source[this.index] ?? ''
    if (!/[(){}*+?]/.test(character)) return this.readAtom()
    this.index += 1
    return { code: character.charCodeAt(0) }
  }

  /** Reads a class, after its bracket. */
  private readClass(): PatternPart {
    const isNegated = this.take('^')
    let text = ''
    while (!this.take(']')) {
      if (this.index >= this.source.length) throw new UnreadPatternError()
      const first = this.readClassAtom()
      const isRange = 'code' in first && this.source[this.index] === '-' && this.source[this.index + 1] !== ']'
      if (isRange) this.index += 1
      text += isRange ? `${writeAtom(first)}-${writeAtom(this.readClassAtom())}` : writeAtom(first)
    }
    if (text === '') return createCharacter(isNegated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]')
    return createCharacter(`[${isNegated ? '^' : ''}${text}]`)
  }
}

/** Parses a pattern. @throws UnreadPatternError */
export const parsePattern = (pattern: string): PatternPart => new PatternParser(pattern).parse()
