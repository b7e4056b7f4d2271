/** Comparison of entity tags in `If-Match` and `If-None-Match` (RFC 9110 §8.8.3, §13.1). */
import { trimBlanks } from './headerFields.ts'

// A header is Latin-1. A malformed tag ends the list.
const entityTagPattern = /[\t ,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/gy

/**
 * Whether a list of entity tags matches a resource; `*` matches any.
 *
 * @param etag The strong tag of the resource, with its quotes.
 * @param isWeakAllowed Whether a weak tag can match (RFC 9110 §8.8.3.2).
 */
export function hasEntityTag(list: string, etag: string, isWeakAllowed: boolean): boolean {
  if (list === etag || trimBlanks(list) === '*') return true
  for (const [, weak, tag] of list.matchAll(entityTagPattern)) {
    if (tag === etag && (isWeakAllowed || weak === undefined)) return true
  }
  return false
}
