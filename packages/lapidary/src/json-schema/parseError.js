/** What a codec or a medium answers in place of a value that it cannot read. */
import { encodeUtf8 } from '../http/utf8.js'
/** The reasons why a value was not read, in the order of their discovery. Returned, not thrown: bad input is an ordinary thing. */
export class ParseError {
  issues
  constructor(flaws) {
    this.issues = flaws
  }
}
/** Looking for flaws ends here: what is wrong in so many places is told of in a few of them anyway. */
export const maxIssues = 1_000
/** The refusal of a whole value: `parseError('a calendar date such as 2024-02-29')`. */
export const parseError = (what) => new ParseError([{ pointer: '', detail: `expected ${what}` }])
/** One step of a JSON Pointer: `/` and the key, escaped. */
export const encodePointerStep = (key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
// What is wrong with a request, told in bounds: a megabyte that is wrong all over must not be answered with fifty.
/** So many entries a problem has at most. */
export const maxListedErrors = 20
/** Of all entries together, as JSON: with what stands around them, an answer has 16 KB at most. */
const maxListedBytes = 15_360
/** Characters of one text. With the others of its entry it fits into the bytes above, however it is escaped. */
const maxTextLengths = { pointer: 512, name: 256, detail: 1_024 }
/** A refusal that does not list everything that was found. */
export class TruncatedParseError extends ParseError {
  /** How many more were found. */
  more
  constructor(flaws, more) {
    super(flaws)
    this.more = more
  }
}
/** How many more were found than a refusal lists. */
export const countOmittedIssues = (refusal) => (refusal instanceof TruncatedParseError ? refusal.more : 0)
/** The pointer, or that of the place nearest above which is short enough. */
const shortenPointer = (pointer) =>
  pointer.length <= maxTextLengths.pointer ? pointer : pointer.slice(0, pointer.lastIndexOf('/', maxTextLengths.pointer))
/** The text, or its beginning. Messages of schemas may quote what they were given: the names of a thousand members. */
export const truncateText = (text, most = maxTextLengths.detail) =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
/** A name that is too long is left out: half of it would be another one. */
const shortenError = ({ in: place, name, pointer, detail }) => ({
  in: place,
  ...(name === undefined || name.length > maxTextLengths.name ? {} : { name }),
  ...(pointer === undefined ? {} : { pointer: shortenPointer(pointer) }),
  detail: truncateText(detail),
})
/** The first of them, in short, and how many there are besides. `more`: those found that are not even among them. */
export function limitErrors(errors, more = 0) {
  const listed = []
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
