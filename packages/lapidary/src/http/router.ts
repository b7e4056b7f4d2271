/** A router: a trie of segments. A literal takes precedence over a capture, and that over a rest, whichever was declared first. */
import { percentDecode } from './percentEncoding.ts'
import type { Segment } from './route.ts'

interface RouterNode<Leaf> {
  readonly literals: Map<string, RouterNode<Leaf>>
  capture: RouterNode<Leaf> | undefined
  /** The leaf for all further segments. */
  rest: Leaf | undefined
  leaf: Leaf | undefined
}

/** A leaf, and the decoded texts of the captures on the path to it. That of a rest is undefined where no link has it. */
interface RouteMatch<Leaf> {
  readonly leaf: Leaf
  readonly captures: readonly (string | undefined)[]
}

/** The leaves of routes. */
export interface Router<Leaf> {
  /** The leaf of a route; `create` makes it where there is none. Captures differ by their position, not by their name. */
  readonly getOrInsert: (segments: readonly Segment[], create: () => Leaf) => Leaf
  /** The leaf of a path without its query, which must be valid percent-encoding; undefined where there is none. */
  readonly find: (path: string) => RouteMatch<Leaf> | undefined
  /** The leaf of the longest route of literals that is a prefix of the path, and the length of that prefix. */
  readonly findPrefix: (path: string) => { readonly leaf: Leaf; readonly length: number } | undefined
}

const createRouterNode = <Leaf>(): RouterNode<Leaf> => ({ literals: new Map(), capture: undefined, rest: undefined, leaf: undefined })

const noCaptures: readonly string[] = Object.freeze([])

/**
 * The decoded text of a rest. Undefined where a segment contains an encoded slash, which the text could not tell from a separator, and
 * where one is `.` or `..`, which leads out of the path when it is resolved.
 */
function decodeRest(rest: string): string | undefined {
  const text = /%2f/i.test(rest) ? undefined : percentDecode(rest)
  return text === undefined || /(?:^|\/)\.\.?(?:\/|$)/.test(text) ? undefined : text
}

/**
 * The leaf below a node for the segments of `path` from `start` to `end`, none of which is empty; it collects the captures. `end` is that of
 * the path, or its last slash: no slash comes after it.
 */
function findLeaf<Leaf>(
  node: RouterNode<Leaf>,
  path: string,
  start: number,
  end: number,
  captures: (string | undefined)[],
): Leaf | undefined {
  const slash = path.indexOf('/', start)
  const stop = slash < 0 ? end : slash
  const segment = percentDecode(path.slice(start, stop)) ?? ''
  const literal = node.literals.get(segment)
  if (literal !== undefined) {
    const leaf = stop === end ? literal.leaf : findLeaf(literal, path, stop + 1, end, captures)
    if (leaf !== undefined) return leaf
  }
  if (node.capture !== undefined) {
    captures.push(segment)
    const leaf = stop === end ? node.capture.leaf : findLeaf(node.capture, path, stop + 1, end, captures)
    if (leaf !== undefined) return leaf
    captures.pop()
  }
  if (node.rest !== undefined) captures.push(decodeRest(path.slice(start, end)))
  return node.rest
}

/** Makes an empty router. */
export function createRouter<Leaf>(): Router<Leaf> {
  const root = createRouterNode<Leaf>()
  /** The leaves of routes without captures, by path. */
  const literals = new Map<string, RouteMatch<Leaf>>()

  function getOrInsert(segments: readonly Segment[], create: () => Leaf): Leaf {
    let node = root
    for (const segment of segments) {
      if ('capture' in segment) {
        if (segment.rest) {
          node.rest ??= create()
          return node.rest
        }
        node.capture ??= createRouterNode()
        node = node.capture
      } else {
        const next = node.literals.get(segment.literal) ?? createRouterNode<Leaf>()
        node.literals.set(segment.literal, next)
        node = next
      }
    }
    node.leaf ??= create()
    if (segments.every((segment) => 'literal' in segment)) {
      const path = `/${segments.map((segment) => ('literal' in segment ? segment.literal : '')).join('/')}`
      literals.set(path, { leaf: node.leaf, captures: noCaptures })
    }
    return node.leaf
  }

  function find(path: string): RouteMatch<Leaf> | undefined {
    // The paths in this map are decoded; an encoded path goes through the trie.
    const literal = path.includes('%') ? undefined : literals.get(path)
    if (literal !== undefined) return literal
    // An empty segment matches nothing.
    if (path === '/' || path.charCodeAt(0) !== 0x2f || path.includes('//')) return undefined
    const captures: (string | undefined)[] = []
    // One trailing slash is accepted at every path.
    const end = path.charCodeAt(path.length - 1) === 0x2f ? path.length - 1 : path.length
    const leaf = findLeaf(root, path, 1, end, captures)
    return leaf === undefined ? undefined : { leaf, captures }
  }

  function findPrefix(path: string): { readonly leaf: Leaf; readonly length: number } | undefined {
    let node: RouterNode<Leaf> | undefined = root
    let best = root.leaf === undefined ? undefined : { leaf: root.leaf, length: 0 }
    for (let start = 1; node !== undefined && start <= path.length; ) {
      const slash = path.indexOf('/', start)
      const stop = slash < 0 ? path.length : slash
      node = node.literals.get(percentDecode(path.slice(start, stop)) ?? '')
      if (node?.leaf !== undefined) best = { leaf: node.leaf, length: stop }
      start = stop + 1
    }
    return best
  }

  return Object.freeze({ getOrInsert, find, findPrefix })
}
