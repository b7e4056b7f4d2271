/** Which endpoint of a description takes a request, by its method and its path. */
import type { Segment } from 'lapidary'
import { parsePath, percentDecode } from 'lapidary/internal'
import { getOwn } from './change.ts'
import type { ApiManifest, EndpointManifest } from './manifest.ts'
import { spendSteps } from './subschema/budget.ts'
import { canReadText } from './textValues.ts'

interface ServedPath {
  readonly endpoint: EndpointManifest
  readonly segments: readonly Segment[]
}

const servedPaths = new WeakMap<ApiManifest, ReadonlyMap<string, readonly ServedPath[]>>()

/** The endpoints of each method, with their paths. */
function indexPaths(api: ApiManifest): ReadonlyMap<string, readonly ServedPath[]> {
  const known = servedPaths.get(api)
  if (known !== undefined) return known
  const index = new Map<string, ServedPath[]>()
  for (const endpoint of Object.values(api.endpoints)) {
    const paths = index.get(endpoint.method) ?? []
    paths.push({ endpoint, segments: parsePath(endpoint.path) ?? [] })
    index.set(endpoint.method, paths)
  }
  servedPaths.set(api, index)
  return index
}

/** Whether the literals and the number of segments fit. */
function hasForm(segments: readonly Segment[], steps: readonly string[]): boolean {
  const last = segments.at(-1)
  const isOpen = last !== undefined && 'capture' in last && last.rest === true
  if (isOpen ? steps.length < segments.length : steps.length !== segments.length) return false
  return segments.every((segment, index) => !('literal' in segment) || segment.literal === steps[index])
}

/** How well a path fits: literals win over captures, and these over a rest. -1: a text is none of its capture. */
function scorePath({ endpoint, segments }: ServedPath, steps: readonly string[]): number {
  let score = 0
  for (const [index, segment] of segments.entries()) {
    const isLiteral = 'literal' in segment
    score = score * 3 + (isLiteral ? 2 : segment.rest ? 0 : 1)
    if (isLiteral) continue
    const text = segment.rest ? steps.slice(index).join('/') : (steps[index] ?? '')
    const schema = getOwn(endpoint.captures, segment.capture)?.schema
    if (text === '' || (schema !== undefined && !canReadText(schema, text))) return -1
  }
  return score
}

/** Finds the endpoint that takes a request; undefined where the description has none. */
export function findServingEndpoint(api: ApiManifest, method: string, path: string): EndpointManifest | undefined {
  // A slash at the end does not count for a server.
  const steps = path
    .replace(/(.)\/$/, '$1')
    .split('/')
    .slice(1)
    .map((step) => percentDecode(step) ?? step)
  const paths = indexPaths(api).get(method) ?? []
  spendSteps(1 + paths.length / 100)
  const scored = paths
    .filter(({ segments }) => hasForm(segments, steps))
    .map((served) => ({ served, score: scorePath(served, steps) }))
    .filter(({ score }) => score >= 0)
  return scored.toSorted((one, other) => other.score - one.score)[0]?.served.endpoint
}
