/** What a codec or a medium answers in place of a value that it cannot read. */

/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the value; `''` is the whole value. */
  readonly pointer: string
  /** What was expected, and what came, without the value itself. */
  readonly detail: string
}

/** The reasons why a value was not read, in the order of their discovery. Returned, not thrown: bad input is an ordinary thing. */
export class ParseError {
  readonly issues: readonly Issue[]

  constructor(flaws: readonly Issue[]) {
    this.issues = flaws
  }
}

/** Looking for flaws ends here: what is wrong in so many places is told of in a few of them anyway. */
export const maxIssues = 1_000

/** The refusal of a whole value: `parseError('a calendar date such as 2024-02-29')`. */
export const parseError = (what: string): ParseError => new ParseError([{ pointer: '', detail: `expected ${what}` }])

/** One step of a JSON Pointer: `/` and the key, escaped. */
export const encodePointerStep = (key: PropertyKey): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
