/** Cancellation of a call, or of the stream that it returned: by the signals of the caller, or by a time limit. */

/**
 * The listeners of each signal. One DOM listener calls them all, because Node warns of more than ten. It is removed with the last of them.
 */
const abortListeners = new WeakMap<EventTarget, Set<() => void>>()

function notifyListeners({ target }: Event): void {
  for (const listener of abortListeners.get(target as EventTarget) ?? []) listener()
}

/**
 * Calls a listener when the signal fires, or at once if it has fired.
 *
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener()
  const listeners = abortListeners.get(signal) ?? new Set()
  abortListeners.set(signal, listeners.add(listener))
  // Adding the same listener again has no effect.
  signal.addEventListener('abort', notifyListeners)
  return () => {
    listeners.delete(listener)
    if (!listeners.size) signal.removeEventListener('abort', notifyListeners)
  }
}

/** The cancellation of one call. */
export interface Cancellation {
  /** Fires when the call is cancelled. */
  readonly signal: AbortSignal
  /** Cancels the call. */
  readonly abort: (reason: unknown) => void
  /** Lets the signals of the caller cancel the call, until the returned function is called. That function ends the time limit, too. */
  readonly listen: () => () => void
  /** Calls a listener when the call has ended, and the stream that it returned. */
  readonly onEnd: (listener: () => void) => void
}

/** Waits, and rejects with the reason of the signal when it fires. */
export const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      removeListener()
      resolve()
    }, milliseconds)
    const removeListener = onAbort(signal, () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/**
 * Creates the cancellation of a call.
 *
 * @param limit the time limit in milliseconds; `Infinity` is no limit
 * @param createTimeoutError makes the reason of the signal after the time limit
 */
export function createCancellation(
  signals: readonly (AbortSignal | undefined)[],
  limit: number,
  createTimeoutError: () => unknown,
): Cancellation {
  const controller = new AbortController()
  const { signal } = controller
  const abort = (reason: unknown): void => controller.abort(reason)
  const timer = limit === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => abort(createTimeoutError()), limit)
  let listening = 0
  let end: (() => void) | undefined
  return {
    signal,
    abort,
    listen: () => {
      listening += 1
      const removers = signals.map((cause) => cause && onAbort(cause, () => abort(cause.reason)))
      return () => {
        clearTimeout(timer)
        for (const remove of removers) remove?.()
        listening -= 1
        if (listening === 0) end?.()
      }
    },
    onEnd: (listener) => {
      end = listener
    },
  }
}
