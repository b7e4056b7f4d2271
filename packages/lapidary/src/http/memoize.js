/** Remembers what a pure function made of short texts that come again and again, such as the usual values of a header. */
/** Bounded, so that no client can fill the memory: past the bounds, the function is simply called. */
const maxMemoEntries = 64
const maxMemoTextLength = 256
/** The same function, which looks up what it has answered before. */
export function memoize(answer) {
  const known = new Map()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = answer(text)
    if (known.size < maxMemoEntries && text.length <= maxMemoTextLength) known.set(text, value)
    return value
  }
}
