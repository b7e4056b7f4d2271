/** Decides a conditional request against what is there now, in the order of RFC 9110 §13.2.2. */
import { hasEntityTag } from './entityTags.js'
import { parseHttpDate } from './httpDate.js'

/** A date that is none is as good as no date: `fallback`. */
function isModifiedSince(text, modified, fallback) {
  const since = text === undefined ? undefined : parseHttpDate(text)
  return since === undefined ? fallback : modified > since
}
/** `proceed`: answer in full. `unchanged`: 304. `failed`: 412. */
export function evaluatePreconditions(header, { etag, modified }) {
  const match = header('if-match')
  const kept = match === undefined ? !isModifiedSince(header('if-unmodified-since'), modified, false) : hasEntityTag(match, etag, false)
  if (!kept) return 'failed'
  const noneMatch = header('if-none-match')
  const changed =
    noneMatch === undefined ? isModifiedSince(header('if-modified-since'), modified, true) : !hasEntityTag(noneMatch, etag, true)
  return changed ? 'proceed' : 'unchanged'
}
/** Whether `Range` counts: there is no `If-Range`, or it names exactly this version (RFC 9110 §13.1.5). */
export function isRangeApplicable(header, { etag, modified }) {
  const condition = header('if-range')
  return condition === undefined || condition === etag || parseHttpDate(condition) === modified
}
