/** `diff(old, new)`: the changes from one API to another, and which programs they break. */

import type { Segment } from 'lapidary'
import { getPathShape, parsePath } from 'lapidary/internal'
import {
  type Age,
  breakingJudgement,
  type Change,
  createFinding,
  type Finding,
  getOwn,
  type Judge,
  listNames,
  safeJudgement,
  unknownJudgement,
} from './change.ts'
import * as reason from './diffMessages.ts'
import { compareEndpoints } from './endpointChanges.ts'
import { type ApiManifest, checkManifest, type EndpointManifest } from './manifest.ts'
import { canReadText } from './parameterChanges.ts'
import { limitTotalSteps } from './subschema/budget.ts'

/** The most steps of a whole comparison: some seconds. */
const maxDiffSteps = 2_000_000

interface EndpointEntry {
  readonly name: string
  readonly endpoint: EndpointManifest
}

const listNamedEndpoints = ({ endpoints }: ApiManifest): readonly EndpointEntry[] =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ name, endpoint }))

const formatRoute = ({ method, path }: EndpointManifest): string => `${method} ${path}`
/** Paths that were parsed before: each path is compared with each other one. */
const segmentCache = new WeakMap<EndpointManifest, readonly Segment[]>()
function getSegments(endpoint: EndpointManifest): readonly Segment[] {
  const found = segmentCache.get(endpoint) ?? parsePath(endpoint.path) ?? []
  segmentCache.set(endpoint, found)
  return found
}

/** The first endpoint of each shape. */
function indexByShape(all: readonly EndpointEntry[]): ReadonlyMap<string, EndpointEntry> {
  return new Map(all.toReversed().map((one) => [getRouteShape(one.endpoint), one]))
}

const getManifestShape = (endpoint: EndpointManifest): string => getPathShape(getSegments(endpoint))
const getRouteShape = (endpoint: EndpointManifest): string => `${endpoint.method} ${getManifestShape(endpoint)}`

/** An endpoint in both descriptions, or in one of them. */
interface EndpointPair {
  readonly old: EndpointEntry | undefined
  readonly now: EndpointEntry | undefined
}

/** Pairs endpoints by route, not by name: a client calls by the route. The rest is paired by name. */
function pairEndpoints(old: readonly EndpointEntry[], now: readonly EndpointEntry[]): readonly EndpointPair[] {
  const shapes = indexByShape(now)
  const atRoute = old.map((one) => ({ old: one, now: shapes.get(getRouteShape(one.endpoint)) }))
  const met = new Set(atRoute.map((pair) => pair.now))
  const free = now.filter((other) => !met.has(other))
  const names = new Map(free.map((other) => [other.name, other]))
  const all = atRoute.map((pair) => ({ ...pair, now: pair.now ?? names.get(pair.old.name) }))
  const taken = new Set(all.map((pair) => pair.now))
  return [...all, ...now.filter((other) => !taken.has(other)).map((other) => ({ old: undefined, now: other }))]
}

type MaybeRoute = string | undefined

const judgeRoute: Judge<MaybeRoute> = (caller, server, sides) => {
  if (caller === undefined) return safeJudgement(reason.noCaller(sides))
  return breakingJudgement(server === undefined ? reason.noEndpoint(sides, caller) : reason.routeMoved(sides, caller, server))
}

const judgeName: Judge<string> = (caller, server, { caller: age }) =>
  safeJudgement(age === 'old' ? reason.onlyRenamed(caller, server) : reason.onlyRenamed(server, caller))

function comparePair({ old, now }: EndpointPair): readonly Finding[] {
  const [one, other] = [old && formatRoute(old.endpoint), now && formatRoute(now.endpoint)]
  if (old === undefined || now === undefined) return [createFinding('', old === undefined ? 'added' : 'removed', one, other, judgeRoute)]
  if (getRouteShape(old.endpoint) !== getRouteShape(now.endpoint)) return [createFinding('route', 'moved', one, other, judgeRoute)]
  const names = old.name === now.name ? [] : [createFinding('name', 'renamed', old.name, now.name, judgeName)]
  return [...names, ...compareEndpoints(old.endpoint, now.endpoint)]
}

