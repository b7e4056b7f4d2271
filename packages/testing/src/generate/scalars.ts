/** Numbers and texts within the bounds, formats and patterns of a JSON Schema. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { createPatternExamples, getBound, getTypes, hasSmallTexts, isOutOfBounds, toRegExp } from 'lapidary/internal'
import { hasFormat } from '../diff/subschema/formats.ts'
import { keepFitting } from './sample.ts'

/** `odd`: unusual values, to find faults in a program. `plain`: values as people write them. */
export type GenerateStyle = 'odd' | 'plain'

/** The numbers of a range: steps from the first to the last, each counted in units of a power of ten, in which it is exact. */
interface StepRange {
  readonly first: number
  readonly last: number
  readonly toValue: (steps: number) => number
}

/** How many decimals a number is written with. */
function countDecimals(value: number): number {
  const [, digits = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.max(0, digits.length - Number(exponent))
}

const largestCount = Number.MAX_SAFE_INTEGER

/** The multiples of a step within a range, each as the float that is nearest to it; undefined where a float does not count that far. */
function createStepRange(step: number, low: number, high: number): StepRange | undefined {
  const scale = 10 ** countDecimals(step)
  const units = Math.round(step * scale)
  // Adding 0 makes 0 of -0, which JSON does not have.
  const toValue = (steps: number): number => (steps * units) / scale + 0
  const limit = Math.floor(largestCount / units)
  let [first, last] = [Math.max(Math.ceil(low / step), -limit), Math.min(Math.floor(high / step), limit)]
  // The division rounds.
  if (toValue(first - 1) >= low && first > -limit) first -= 1
  if (toValue(last + 1) <= high && last < limit) last += 1
  if (toValue(first) < low) first += 1
  if (toValue(last) > high) last -= 1
  return units === 0 || !Number.isFinite(scale) ? undefined : { first, last, toValue }
}

/** A step of which every multiple is a multiple of both: of 1.5 and of 1, it is 3. */
function findCommonStep(one: number, other: number): number {
  const scale = 10 ** Math.max(countDecimals(one), countDecimals(other))
  const [a, b] = [Math.round(one * scale), Math.round(other * scale)]
  const divide = (x: number, y: number): number => (y === 0 ? x : divide(y, x % y))
  return ((a / divide(a, b)) * b) / scale
}

/** The steps of a range within narrower ends, as values that are allowed; undefined where there is none. */
function chooseSteps(
  { toValue }: StepRange,
  first: number,
  last: number,
  isAllowed: (value: number) => boolean,
): fc.Arbitrary<number> | undefined {
  if (first > last) return undefined
  // Of three values, at most two are the ends, which may be excluded.
  if (last - first > 1) return fc.integer({ min: first, max: last }).map(toValue).filter(isAllowed)
  const few = [...new Set([first, last])].map(toValue).filter(isAllowed)
  return few.length === 0 ? undefined : fc.constantFrom(...few)
}

/** No range needs more decimals, unless its numbers are closer to zero than programs write them. */
const maxDecimals = 17

/** Plain numbers have two decimals, or as many as their range needs, and are close to the lower bound. */
function createPlainNumbers(low: number, high: number, isAllowed: (value: number) => boolean): fc.Arbitrary<number> | undefined {
  const near = Math.min(Math.max(0, low), high)
  // Below 0 alone, the numbers are close to the upper bound.
  const lowest = near === high ? Math.max(low, near - 1_000) : near
  for (let decimals = 2; decimals <= maxDecimals; decimals += 1) {
    const range = createStepRange(Number(`1e-${decimals}`), lowest, Math.min(high, near + 1_000))
    const found = range && chooseSteps(range, range.first, range.last, isAllowed)
    if (found !== undefined) return found
  }
  return undefined
}

/** Any floats of a range, its ends included or not; undefined where there is none. */
function createFloats(
  { low, high }: { low: number; high: number },
  isAllowed: (value: number) => boolean,
): fc.Arbitrary<number> | undefined {
  if (low > high) return undefined
  const [minExcluded, maxExcluded] = [!isAllowed(low), !isAllowed(high)]
  try {
    return fc.double({ min: low, max: high, minExcluded, maxExcluded, noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)
  } catch {
    // No float is between the two ends.
    return undefined
  }
}

/** The arbitrary of a schema's numbers; undefined where it allows none. */
export function createNumberArbitrary(schema: JsonSchema, style: GenerateStyle): fc.Arbitrary<number> | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const isInteger = getTypes(schema).includes('integer')
  const declared = getBound(schema['multipleOf'], 0)
  const step = declared === 0 ? (isInteger ? 1 : 0) : isInteger ? findCommonStep(declared, 1) : declared
  const low = Math.max(getBound(minimum, -largestCount), getBound(exclusiveMinimum, -largestCount))
  const high = Math.min(getBound(maximum, largestCount), getBound(exclusiveMaximum, largestCount))
  const isAllowed = (value: number): boolean => value !== exclusiveMinimum && value !== exclusiveMaximum && value >= low && value <= high
  if (step === 0)
    return (style === 'plain' ? createPlainNumbers(low, high, isAllowed) : undefined) ?? createFloats({ low, high }, isAllowed)
  const range = createStepRange(step, low, high)
  if (range === undefined || range.first > range.last) return undefined
  const { first, last, toValue } = range
  const near = Math.min(Math.max(0, first), last)
  const choose = (from: number, to: number): fc.Arbitrary<number> | undefined => chooseSteps(range, from, to, isAllowed)
  if (style === 'plain') return choose(near, Math.min(last, near + 100)) ?? choose(first, last)
  const around = choose(Math.max(first, near - 100), Math.min(last, near + 100))
  if (around === undefined || last - first < 2) return around
  const distant = fc.maxSafeInteger().map((number) => toValue(Math.min(Math.max(number, first), last)))
  return fc.oneof({ arbitrary: around, weight: 2 }, { arbitrary: distant, weight: 1 }).filter(isAllowed)
}

const padTwoDigits = (number: number): string => String(number).padStart(2, '0')

/** The days of RFC 3339, with more of those at the ends of years and in February. */
const dayTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('1970-01-01', '1999-12-31', '2000-02-29', '2024-02-29', '0001-01-01', '9999-12-31'),
  fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
)

