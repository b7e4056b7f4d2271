/** How deep the values of a document are: a value that contains itself has no end. */
import { encodePointerStep } from 'lapidary/internal'

/** How many values may stand within one another: each reader of a document calls itself for each. */
export const maxDepth = 500

/** The first names that lead to a value that is too deep; undefined where there is none. */
export function findDeepPlace(root: unknown): string | undefined {
  // A value that stands at several places, by aliases of YAML, is in a level once.
  let level = new Map<unknown, string>([[root, '']])
  for (let depth = 0; level.size > 0; depth += 1) {
    const next = new Map<unknown, string>()
    for (const [value, place] of level) {
      if (typeof value !== 'object' || value === null) continue
      if (depth > maxDepth) return place
      for (const [name, member] of Object.entries(value)) next.set(member, depth < 5 ? place + encodePointerStep(name) : place)
    }
    level = next
  }
  return undefined
}
