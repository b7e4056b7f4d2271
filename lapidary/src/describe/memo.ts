/** Remembers what a pure function made of short texts that come again and again, such as the usual values of a header. */

/** Bounded, so that no client can fill the memory: past the bounds, the function is simply called. */
const most = 64
const longest = 256

/** The same function, which looks up what it has answered before. */
export function memo<Value>(answer: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = answer(text)
    if (known.size < most && text.length <= longest) known.set(text, value)
    return value
  }
}