/** Days of this decade. */
const plainDayTexts: fc.Arbitrary<string> = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2029-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const timeTexts: fc.Arbitrary<string> = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map(([hour, minute, second]) => [hour, minute, second].map(padTwoDigits).join(':'))

/** Names that every parser of addresses accepts. Few accept all that RFC 5322 allows. */
const wordTexts = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const hostTexts = fc.tuple(wordTexts, wordTexts).map(([first, second]) => `${first}.${second}.example`)
const emailTexts = fc.tuple(wordTexts, hostTexts).map(([name, domain]) => `${name}@${domain}`)
const uriTexts = fc.tuple(hostTexts, fc.array(wordTexts, { maxLength: 3 })).map(([domain, path]) => `https://${domain}/${path.join('/')}`)

const base64Texts = fc.uint8Array({ maxLength: 24 }).map((bytes) => btoa(String.fromCharCode(...bytes)))

/** The formats of JSON Schema (Validation §7.3), and some that schema libraries add. */
const formatArbitraries: ReadonlyMap<unknown, fc.Arbitrary<string>> = new Map([
  ['date', dayTexts],
  ['date-time', fc.tuple(dayTexts, timeTexts).map(([date, clock]) => `${date}T${clock}Z`)],
  ['time', timeTexts],
  ['duration', fc.nat(365).map((days) => `P${days}D`)],
  ['email', emailTexts],
  ['idn-email', emailTexts],
  ['hostname', hostTexts],
  ['idn-hostname', hostTexts],
  ['uri', uriTexts],
  ['uri-reference', uriTexts],
  ['iri', uriTexts],
  ['iri-reference', uriTexts],
  ['json-pointer', wordTexts.map((step) => `/${step}`)],
  ['uuid', fc.uuid()],
  ['ipv4', fc.ipV4()],
  ['ipv6', fc.ipV6()],
  ['base64', base64Texts],
  ['base64url', base64Texts.map((text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))],
])

