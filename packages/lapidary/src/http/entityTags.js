/** Lists of entity tags, as `If-Match` and `If-None-Match` have them (RFC 9110 §8.8.3, §13.1). */
// In a header of Latin-1; one that cannot be read ends the list.
const entityTagPattern = /[\t ,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/gy
/**
 * Whether a list names the strong tag `etag`, quotes included, of something that is there; `*` names any.
 * `weakly`: whether a tag that is marked weak may match as well (RFC 9110 §8.8.3.2). What cannot be read matches nothing.
 */
export function hasEntityTag(list, etag, weakly) {
  if (list === etag || list.trim() === '*') return true
  for (const [, weak, tag] of list.matchAll(entityTagPattern)) {
    if (tag === etag && (weakly || weak === undefined)) return true
  }
  return false
}
