/** What sequences say of a broken rule: where, what was expected, what came, and what to look at. Used as `import * as messages`. */

// One item

export const writeNotShown = (name: string, sent: string, shown: string, label: string, isOld: boolean): string =>
  `"${name}": expected ${sent}, as ${label} sent it, got ${shown}${
    isOld
      ? ', the value before that request. Is the change stored before the response is sent, and are caches cleared?'
      : '. Store the member as it was sent, or refuse the request with a 4xx status.'
  }`
const formatChanged = (name: string, known: string, source: string, shown: string): string =>
  `"${name}": expected ${known}, as ${source} has shown it, got ${shown}.`
export const memberChanged = (name: string, known: string, source: string, shown: string): string =>
  `${formatChanged(name, known, source, shown)} No request in between changes this item. Does a request about another item, or a cache, overwrite it?`
export const memberOfRefused = (name: string, known: string, source: string, shown: string, refused: string): string =>
  `${formatChanged(name, known, source, shown)} ${refused} was refused, and still has an effect. Validate before the first change, or undo it.`
export const memberNotKept = (name: string, known: string, source: string, shown: string): string =>
  `${formatChanged(name, known, source, shown)} The PATCH in between does not name this member, and has to leave it as it is.`
export const missingItem = (label: string, status: number): string =>
  `${label}: expected the item, which a POST has created and no DELETE has removed, got ${status}. Is the item stored before the POST gets its response?`
export const deletedItem = (label: string, status: number): string =>
  `${label}: expected 404 or 410, because a DELETE of this item has succeeded, got ${status}. Remove the item for every endpoint, caches included.`
export const reusedIdentifier = (id: string): string =>
  `expected an identifier that no item has had, got ${id}, which an earlier item had. Links to the earlier item now lead to another one.`

// Lists

export const deletedItemListed = (id: string): string =>
  `the list: expected no item ${id}, because a DELETE of it has succeeded, got one. Remove the item from the list, caches and indexes included.`
export const itemListedTwice = (id: string, count: number): string => `the list: expected the item ${id} once, got it ${count} times.`
export const itemNotListed = (id: string): string =>
  `the list: expected the item ${id}, which a POST has created and no DELETE has removed, got a list without it. Are caches and indexes of the list renewed?`
export const otherEntry = (name: string, id: string, expected: string, shown: string): string =>
  `the list, item ${id}, "${name}": expected ${expected}, as the item itself has it, got ${shown}. Are caches and indexes of the list renewed?`

// ETags

export const etagChanged = (before: string, etag: string): string =>
  `expected the ETag ${before} again, because the item is the same, got ${etag}. Derive the ETag from the content of the item.`
export const etagReused = (etag: string, before: string, after: string): string =>
  `expected another ETag than ${etag}, because the item was ${before} and is ${after}. Derive the ETag from the whole content, or count changes.`
export const currentNotRevalidated = (status: number): string =>
  `If-None-Match has the current ETag of the item: expected 304, got ${status}. Compare it with the ETag that the response has.`
export const earlierRevalidated =
  'If-None-Match has the ETag of an earlier state of the item: expected the item, got 304. The client keeps what is out of date.'
export const currentRefused =
  'If-Match has the current ETag of the item: expected success, got 412. Compare it with the ETag that GET sends.'
export const earlierAccepted = (status: number): string =>
  `If-Match has the ETag of an earlier state of the item: expected 412, got ${status}. The request overwrites a change that its client has not seen.`

// Keys

export const postNotRepeated = (what: string, expected: string, got: string): string =>
  `the same POST with the same Idempotency-Key: expected ${what}${expected} again, got ${got}. Keep the first response by its key, and send it again.`
export const parallelPostsDiffer = (count: number): string =>
  `expected one response for all POSTs with the same Idempotency-Key, got ${count} different ones. Store the key before the effect, so that only one request has it.`

// Several clients

export const noOrder = (count: number): string =>
  `expected responses that these ${count} requests get in some order, one after the other, got responses that no order explains: a change was lost, or a request read what was out of date. Read and change an item in one transaction, or require If-Match.`
export const repeatedInWalk = (id: string, count: number): string =>
  `a walk over the pages: expected the item ${id} once, got it ${count} times. Begin a page after the last item of the page before, not at a number of items.`
export const missingInWalk = (id: string): string =>
  `a walk over the pages: expected the item ${id}, which exists before and after the walk, got pages without it. Begin a page after the last item of the page before, not at a number of items.`

// Families that cannot be tested

export const unidentifiedItem = (create: string, item: string, member: string): string =>
  `the new item of ${create} cannot be addressed: its response has no Location that leads to ${item}, and no "${member}" in its body`
export const noItemCreated = (create: string, status: number): string =>
  `no item can be created: ${create} gets ${status} for every request that was tried`
