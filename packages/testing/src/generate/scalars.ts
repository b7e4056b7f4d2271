/** Numbers and texts within the bounds, formats and patterns of a JSON Schema. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { getBound, getTypes } from 'lapidary/internal'

/** `odd`: unusual values, to find faults in a program. `plain`: values as people write them. */
export type GenerateStyle = 'odd' | 'plain'

/** Plain numbers have at most two decimals, and are close to the lower bound. */
const createPlainNumbers = (low: number, high: number): fc.Arbitrary<number> => {
  const near = Math.min(Math.max(0, low), high)
  // Below 0 alone, the numbers are close to the upper bound.
  const lowest = near === high ? Math.max(low, near - 1_000) : near
  const [first, last] = [Math.ceil(lowest * 100), Math.floor(Math.min(high, near + 1_000) * 100)]
  // A bound may be exclusive: between two hundredths there is the middle alone.
  return last - first < 2 ? fc.constant((low + high) / 2) : fc.integer({ min: first, max: last }).map((hundredths) => hundredths / 100)
}

/** The arbitrary of a schema's numbers; undefined where it allows none. */
export function createNumberArbitrary(schema: JsonSchema, style: GenerateStyle): fc.Arbitrary<number> | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const step = getBound(schema['multipleOf'], getTypes(schema).includes('integer') ? 1 : 0)
  const largest = Number.MAX_SAFE_INTEGER
  const low = Math.max(getBound(minimum, -largest), getBound(exclusiveMinimum, -largest))
  const high = Math.min(getBound(maximum, largest), getBound(exclusiveMaximum, largest))
  const isAllowed = (value: number): boolean => value !== exclusiveMinimum && value !== exclusiveMaximum && value >= low && value <= high
  if (step === 0 && low > high) return undefined
  if (step === 0 && style === 'plain') return createPlainNumbers(low, high).filter(isAllowed)
  // Adding 0 makes 0 of -0, which JSON does not have.
  if (step === 0)
    return fc
      .double({ min: low, max: high, noNaN: true, noDefaultInfinity: true })
      .map((number) => number + 0)
      .filter(isAllowed)
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)]
  if (first > last || (first === last && !isAllowed(first * step))) return undefined
  const near = Math.min(Math.max(0, first), last)
  if (style === 'plain')
    return fc
      .integer({ min: near, max: Math.min(last, near + 100) })
      .map((steps) => steps * step + 0)
      .filter(isAllowed)
  return fc
    .oneof(
      { arbitrary: fc.integer({ min: Math.max(first, near - 100), max: Math.min(last, near + 100) }), weight: 2 },
      { arbitrary: fc.maxSafeInteger().map((number) => Math.min(Math.max(number, first), last)), weight: 1 },
    )
    .map((steps) => steps * step + 0)
    .filter(isAllowed)
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

/** Texts are at most this much longer than required: longer ones find no more faults, and cost more. */
const usualExtraLength = 24

/** The texts of a pattern; undefined where fast-check does not support it. */
function createPatternArbitrary(pattern: unknown): fc.Arbitrary<string> | undefined {
  if (typeof pattern !== 'string') return undefined
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'))
  } catch {
    return undefined
  }
}

/** Plain texts of a format, where they match the pattern, too: schema libraries state most formats as both. */
function createPlainFormatArbitrary(format: unknown, pattern: unknown): fc.Arbitrary<string> | undefined {
  const texts = plainFormatArbitraries.get(format) ?? formatArbitraries.get(format)
  if (texts === undefined || typeof pattern !== 'string') return texts
  try {
    const form = new RegExp(pattern, 'u')
    return fc.sample(texts, { numRuns: 20, seed: 1 }).every((text) => form.test(text)) ? texts : undefined
  } catch {
    return texts
  }
}

/** The arbitrary of a schema's texts. A format or pattern may give texts of other lengths: the caller filters them. */
export function createTextArbitrary(schema: JsonSchema, style: GenerateStyle): fc.Arbitrary<string> {
  const { format, pattern } = schema
  const least = Number(schema['minLength'] ?? 0)
  const most = Math.max(least, Math.min(Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY), least + usualExtraLength))
  const size = { minLength: least, maxLength: most }
  if (style === 'plain')
    return (
      createPlainFormatArbitrary(format, pattern) ??
      createPatternArbitrary(pattern) ??
      formatArbitraries.get(format) ??
      createPhrases(least, most)
    )
  return (
    createPatternArbitrary(pattern) ??
    formatArbitraries.get(format) ??
    fc.oneof(
      { arbitrary: fc.string(size), weight: 2 },
      // Characters as people see them: some have several code points, some are outside the first plane.
      { arbitrary: fc.string({ unit: 'grapheme', ...size }), weight: 1 },
    )
  )
}
