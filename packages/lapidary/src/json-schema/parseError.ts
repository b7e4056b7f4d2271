/** The value that a codec or a media type returns if it cannot read its input. */

/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the value; `''` is the whole value. */
  readonly pointer: string
  /** What was expected, and what kind of value was found, without the value itself. */
  readonly detail: string
  /** The error that a function of the application threw at the value. The server reports it, and never sends it. */
  readonly cause?: unknown
}

/** The cause of an issue, to be spread into another one. */
export const getCause = (issue: { readonly cause?: unknown } | undefined): { readonly cause?: unknown } =>
  issue !== undefined && 'cause' in issue ? { cause: issue.cause } : {}

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
 * Whether a codec or a media type returned a `ParseError`, of any copy of this package, instead of a value.
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

/** The key of one step of a JSON Pointer, without its slash: the inverse of `encodePointerStep`. */
export const decodePointerStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** The JSON Pointer of a path (RFC 6901). */
export const encodePointer = (path: readonly PropertyKey[]): string => path.map(encodePointerStep).join('')

/** The search for issues ends after this many: a few of them tell the client enough. */
export const maxIssues = 1_000

/** A problem lists at most this many errors. */
export const maxListedErrors = 20

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
