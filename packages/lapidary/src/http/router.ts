/** Finds the operations of a path: a trie of segments, where a literal wins over a capture, whatever the order of declaration. */
import { percentDecode } from './percentEncoding.ts'
import type { Segment } from './route.ts'

interface RouterNode<Leaf> {
  readonly literals: Map<string, RouterNode<Leaf>>
  capture: RouterNode<Leaf> | undefined
  leaf: Leaf | undefined
}

/** A leaf, and the texts of the captures on the way to it, decoded. */
export interface RouteMatch<Leaf> {
  readonly leaf: Leaf
  readonly captures: readonly string[]
}

/** The routes of one API. */
export interface Router<Leaf> {
  /** The leaf at these segments, made by `make` when there is none yet. Captures are told apart by their place, not by their name. */
  readonly getOrInsert: (segments: readonly Segment[], make: () => Leaf) => Leaf
  /** The leaf of a path (without its query); undefined where there is none. The path must be decodable. */
  readonly find: (path: string) => RouteMatch<Leaf> | undefined
  /** The deepest leaf whose literal segments the path starts with, and how much of the path they take. */
  readonly findPrefix: (path: string) => { readonly leaf: Leaf; readonly length: number } | undefined
}

const createRouterNode = <Leaf>(): RouterNode<Leaf> => ({ literals: new Map(), capture: undefined, leaf: undefined })

const noCaptures: readonly string[] = Object.freeze([])

/** The leaf under `here` for the segments of `path` from `start` to `end`; captures are collected on the way. */
function findLeaf<Leaf>(here: RouterNode<Leaf>, path: string, start: number, end: number, captures: string[]): Leaf | undefined {
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
export function createRouter<Leaf>(): Router<Leaf> {
  const root = createRouterNode<Leaf>()
  /** Paths without a capture, found in one look. */
  const literals = new Map<string, RouteMatch<Leaf>>()

  function at(segments: readonly Segment[], make: () => Leaf): Leaf {
    let here = root
    for (const segment of segments) {
      if ('capture' in segment) {
        here.capture ??= createRouterNode()
        here = here.capture
      } else {
        const next = here.literals.get(segment.literal) ?? createRouterNode<Leaf>()
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

  function find(path: string): RouteMatch<Leaf> | undefined {
    // Literals stand here decoded; a path that is not is taken apart first.
    const known = path.includes('%') ? undefined : literals.get(path)
    if (known !== undefined) return known
    if (path === '/' || path.charCodeAt(0) !== 0x2f) return undefined
    const captures: string[] = []
    // One slash at the end is accepted everywhere.
    const end = path.charCodeAt(path.length - 1) === 0x2f ? path.length - 1 : path.length
    const leaf = findLeaf(root, path, 1, end, captures)
    return leaf === undefined ? undefined : { leaf, captures }
  }

  function findPrefix(path: string): { readonly leaf: Leaf; readonly length: number } | undefined {
    let here: RouterNode<Leaf> | undefined = root
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
