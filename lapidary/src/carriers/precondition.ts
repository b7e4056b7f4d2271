/** Decides a conditional request against what is there now, in the order of RFC 9110 §13.2.2. */
import { isNamed } from '../describe/entityTags.ts'
import { httpDate } from './httpDate.ts'

/** What tells one version of a file from another. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  readonly etag: string
  /** The last change, in whole seconds since 1970. */
  readonly modified: number
}

type Header = (name: string) => string | undefined

/** A date that is none is as good as no date: `fallback`. */
function changedSince(text: string | undefined, modified: number, fallback: boolean): boolean {
  const since = text === undefined ? undefined : httpDate(text)
  return since === undefined ? fallback : modified > since
}

/** `proceed`: answer in full. `unchanged`: 304. `failed`: 412. */
export function precondition(header: Header, { etag, modified }: Validators): 'proceed' | 'unchanged' | 'failed' {
  const match = header('if-match')
  const kept = match === undefined ? !changedSince(header('if-unmodified-since'), modified, false) : isNamed(match, etag, false)
  if (!kept) return 'failed'
  const noneMatch = header('if-none-match')
  const changed = noneMatch === undefined ? changedSince(header('if-modified-since'), modified, true) : !isNamed(noneMatch, etag, true)
  return changed ? 'proceed' : 'unchanged'
}

/** Whether `Range` counts: there is no `If-Range`, or it names exactly this version (RFC 9110 §13.1.5). */
export function rangeApplies(header: Header, { etag, modified }: Validators): boolean {
  const condition = header('if-range')
  return condition === undefined || condition === etag || httpDate(condition) === modified
}
