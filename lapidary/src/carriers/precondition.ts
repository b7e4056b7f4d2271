/** Decides a conditional request against what is there now, in the order of RFC 9110 §13.2.2. */
import { httpDate } from './httpDate.ts'

/** What tells one version of a file from another. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  readonly etag: string
  /** The last change, in whole seconds since 1970. */
  readonly modified: number
}

type Header = (name: string) => string | undefined

const entityTags = /[\t ,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/gy

/** `weakly`: whether a tag that is marked weak may match as well (RFC 9110 §8.8.3.2). What cannot be read matches nothing. */
function names(list: string, etag: string, weakly: boolean): boolean {
  if (list.trim() === '*') return true
  for (const [, weak, tag] of list.matchAll(entityTags)) {
    if (tag === etag && (weakly || weak === undefined)) return true
  }
  return false
}

/** A date that is none is as good as no date: `fallback`. */
function changedSince(text: string | undefined, modified: number, fallback: boolean): boolean {
  const since = text === undefined ? undefined : httpDate(text)
  return since === undefined ? fallback : modified > since
}

/** `proceed`: answer in full. `unchanged`: 304. `failed`: 412. */
export function precondition(header: Header, { etag, modified }: Validators): 'proceed' | 'unchanged' | 'failed' {
  const match = header('if-match')
  const kept = match === undefined ? !changedSince(header('if-unmodified-since'), modified, false) : names(match, etag, false)
  if (!kept) return 'failed'
  const noneMatch = header('if-none-match')
  const changed = noneMatch === undefined ? changedSince(header('if-modified-since'), modified, true) : !names(noneMatch, etag, true)
  return changed ? 'proceed' : 'unchanged'
}

/** Whether `Range` counts: there is no `If-Range`, or it names exactly this version (RFC 9110 §13.1.5). */
export function rangeApplies(header: Header, { etag, modified }: Validators): boolean {
  const condition = header('if-range')
  return condition === undefined || condition === etag || httpDate(condition) === modified
}
