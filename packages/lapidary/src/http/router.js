/** Finds the operations of a path: a trie of segments, where a literal wins over a capture, whatever the order of declaration. */
import { percentDecode } from './percentEncoding.js'

const createRouterNode = () => ({ literals: new Map(), capture: undefined, leaf: undefined })
const noCaptures = Object.freeze([])
/** The leaf under `here` for the segments of `path` from `start` to `end`; captures are collected on the way. */
function findLeaf(here, path, start, end, captures) {
  const slash = path.indexOf('/', start)
  const stop = slash < 0 || slash > end ? end : slash
  // An empty segment matches nothing.
  if (stop === start) return undefined
  const segment = percentDecode(path.slice(start, stop)) ?? ''
  const literal = here.literals.get(segment)
  if (literal !== undefined) {
    const leaf = stop === end ? literal.leaf : findLeaf(literal, path, stop + 1, end, captures)
    if (leaf !== undefined) return leaf
  }
  if (here.capture === undefined) return undefined
  captures.push(segment)
  const leaf = stop === end ? here.capture.leaf : findLeaf(here.capture, path, stop + 1, end, captures)
  if (leaf === undefined) captures.pop()
  return leaf
}
/** An empty router. */
export function createRouter() {
  const root = createRouterNode()
  /** Paths without a capture, found in one look. */
  const literals = new Map()
  function at(segments, make) {
    let here = root
    for (const segment of segments) {
      if ('capture' in segment) {
        here.capture ??= createRouterNode()
        here = here.capture
      } else {
        const next = here.literals.get(segment.literal) ?? createRouterNode()
        here.literals.set(segment.literal, next)
        here = next
      }
    }
    here.leaf ??= make()
    if (segments.every((segment) => 'literal' in segment)) {
      const path = `/${segments.map((segment) => ('literal' in segment ? segment.literal : '')).join('/')}`
      literals.set(path, { leaf: here.leaf, captures: noCaptures })
    }
    return here.leaf
  }
  function find(path) {
    // Literals stand here decoded; a path that is not is taken apart first.
    const known = path.includes('%') ? undefined : literals.get(path)
    if (known !== undefined) return known
    if (path === '/' || path.charCodeAt(0) !== 0x2f) return undefined
    const captures = []
    // One slash at the end is accepted everywhere.
    const end = path.charCodeAt(path.length - 1) === 0x2f ? path.length - 1 : path.length
    const leaf = findLeaf(root, path, 1, end, captures)
    return leaf === undefined ? undefined : { leaf, captures }
  }
  function findPrefix(path) {
    let here = root
    let best = root.leaf === undefined ? undefined : { leaf: root.leaf, length: 0 }
    for (let start = 1; here !== undefined && start <= path.length; ) {
      const slash = path.indexOf('/', start)
      const stop = slash < 0 ? path.length : slash
      here = here.literals.get(percentDecode(path.slice(start, stop)) ?? '')
      if (here?.leaf !== undefined) best = { leaf: here.leaf, length: stop }
      start = stop + 1
    }
    return best
  }
  return Object.freeze({ getOrInsert: at, find, findPrefix })
}
