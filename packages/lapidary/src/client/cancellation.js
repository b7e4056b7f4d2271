/** What ends a call, or the stream that it gave, before its own end: the signals that were given for it, and its time limit. */
/** Who is to be told by a signal. One listener tells them all, for Node warns of more than ten; and it goes with the last of them. */
const abortListeners = new WeakMap()
function notifyListeners({ target }) {
  for (const end of abortListeners.get(target) ?? []) end()
}
/** Calls `end` when the signal fires, or has fired, until the function that it gives is called. */
export function onAbort(signal, end) {
  if (signal.aborted) end()
  const ends = abortListeners.get(signal) ?? new Set()
  abortListeners.set(signal, ends.add(end))
  // The same listener once more is no second one.
  signal.addEventListener('abort', notifyListeners)
  return () => {
    ends.delete(end)
    if (ends.size === 0) signal.removeEventListener('abort', notifyListeners)
  }
}
/** Timers take 32 bits: longer than this, 24 days, is as long as it takes. In milliseconds. */
const maxTimerDelay = 2 ** 31 - 1
/** The early end of a call: by one of the signals, or after `limit` milliseconds with what `late` then gives. */
export function createCancellation(signals, limit, late) {
  const own = new AbortController()
  const { signal } = own
  const timer = limit === undefined || limit > maxTimerDelay ? undefined : setTimeout(() => own.abort(late()), limit)
  return {
    signal,
    listen: () => {
      const leave = signals.map((given) => given && onAbort(given, () => own.abort(given.reason)))
      return () => {
        clearTimeout(timer)
        for (const one of leave) one?.()
      }
    },
  }
}
