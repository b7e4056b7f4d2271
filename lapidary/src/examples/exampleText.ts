/** Makes up a text of the format or the length that a JSON Schema asks for. */
import { date } from '../describe/date.ts'
import type { JsonSchema } from '../describe/jsonSchema.ts'

/** One text of each format: those of JSON Schema (Validation §7.3), and some that schema libraries add. */
const formatExamples: ReadonlyMap<unknown, string> = new Map([
  ['date', `${date.examples[0]}`],
  ['date-time', `${date.examples[0]}T12:00:00Z`],
  ['time', '12:00:00'],
  ['duration', 'P1D'],
  ['email', 'ann@example.org'],
  ['idn-email', 'ann@example.org'],
  ['hostname', 'example.org'],
  ['idn-hostname', 'example.org'],
  ['uri', 'https://example.org/'],
  ['uri-reference', '/path'],
  ['iri', 'https://example.org/'],
  ['iri-reference', '/path'],
  ['json-pointer', '/name'],
  ['regex', '^text$'],
  ['uuid', '7f3c1e8a-5b2d-4c6e-9f01-23456789abcd'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['cidrv4', '192.0.2.0/24'],
  ['cidrv6', '2001:db8::/32'],
  ['base64', 'dGV4dHM='],
  ['base64url', 'dGV4dHM'],
  ['e164', '+15555550100'],
])

const exampleWord = 'text'

/** What is tried where the schema has a pattern: short texts, then one of each format. */
const patternCandidates: readonly string[] = ['a', 'A', '1', ...formatExamples.values()]

/**
 * A text of the schema's format; without one, `text`, repeated or cut to the length that it asks for.
 * A pattern is not solved: where that text does not match, the first known one that does is taken, if any.
 */
export function createExampleText({ format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema): string {
  const [least, most] = [Number(minLength), Number(maxLength)]
  const plain = formatExamples.get(format) ?? exampleWord.padEnd(least, exampleWord).slice(0, most)
  if (typeof pattern !== 'string') return plain
  const form = new RegExp(pattern)
  return [plain, ...patternCandidates].find((text) => form.test(text) && text.length >= least && text.length <= most) ?? plain
}
