/** One change between two descriptions of an API, and what it does to whom. */
export const safeJudgement = (reason) => ({ verdict: 'safe', reason })
export const breakingJudgement = (reason) => ({ verdict: 'breaking', reason })
export const unknownJudgement = (reason) => ({ verdict: 'unknown', reason })
/** A change, judged both ways: old clients call new servers, and new clients old ones. */
export function createFinding(place, change, old, now, judge) {
  const forward = judge(old, now, { caller: 'old', server: 'new' })
  const backward = judge(now, old, { caller: 'new', server: 'old' })
  const telling = forward.verdict === 'safe' && backward.verdict !== 'safe' ? backward : forward
  return { place, change, clients: forward.verdict, servers: backward.verdict, reason: telling.reason }
}
/** Whether something came, went or became something else. */
export const getChangeKind = (old, now) =>
  (old ?? undefined) === undefined ? 'added' : (now ?? undefined) === undefined ? 'removed' : 'changed'
/** What a record has under a name; never what it inherits, as `constructor` would be. */
export const getOwn = (record, name) => (Object.hasOwn(record, name) ? record[name] : undefined)
/** The names of two records, in the order of the alphabet. */
export const listNames = (old, now) => [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
