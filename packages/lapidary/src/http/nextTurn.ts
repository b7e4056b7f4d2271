/** The next turn of the event loop, on every platform. */

/** Calls a function in the next turn of the event loop; several in their order. Workers at the edge have no `setImmediate`. */
export function runInNextTurn(run: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(run)
  else setTimeout(run, 0)
}
