/** Evaluates the preconditions of a request for a file, in the order of RFC 9110 §13.2.2. */
import { hasEntityTag } from './entityTags.ts'
import { parseHttpDate } from './httpDate.ts'

/** What identifies the current version of a file. */
export interface Validators {
  /** A strong entity tag, with its quotes. */
  readonly etag: string
  /** The time of the last change, in whole seconds since 1970; undefined where it is not known. Conditions about it are then ignored. */
  readonly modified: number | undefined
}

type HeaderLookup = (name: string) => string | undefined

/** @param fallback the result for a missing or invalid date, which is ignored */
function isModifiedSince(text: string | undefined, modified: number | undefined, fallback: boolean): boolean {
  const since = text === undefined ? undefined : parseHttpDate(text)
  return since === undefined || modified === undefined ? fallback : modified > since
}

/**
 * Evaluates the preconditions of a request.
 *
 * @returns `proceed` to answer in full, `unchanged` for 304, `failed` for 412
 */
export function evaluatePreconditions(header: HeaderLookup, { etag, modified }: Validators): 'proceed' | 'unchanged' | 'failed' {
  const ifMatch = header('if-match')
  const isCurrent =
    ifMatch === undefined ? !isModifiedSince(header('if-unmodified-since'), modified, false) : hasEntityTag(ifMatch, etag, false)
  if (!isCurrent) return 'failed'
  const ifNoneMatch = header('if-none-match')
  const isChanged =
    ifNoneMatch === undefined ? isModifiedSince(header('if-modified-since'), modified, true) : !hasEntityTag(ifNoneMatch, etag, true)
  return isChanged ? 'proceed' : 'unchanged'
}

/** Whether `Range` applies: there is no `If-Range`, or it names exactly this version (RFC 9110 §13.1.5). */
export function isRangeApplicable(header: HeaderLookup, { etag, modified }: Validators): boolean {
  const condition = header('if-range')
  return condition === undefined || condition === etag || (modified !== undefined && parseHttpDate(condition) === modified)
}
