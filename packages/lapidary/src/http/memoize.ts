/** Memoization of functions of short texts, such as the frequent values of a header, and of functions of whole heads. */

/** Bounds, so that no client can fill the memory. Beyond them the function is called each time. */
const maxMemoEntries = 64
const maxMemoTextLength = 256

/** The same function, which caches its results. */
export function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const cache = new Map<string, Value>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const value = compute(text)
    if (cache.size < maxMemoEntries && text.length <= maxMemoTextLength) cache.set(text, value)
    return value
  }
}

/** The same function, which caches its results for frozen lists of headers, and freezes them: an endpoint has the same list in each response. */
export function memoizeFrozen<Result>(compute: (headers: readonly string[]) => Result): (headers: readonly string[]) => Result {
  const results = new WeakMap<readonly string[], Result>()
  return (headers) => {
    const cached = results.get(headers)
    if (cached !== undefined) return cached
    const result = compute(headers)
    if (Object.isFrozen(headers)) results.set(headers, Object.freeze(result))
    return result
  }
}
