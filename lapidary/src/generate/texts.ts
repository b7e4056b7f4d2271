/** Texts of the formats, lengths and patterns that a JSON Schema asks for. */
import * as fc from 'fast-check'
import type { JsonSchema } from '../describe/jsonSchema.ts'

/** `odd`: whatever is allowed, to try a program with; `plain`: what people would write, to look at. */
export type Style = 'odd' | 'plain'

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Every day that RFC 3339 can write, those around the year's ends and in February more often than chance would have them. */
const day: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('1970-01-01', '1999-12-31', '2000-02-29', '2024-02-29', '0001-01-01', '9999-12-31'),
  fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
)

/** Days of these years. */
const plainDay: fc.Arbitrary<string> = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2029-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const time: fc.Arbitrary<string> = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map(([hour, minute, second]) => [hour, minute, second].map(twoDigits).join(':'))

/** Names that every reader of addresses takes; the odd ones that RFC 5322 allows besides, few do. */
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const host = fc.tuple(word, word).map(([first, second]) => `${first}.${second}.example`)
const email = fc.tuple(word, host).map(([name, domain]) => `${name}@${domain}`)
const uri = fc.tuple(host, fc.array(word, { maxLength: 3 })).map(([domain, path]) => `https://${domain}/${path.join('/')}`)

const base64 = fc.uint8Array({ maxLength: 24 }).map((bytes) => btoa(String.fromCharCode(...bytes)))

/** The formats of JSON Schema (Validation §7.3), and some that schema libraries add. */
const formats: ReadonlyMap<unknown, fc.Arbitrary<string>> = new Map([
  ['date', day],
  ['date-time', fc.tuple(day, time).map(([date, clock]) => `${date}T${clock}Z`)],
  ['time', time],
  ['duration', fc.nat(365).map((days) => `P${days}D`)],
  ['email', email],
  ['idn-email', email],
  ['hostname', host],
  ['idn-hostname', host],
  ['uri', uri],
  ['uri-reference', uri],
  ['iri', uri],
  ['iri-reference', uri],
  ['json-pointer', word.map((step) => `/${step}`)],
  ['uuid', fc.uuid()],
  ['ipv4', fc.ipV4()],
  ['ipv6', fc.ipV6()],
  ['base64', base64],
  ['base64url', base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))],
])

/** Those that look otherwise where they are plain. */
const plainFormats: ReadonlyMap<unknown, fc.Arbitrary<string>> = new Map([
  ['date', plainDay],
  ['date-time', fc.tuple(plainDay, time).map(([date, clock]) => `${date}T${clock}Z`)],
])

/** Stones and what is done to them: enough that three of them are seldom the same. */
const vocabulary =
  'agate amber amethyst basalt beryl carved citrine clear coral cut diamond emerald faceted flint garnet granite jade jasper lapis marble mined moonstone obsidian onyx opal pearl polished quartz raw ruby sapphire set slate smooth spinel topaz turquoise violet white zircon'.split(
    ' ',
  )

/** A few words, in as many characters as are asked for. */
const phrases = (least: number, most: number): fc.Arbitrary<string> =>
  fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }).map((words) => {
    const [first = '', ...more] = words
    const text = more.reduce((before, word) => (before.length + word.length < most ? `${before} ${word}` : before), first)
    return text.padEnd(least, ' and so on').slice(0, most).replace(/ $/, 'x')
  })

/** Longer ones say no more about a server, and cost more. */
const usualLength = 24

/** What a pattern allows; undefined for one that is beyond fast-check. */
function matching(pattern: unknown): fc.Arbitrary<string> | undefined {
  if (typeof pattern !== 'string') return undefined
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'))
  } catch {
    return undefined
  }
}

/** Plain texts of a format, where they are of the pattern besides: schema libraries write most formats as both. */
function formatted(format: unknown, pattern: unknown): fc.Arbitrary<string> | undefined {
  const texts = plainFormats.get(format) ?? formats.get(format)
  if (texts === undefined || typeof pattern !== 'string') return texts
  try {
    const form = new RegExp(pattern, 'u')
    return fc.sample(texts, { numRuns: 20, seed: 1 }).every((text) => form.test(text)) ? texts : undefined
  } catch {
    return texts
  }
}

/** Texts of the schema; those that are too long or too short for it as well are for the caller to leave out. */
export function textsOf(schema: JsonSchema, style: Style): fc.Arbitrary<string> {
  const { format, pattern } = schema
  const least = Number(schema['minLength'] ?? 0)
  const most = Math.max(least, Math.min(Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY), least + usualLength))
  const size = { minLength: least, maxLength: most }
  if (style === 'plain') return formatted(format, pattern) ?? matching(pattern) ?? formats.get(format) ?? phrases(least, most)
  return (
    matching(pattern) ??
    formats.get(format) ??
    fc.oneof(
      { arbitrary: fc.string(size), weight: 2 },
      // As people see characters: some of several code points, some beyond the first plane.
      { arbitrary: fc.string({ unit: 'grapheme', ...size }), weight: 1 },
    )
  )
}