/** The formats that have plain texts of their own. */
const plainFormatArbitraries: ReadonlyMap<unknown, fc.Arbitrary<string>> = new Map([
  ['date', plainDayTexts],
  ['date-time', fc.tuple(plainDayTexts, timeTexts).map(([date, clock]) => `${date}T${clock}Z`)],
])

/** Enough words that three of them seldom repeat. */
const phraseWords =
  'agate amber amethyst basalt beryl carved citrine clear coral cut diamond emerald faceted flint garnet granite jade jasper lapis marble mined moonstone obsidian onyx opal pearl polished quartz raw ruby sapphire set slate smooth spinel topaz turquoise violet white zircon'.split(
    ' ',
  )

/** One to three words within a range of lengths. */
const createPhrases = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.uniqueArray(fc.constantFrom(...phraseWords), { minLength: 1, maxLength: 3 }).map((words) => {
    const [first = '', ...more] = words
    const text = more.reduce((before, word) => (before.length + word.length < maxLength ? `${before} ${word}` : before), first)
    return text.padEnd(minLength, ' and so on').slice(0, maxLength).replace(/ $/, 'x')
  })

/** The names of members whose texts are sent as credentials later: `token`, `access_token`, `refreshTokens`, `apiKey`. */
const credentialName = /(?:token|jwt|secret|api[-_]?key)s?$/i

/** Texts are at most this much longer than required: longer ones find no more faults, and cost more. */
const usualExtraLength = 24

/** The texts of a pattern; undefined where fast-check does not support it, or hardly any of them fits. */
function createPatternArbitrary(pattern: unknown, fits: (text: string) => boolean): fc.Arbitrary<string> | undefined {
  const form = typeof pattern === 'string' ? toRegExp(pattern) : undefined
  if (typeof pattern !== 'string' || form === undefined) return undefined
  // fast-check would fill the memory.
  if (!hasSmallTexts(pattern)) {
    const texts = createPatternExamples(pattern).filter(fits)
    return texts.length === 0 ? undefined : fc.constantFrom(...texts)
  }
  try {
    return keepFitting(fc.stringMatching(form), fits) ?? keepFitting(fc.stringMatching(form, { size: 'medium' }), fits)
  } catch {
    return undefined
  }
}

/**
 * The texts of a schema; undefined where none is found.
 *
 * @param name the name of the member that has the text
 */
export function createTextArbitrary(schema: JsonSchema, style: GenerateStyle, name: string = ''): fc.Arbitrary<string> | undefined {
  const { format, pattern, contentEncoding } = schema
  const least = getBound(schema['minLength'], 0)
  const declaredMost = getBound(schema['maxLength'], Number.POSITIVE_INFINITY)
  if (least > declaredMost) return undefined
  const fits = (text: string): boolean => !isOutOfBounds(schema, text) && (format === undefined || hasFormat(format, text) !== false)
  const most = Math.max(least, Math.min(declaredMost, least + usualExtraLength))
  const [size, formats] = [{ minLength: least, maxLength: most }, formatArbitraries.get(format ?? contentEncoding)]
  const ofFormat = (style === 'plain' ? plainFormatArbitraries.get(format) : undefined) ?? formats
  const fitting = ofFormat && keepFitting(ofFormat, fits)
  const ofPattern = style === 'plain' && fitting !== undefined ? undefined : createPatternArbitrary(pattern, fits)
  if (ofPattern !== undefined || fitting !== undefined) return ofPattern ?? fitting
  // A format whose texts are too long or too short here. Of a pattern that is not read, a word may be one.
  if (ofFormat !== undefined && format !== undefined) return undefined
  const phrases = createPhrases(least, most)
  // A bearer token has no blank (RFC 6750 §2.1).
  const words = credentialName.test(name) ? phrases.map((text) => text.replaceAll(' ', '-')) : phrases
  if (style === 'plain') return pattern === undefined ? words : keepFitting(words, fits)
  const any = fc.oneof(
    { arbitrary: fc.string(size), weight: 2 },
    // Characters as people see them: some have several code points, some are outside the first plane.
    { arbitrary: fc.string({ unit: 'grapheme', ...size }), weight: 1 },
  )
  return pattern === undefined ? any.filter(fits) : keepFitting(any, fits)
}
