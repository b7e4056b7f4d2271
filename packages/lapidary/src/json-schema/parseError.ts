/** What a codec or a media type returns in place of a value that it cannot read. */
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
 * Why a value was not read. A codec returns it and does not throw it: invalid input is an ordinary case.
 *
 * @example
 * ```ts
 * import { ParseError } from 'lapidary'
 *
 * const error = new ParseError([{ pointer: '/from', detail: 'expected a number from 0' }])
 * ```
 */
export class ParseError {
  static {
    Object.assign(ParseError.prototype, { [parseErrorBrand]: true })
  }

  /** The issues in the order of their discovery. */
  declare readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    this.issues = issues
  }
}

/**
 * Whether a codec or a media type returned a `ParseError`, of any copy of this package, in place of a value.
 *
 * @example
 * ```ts
 * import { int, isParseError } from 'lapidary'
 *
 * const page = int.parse('7')
 * if (!isParseError(page)) console.log(page + 1)
 * ```
 */
export const isParseError = (value: unknown): value is ParseError => typeof value === 'object' && value !== null && parseErrorBrand in value

/** The search for issues ends after this many: a few of them tell the client enough. */
export const maxIssues = 1_000

/**
 * Creates the error of a value that cannot be read as a whole.
 *
 * @param what what was expected, such as `a calendar date such as 2024-02-29`
 * @example
 * ```ts
 * import { parseError } from 'lapidary'
 *
 * const parseHex = (text: string) => (/^[0-9a-f]+$/.test(text) ? Number.parseInt(text, 16) : parseError('hexadecimal digits'))
 * ```
 */
export const parseError = (what: string): ParseError => new ParseError([{ pointer: '', detail: `expected ${what}` }])

/** One step of a JSON Pointer: `/` and the key, escaped. */
export const encodePointerStep = (key: PropertyKey): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** A problem lists at most this many errors. */
export const maxListedErrors = 20

/** All listed errors together have at most this many bytes of JSON. With the rest of the problem, a response has at most 16 KB. */
const maxListedBytes = 15_360

/** The most characters of one text. The texts of one error fit into the bytes above, however they are escaped. */
const maxTextLengths = { pointer: 512, name: 256, detail: 1_024 } as const

/** A parse error that does not list every issue. */
export class TruncatedParseError extends ParseError {
  /** The number of issues that are not listed. */
  readonly more: number

  constructor(issues: readonly Issue[], more: number) {
    super(issues)
    this.more = more
  }
}

/** The number of issues that an error does not list. */
export const countOmittedIssues = (error: ParseError): number => (error instanceof TruncatedParseError ? error.more : 0)

/** The pointer; of one that is too long, the nearest place above it that fits. */
const shortenPointer = (pointer: string): string =>
  pointer.length <= maxTextLengths.pointer ? pointer : pointer.slice(0, pointer.lastIndexOf('/', maxTextLengths.pointer))

/** The text, or its beginning. A schema's message may quote a thousand names. */
export const truncateText = (text: string, maxLength: number = maxTextLengths.detail): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`

/** A name that is too long is left out: half of it would be another name. */
const shortenError = ({ in: place, name, pointer, detail }: ProblemError): ProblemError => ({
  in: place,
  ...(name === undefined || name.length > maxTextLengths.name ? {} : { name }),
  ...(pointer === undefined ? {} : { pointer: shortenPointer(pointer) }),
  detail: truncateText(detail),
})

/** The first errors, shortened, and the number of those that are left out. @param more how many were found besides `errors` */
export function limitErrors(errors: readonly ProblemError[], more = 0): Pick<Problem, 'errors' | 'more'> {
  const listed: ProblemError[] = []
  let bytes = 0
  for (const error of errors.slice(0, maxListedErrors)) {
    const short = shortenError(error)
    bytes += encodeUtf8(JSON.stringify(short)).length + 1
    if (bytes > maxListedBytes) break
    listed.push(short)
  }
  const omitted = errors.length - listed.length + more
  return omitted === 0 ? { errors: listed } : { errors: listed, more: omitted }
}
