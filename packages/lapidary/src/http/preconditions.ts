/** Decides a conditional request against what is there now, in the order of RFC 9110 §13.2.2. */
import { hasEntityTag } from './entityTags.ts'
import { parseHttpDate } from './httpDate.ts'

/** What tells one version of a file from another. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  readonly etag: string
  /** The last change, in whole seconds since 1970. */
  readonly modified: number
}

type HeaderLookup = (name: string) => string | undefined

/** A date that is none is as good as no date: `fallback`. */
function isModifiedSince(text: string | undefined, modified: number, fallback: boolean): boolean {
  const since = text === undefined ? undefined : parseHttpDate(text)
  return since === undefined ? fallback : modified > since
}

/** `proceed`: answer in full. `unchanged`: 304. `failed`: 412. */
export function evaluatePreconditions(header: HeaderLookup, { etag, modified }: Validators): 'proceed' | 'unchanged' | 'failed' {
  const match = header('if-match')
  const kept = match === undefined ? !isModifiedSince(header('if-unmodified-since'), modified, false) : hasEntityTag(match, etag, false)
  if (!kept) return 'failed'
  const noneMatch = header('if-none-match')
  const changed =
    noneMatch === undefined ? isModifiedSince(header('if-modified-since'), modified, true) : !hasEntityTag(noneMatch, etag, true)
  return changed ? 'proceed' : 'unchanged'
}

/** Whether `Range` counts: there is no `If-Range`, or it names exactly this version (RFC 9110 §13.1.5). */
export function isRangeApplicable(header: HeaderLookup, { etag, modified }: Validators): boolean {
  const condition = header('if-range')
  return condition === undefined || condition === etag || parseHttpDate(condition) === modified
}
