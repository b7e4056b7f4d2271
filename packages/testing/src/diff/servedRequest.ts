/** Which endpoint of a description takes a request, by its method and its path. */
import { parsePath, percentDecode } from 'lapidary/internal'
import { getOwn } from './change.ts'
import type { ApiManifest, EndpointManifest } from './manifest.ts'
import { canReadText } from './textValues.ts'

/** How well a path fits: literals win over captures, and these over a rest. -1: it does not fit. */
function scorePath({ path, captures }: EndpointManifest, steps: readonly string[]): number {
  const segments = parsePath(path) ?? []
  let score = 0
  for (const [index, segment] of segments.entries()) {
    const step = steps[index]
    if (step === undefined) return -1
    if ('literal' in segment) {
      if (segment.literal !== step) return -1
      score = score * 3 + 2
      continue
    }
    const parameter = getOwn(captures, segment.capture)
    if (segment.rest) return canReadText(parameter?.schema ?? {}, steps.slice(index).join('/')) ? score * 3 : -1
    if (step === '' || (parameter !== undefined && !canReadText(parameter.schema, step))) return -1
    score = score * 3 + 1
  }
  return segments.length === steps.length ? score : -1
}

/** Finds the endpoint that takes a request; undefined where the description has none. */
export function findServingEndpoint({ endpoints }: ApiManifest, method: string, path: string): EndpointManifest | undefined {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => percentDecode(step) ?? step)
  const scored = Object.values(endpoints)
    .filter((endpoint) => endpoint.method === method)
    .map((endpoint) => ({ endpoint, score: scorePath(endpoint, steps) }))
    .filter(({ score }) => score >= 0)
  return scored.toSorted((one, other) => other.score - one.score)[0]?.endpoint
}