/** Whether a path takes requests of another one: where the other has captures it has literals, and the captures read these. */
function isShadowing(path: EndpointManifest, other: EndpointManifest): boolean {
  const [literal, captured] = [getSegments(path), getSegments(other)]
  if (literal.length !== captured.length || !captured.some((segment) => 'capture' in segment)) return false
  return captured.every((segment, index) => {
    const counterpart = literal[index]
    if (counterpart === undefined) return false
    if ('literal' in segment) return 'literal' in counterpart && counterpart.literal === segment.literal
    const parameter = getOwn(other.captures, segment.capture)
    return 'capture' in counterpart || parameter === undefined || canReadText(parameter.schema, counterpart.literal)
  })
}

/** Paths that only the servers have, and that win over captures of the callers. */
function findShadowedPaths(calling: readonly EndpointEntry[], answering: readonly EndpointEntry[], caller: Age): readonly Change[] {
  const known = new Set(calling.map(({ endpoint }) => getManifestShape(endpoint)))
  const shapes = indexByShape(answering)
  const fresh = answering.filter(({ endpoint }) => !known.has(getManifestShape(endpoint)))
  return calling.flatMap((one): readonly Change[] => {
    const met = shapes.get(getRouteShape(one.endpoint))
    const blocking = met && fresh.find((other) => isShadowing(other.endpoint, one.endpoint))
    if (met === undefined || blocking === undefined) return []
    const judge: Judge<undefined> = (_, __, sides) =>
      (sides.caller === caller ? unknownJudgement : safeJudgement)(reason.pathShadowed(sides, blocking.endpoint.path, blocking.name))
    return [{ endpoint: caller === 'old' ? met.name : one.name, ...createFinding('path', 'changed', undefined, undefined, judge) }]
  })
}

function compareMounts(old: ApiManifest['mounts'], now: ApiManifest['mounts']): readonly Change[] {
  const nameAt = (mounts: ApiManifest['mounts'], prefix: string): string | undefined =>
    Object.entries(mounts).find(([, one]) => one === prefix)?.[0]
  return listNames(indexMountPrefixes(old), indexMountPrefixes(now)).flatMap((prefix): readonly Change[] => {
    const [one, other] = [nameAt(old, prefix), nameAt(now, prefix)]
    if (one !== undefined && other !== undefined)
      return one === other ? [] : [{ endpoint: other, ...createFinding('name', 'renamed', one, other, judgeName) }]
    const route = `everything under ${prefix}`
    const found = createFinding<MaybeRoute>('', one === undefined ? 'added' : 'removed', one && route, other && route, judgeRoute)
    return [{ endpoint: other ?? one ?? '', ...found }]
  })
}

const indexMountPrefixes = (mounts: ApiManifest['mounts']): object =>
  Object.fromEntries(Object.values(mounts).map((prefix) => [prefix, true]))

/** Sorts changes by endpoint, so that the order of the descriptions does not matter. */
const orderByEndpoint = (one: Change, other: Change): number =>
  one.endpoint === other.endpoint ? 0 : one.endpoint < other.endpoint ? -1 : 1

/**
 * Compares two APIs. The changes are sorted by endpoint; there are none where the APIs are the same on the wire, such as in another order of declaration.
 *
 * `clients` tells what a change does to programs of the old description that call a server of the new one. `servers` tells what it does to programs of
 * the new description that call a server of the old one, which happens where clients are released first. A change is safe where requests may be more and
 * responses may be less than before. It is `unknown` where the descriptions do not tell, or where the comparison would take too long.
 *
 * @param old the manifest of the old API
 * @param now the manifest of the new API
 * @throws TypeError for a value that is no manifest, or one of more than 5,000 endpoints, 2,000,000 values or 200 levels
 * @example
 * const breaking = diff(manifest(oldApi), manifest(newApi)).filter(({ clients }) => clients === 'breaking')
 */
export const diff = (old: ApiManifest, now: ApiManifest): readonly Change[] =>
  limitTotalSteps(maxDiffSteps, () => compareApis(checkManifest(old), checkManifest(now)))

function compareApis(old: ApiManifest, now: ApiManifest): readonly Change[] {
  const [before, after] = [listNamedEndpoints(old), listNamedEndpoints(now)]
  const changes = pairEndpoints(before, after).flatMap((pair) => {
    const endpoint = pair.now?.name ?? pair.old?.name ?? ''
    return comparePair(pair).map((found): Change => ({ endpoint, ...found }))
  })
  return [
    ...changes,
    ...findShadowedPaths(before, after, 'old'),
    ...findShadowedPaths(after, before, 'new'),
    ...compareMounts(old.mounts, now.mounts),
  ].sort(orderByEndpoint)
}
