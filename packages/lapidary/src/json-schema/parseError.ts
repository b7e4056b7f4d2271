/** What a codec or a medium answers in place of a value that it cannot read. */

import type { Problem, ProblemError } from '../http/problemDetails.ts'
import { encodeUtf8 } from '../http/utf8.ts'

/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the value; `''` is the whole value. */
  readonly pointer: string
  /** What was expected, and what came, without the value itself. */
  readonly detail: string
}

/** The parse errors of every copy of this package have it. A symbol, since no JSON that is read can forge one. */
const parseErrorBrand = Symbol.for('lapidary.ParseError')

/**
 * The reasons why a value was not read, in the order of their discovery. A codec returns it and does not throw it: bad input is an ordinary thing.
 *
 * @example
 * const range = new ParseError([{ pointer: '/from', detail: 'expected a number from 0' }])
 */
export class ParseError {
  static {
    Object.defineProperty(ParseError.prototype, parseErrorBrand, { value: true })
  }

  readonly issues: readonly Issue[]

  constructor(flaws: readonly Issue[]) {
    this.issues = flaws
  }
}

/**
 * Whether a codec or a media type returned a `ParseError`, of any copy of this package, in place of a value.
 *
 * @example
 * const page = int.parse('7')
 * if (!isParseError(page)) console.log(page + 1)
 */
export const isParseError = (value: unknown): value is ParseError => typeof value === 'object' && value !== null && parseErrorBrand in value

/** Looking for flaws ends here: what is wrong in so many places is told of in a few of them anyway. */
export const maxIssues = 1_000

/** The refusal of a whole value: `parseError('a calendar date such as 2024-02-29')`. */
export const parseError = (what: string): ParseError => new ParseError([{ pointer: '', detail: `expected ${what}` }])

/** One step of a JSON Pointer: `/` and the key, escaped. */
export const encodePointerStep = (key: PropertyKey): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

// What is wrong with a request, told in bounds: a megabyte that is wrong all over must not be answered with fifty.

/** So many entries a problem has at most. */
export const maxListedErrors = 20

/** Of all entries together, as JSON: with what stands around them, an answer has 16 KB at most. */
const maxListedBytes = 15_360

/** Characters of one text. With the others of its entry it fits into the bytes above, however it is escaped. */
const maxTextLengths = { pointer: 512, name: 256, detail: 1_024 } as const

/** A refusal that does not list everything that was found. */
export class TruncatedParseError extends ParseError {
  /** How many more were found. */
  readonly more: number

  constructor(flaws: readonly Issue[], more: number) {
    super(flaws)
    this.more = more
  }
}

/** How many more were found than a refusal lists. */
export const countOmittedIssues = (refusal: ParseError): number => (refusal instanceof TruncatedParseError ? refusal.more : 0)

/** The pointer, or that of the place nearest above which is short enough. */
const shortenPointer = (pointer: string): string =>
  pointer.length <= maxTextLengths.pointer ? pointer : pointer.slice(0, pointer.lastIndexOf('/', maxTextLengths.pointer))

/** The text, or its beginning. Messages of schemas may quote what they were given: the names of a thousand members. */
export const truncateText = (text: string, most: number = maxTextLengths.detail): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** A name that is too long is left out: half of it would be another one. */
const shortenError = ({ in: place, name, pointer, detail }: ProblemError): ProblemError => ({
  in: place,
  ...(name === undefined || name.length > maxTextLengths.name ? {} : { name }),
  ...(pointer === undefined ? {} : { pointer: shortenPointer(pointer) }),
  detail: truncateText(detail),
})

/** The first of them, in short, and how many there are besides. `more`: those found that are not even among them. */
export function limitErrors(errors: readonly ProblemError[], more = 0): Pick<Problem, 'errors' | 'more'> {
  const listed: ProblemError[] = []
  let bytes = 0
  for (const error of errors.slice(0, maxListedErrors)) {
    const short = shortenError(error)
    bytes += encodeUtf8(JSON.stringify(short)).length + 1
    if (bytes > maxListedBytes) break
    listed.push(short)
  }
  const besides = errors.length - listed.length + more
  return besides === 0 ? { errors: listed } : { errors: listed, more: besides }
}
