/**
 * Patterns as readers take them that set the flag `u`, as JSON Schema recommends: it allows no `\@` and no `[\w-.]`, which many patterns
 * have. Without the flag, a character beyond the basic plane is two. A pattern is rewritten only where this makes no difference.
 */

const compiles = (text: string, flags: string): boolean => {
  try {
    return new RegExp(text, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** A pattern that is not the same with the flag, or not known to be. */
class UnlikePatternError extends Error {}

/** One character of a pattern, or one escape. */
interface Atom {
  readonly text: string
  /** The code of the character; undefined for several characters. */
  readonly code: number | undefined
  /** Whether it matches half a character beyond the basic plane. */
  readonly isWide: boolean
}

const controlCodes: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

const createAtom = (text: string, code: number): Atom => {
  if (isSurrogate(code)) throw new UnlikePatternError()
  return { text, code, isWide: false }
}

const escapePattern = /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|([dws])|([DWS])|([tnvfr])|([\^$\\.*+?()[\]{}|/])|([!-~ ]))/y

/** Reads an escape, and removes the backslash of one that needs none. */
function readEscape(pattern: string, index: number): { readonly atom: Atom; readonly length: number } {
  escapePattern.lastIndex = index
  const [text, hex2, hex4, set, wideSet, control, syntax, other] = escapePattern.exec(pattern) ?? []
  if (text === undefined) throw new UnlikePatternError()
  const { length } = text
  if (set ?? wideSet) return { atom: { text, code: undefined, isWide: wideSet !== undefined }, length }
  if (hex2 ?? hex4) return { atom: createAtom(text, Number.parseInt(hex2 ?? hex4 ?? '', 16)), length }
  if (control !== undefined) return { atom: createAtom(text, controlCodes[control] ?? 0), length }
  if (syntax !== undefined) return { atom: createAtom(text, syntax.charCodeAt(0)), length }
  // Of the letters and digits, each may mean something else with the flag.
  if (other === undefined || /[A-Za-z\d]/.test(other)) throw new UnlikePatternError()
  // In a class it would be the sign of a range.
  return { atom: createAtom(other === '-' ? text : other, other.charCodeAt(0)), length }
}

/** A hyphen that is no sign of a range must not become one after another part. */
const writeInClass = ({ text }: Atom): string => (text === '-' ? '\\-' : text)

/** Reads a class, from its bracket to the other. */
function readClass(pattern: string, start: number): { readonly atom: Atom; readonly length: number } {
  const isNegated = pattern[start + 1] === '^'
  const atoms: Atom[] = []
  let index = start + (isNegated ? 2 : 1)
  while (pattern[index] !== ']') {
    if (pattern[index] === '\\') {
      const { atom, length } = readEscape(pattern, index)
      atoms.push(atom)
      index += length
    } else {
      atoms.push(createAtom(pattern[index] ?? '', pattern.charCodeAt(index)))
      index += 1
    }
  }
  let text = isNegated ? '[^' : '['
  for (let at = 0; at < atoms.length; at += 1) {
    const [first, sign, last] = atoms.slice(at, at + 3) as [Atom, Atom?, Atom?]
    text += writeInClass(first)
    if (sign?.text !== '-' || last === undefined) continue
    const isRange = first.code !== undefined && last.code !== undefined
    if (isRange && Number(first.code) < 0xd800 && Number(last.code) > 0xdfff) throw new UnlikePatternError()
    // A hyphen beside a set of characters is one.
    text += `${isRange ? '-' : '\\-'}${writeInClass(last)}`
    at += 2
  }
  return { atom: { text: `${text}]`, code: undefined, isWide: isNegated || atoms.some(({ isWide }) => isWide) }, length: index + 1 - start }
}

/** @throws UnlikePatternError */
function rewrite(pattern: string): string {
  let rewritten = ''
  for (let index = 0; index < pattern.length; ) {
    const rest = pattern.slice(index)
    // Between the halves of a character, these may match as well. A modifier such as `(?i:` folds other letters with the flag.
    if (/^(?:\\B|\(\?(?!:|[=!]|<\w))/.test(rest) || (/^\(\?[=!]/.test(rest) && rewritten !== '^')) throw new UnlikePatternError()
    const [syntax] = /^(?:\\b|[\^$|)*+?/]|\((?:\?(?:[:=!]|<\w+>))?|\{\d+(?:,\d*)?\})/.exec(rest) ?? []
    if (syntax !== undefined) {
      rewritten += syntax
      index += syntax.length
      continue
    }
    const { atom, length } = readAtom(pattern, index)
    index += length
    // Any number of characters is any number of halves.
    if (atom.isWide && pattern[index] !== '*') throw new UnlikePatternError()
    rewritten += atom.text === '\\-' ? '-' : atom.text
  }
  return rewritten
}

function readAtom(pattern: string, index: number): { readonly atom: Atom; readonly length: number } {
  const character = pattern[index] ?? ''
  if (character === '\\') return readEscape(pattern, index)
  if (character === '[') return readClass(pattern, index)
  if (character === '.') return { atom: { text: '.', code: undefined, isWide: true }, length: 1 }
  return { atom: createAtom(/[\]{}]/.test(character) ? `\\${character}` : character, character.charCodeAt(0)), length: 1 }
}

/** A pattern that means the same with the flag `u`; the pattern itself where it has to be read without it, or not at all. */
export function toUnicodePattern(pattern: string): string {
  if (compiles(pattern, 'u') || !compiles(pattern, '')) return pattern
  try {
    const rewritten = rewrite(pattern)
    return compiles(rewritten, 'u') ? rewritten : pattern
  } catch (error) {
    if (error instanceof UnlikePatternError) return pattern
    throw error
  }
}
