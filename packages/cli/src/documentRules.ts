/** The rules of `check` that no OpenAPI document promises: they are conventions of the toolkit, or advice of an RFC. */

/** A rule that is left out for a document, and why. */
export interface LeftOutRule {
  readonly name: string
  readonly reason: string
}

/** The rules that `check` leaves out for a document, unless `--all-rules` is given. The guide has the same table. */
export const rulesLeftOut: readonly LeftOutRule[] = [
  { name: 'problem', reason: 'a document that wants problem details (RFC 9457) declares them as the body of the error' },
  { name: 'undeclared-members', reason: 'JSON Schema allows further members, unless the schema forbids them' },
  { name: 'vary', reason: 'no document says what a cache may keep' },
  { name: 'challenge', reason: 'RFC 9110 asks for WWW-Authenticate in a 401, and most APIs with keys do not send it' },
  { name: 'rate-limit', reason: 'the header RateLimit has other forms in older drafts' },
  { name: 'percent-encoding', reason: 'a lenient parser of a query is no fault' },
  { name: 'content-type', reason: 'a server may read a body without a declared media type' },
  { name: 'accept', reason: 'a server may ignore Accept (RFC 9110 §12.4.1)' },
  { name: 'head', reason: 'a document lists the methods of a path, and rarely HEAD' },
  { name: 'methods', reason: 'a server may have more methods than its document, and many send 404 in place of 405' },
  { name: 'options', reason: 'a document lists the methods of a path, and rarely OPTIONS' },
  { name: 'accept-patch', reason: 'it is about OPTIONS' },
  { name: 'not-found', reason: 'a server may have more paths than its document' },
  { name: 'location', reason: 'no document says that a Location leads to what was sent' },
  { name: 'put', reason: 'no document says that GET has what PUT sent' },
  { name: 'delete', reason: 'a deleted resource may stay, and be marked as deleted' },
]
