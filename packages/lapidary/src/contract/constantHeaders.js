/** The constant headers of a path: for answers that belong to it, and to none of its endpoints. */
import { isHeaderValue } from '../http/headerFields.js'
/** The constant headers of these endpoints, flat: name, value. One to which they give different values is left out: none of them is being answered. */
export function collectConstantHeaders(endpoints) {
  const found = new Map()
  for (const { responseHeaders: always } of endpoints) {
    for (const [name, value] of Object.entries(always)) {
      const lower = name.toLowerCase()
      const known = found.get(lower)
      found.set(lower, !found.has(lower) || known?.[1] === value ? (known ?? [name, value]) : undefined)
    }
  }
  // What cannot be sent is told when its endpoint answers.
  return Object.freeze([...found.values()].flatMap((header) => (header !== undefined && isHeaderValue(header[1]) ? header : [])))
}
