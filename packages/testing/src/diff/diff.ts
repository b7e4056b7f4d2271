/** `diff(old, new)`: the changes from one API to another, and which programs they break. */
import type { Segment } from 'lapidary'
import { getPathShape, getRestName, parsePath } from 'lapidary/internal'
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
import type { ApiManifest, EndpointManifest } from './manifest.ts'
import { checkManifest } from './manifestCheck.ts'
import { limitTotalSteps } from './subschema/budget.ts'
import { canReadText } from './textValues.ts'
import { ComparisonTimeoutError, runWithTimeLimit } from './timeLimit.ts'
import { compareWebhooks } from './webhookChanges.ts'
import { type JudgedChange, toChanges, toUnshownChange } from './witness/createWitness.ts'

/** The most steps of a whole comparison: some seconds. */
const maxDiffSteps = 2_000_000
/** The longest time of a whole comparison, in milliseconds. Its steps end it sooner, unless one is a pattern that backtracks for ever. */
const maxDiffTime = 60_000

interface EndpointEntry {
  readonly name: string
  readonly endpoint: EndpointManifest
}

const listNamedEndpoints = ({ endpoints }: ApiManifest): readonly EndpointEntry[] =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ name, endpoint }))

const formatRoute = ({ method, path }: EndpointManifest): string => `${method} ${path}`

/** A cache, since each path is compared with each other one. */
const segmentCache = new WeakMap<EndpointManifest, readonly Segment[]>()
function getSegments(endpoint: EndpointManifest): readonly Segment[] {
  const found = segmentCache.get(endpoint) ?? parsePath(endpoint.path) ?? []
  segmentCache.set(endpoint, found)
  return found
}

const getManifestShape = (endpoint: EndpointManifest): string => getPathShape(getSegments(endpoint))
const getRouteShape = (endpoint: EndpointManifest): string => `${endpoint.method} ${getManifestShape(endpoint)}`

/** The first endpoint of each shape. */
function indexByShape(all: readonly EndpointEntry[]): ReadonlyMap<string, EndpointEntry> {
  return new Map(all.toReversed().map((one) => [getRouteShape(one.endpoint), one]))
}

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

/** @param wasDeprecated whether the old endpoint was: that it is gone breaks its clients, but does not surprise them. */
const judgeRoute =
  (wasDeprecated = false): Judge<MaybeRoute> =>
  (caller, server, sides) => {
    if (caller === undefined) return safeJudgement(reason.noCaller(sides))
    if (server !== undefined) return breakingJudgement(reason.routeMoved(sides, caller, server))
    return breakingJudgement(reason.noEndpoint(sides, caller, wasDeprecated))
  }

const judgeName: Judge<string> = (caller, server, { caller: age }) =>
  safeJudgement(age === 'old' ? reason.onlyRenamed(caller, server) : reason.onlyRenamed(server, caller))

/** A server of the toolkit takes both paths, and others redirect a request or have nothing there. */
const judgeSlash: Judge<MaybeRoute> = (caller, server, sides) => unknownJudgement(reason.slashMoved(sides, caller ?? '', server ?? ''))

/** Whether two paths differ only in their ends: a capture of one segment in the one, a rest in the other. */
function isWidened(single: EndpointManifest, rest: EndpointManifest): boolean {
  const [one, other] = [getSegments(single), getSegments(rest)]
  const isSingle = one.length === other.length && getRestName(other) !== undefined && getRestName(one) === undefined
  return (
    isSingle &&
    single.method === rest.method &&
    'capture' in (one.at(-1) ?? {}) &&
    getPathShape(one.slice(0, -1)) === getPathShape(other.slice(0, -1))
  )
}

/** A rest reads one segment as a capture does, unless it contains an encoded slash. */
function judgeWidenedRoute(single: EndpointManifest, wide: Age): Judge<MaybeRoute> {
  const schema = Object.values(single.captures).at(-1)?.schema
  const judgeSegment = schema?.type === 'string' && schema.enum === undefined ? unknownJudgement : safeJudgement
  return (caller, server, sides) => (sides.caller === wide ? judgeRoute()(caller, server, sides) : judgeSegment(reason.routeWidened(sides)))
}

function comparePair({ old, now }: EndpointPair): readonly Finding[] {
  const [one, other] = [old && formatRoute(old.endpoint), now && formatRoute(now.endpoint)]
  if (old === undefined) return [createFinding('', 'added', one, other, judgeRoute())]
  if (now === undefined) return [createFinding('', 'removed', one, other, judgeRoute(old.endpoint.deprecated !== null))]
  const judgeWidened = isWidened(old.endpoint, now.endpoint)
    ? judgeWidenedRoute(old.endpoint, 'new')
    : isWidened(now.endpoint, old.endpoint)
      ? judgeWidenedRoute(now.endpoint, 'old')
      : undefined
  if (judgeWidened !== undefined)
    return [createFinding('route', 'changed', one, other, judgeWidened), ...compareEndpoints(old.endpoint, now.endpoint)]
  if (getRouteShape(old.endpoint) !== getRouteShape(now.endpoint)) return [createFinding('route', 'moved', one, other, judgeRoute())]
  const isSlashMoved = old.endpoint.path.endsWith('/') !== now.endpoint.path.endsWith('/')
  const slash = isSlashMoved ? [createFinding('route', 'changed', one, other, judgeSlash)] : []
  const names = old.name === now.name ? [] : [createFinding('name', 'renamed', old.name, now.name, judgeName)]
  return [...slash, ...names, ...compareEndpoints(old.endpoint, now.endpoint)]
}

/**
 * Whether a path takes requests of another one: where the other has captures, it has captures too, or literals that these read. A literal
 * wins over a capture, and that over a rest.
 */
function isShadowing(path: EndpointManifest, other: EndpointManifest): boolean {
  const [taking, taken] = [getSegments(path), getSegments(other)]
  let isPreferred = false
  for (const [index, segment] of taken.entries()) {
    const counterpart = taking[index]
    if (counterpart === undefined) return false
    if ('literal' in counterpart) {
      if ('literal' in segment && counterpart.literal !== segment.literal) return false
      isPreferred ||= 'capture' in segment
    } else {
      if ('literal' in segment) return false
      if (counterpart.rest) return isPreferred && taken.slice(index).every((one) => 'capture' in one)
    }
    if ('literal' in segment) continue
    const parameter = getOwn(other.captures, segment.capture)
    const texts = (segment.rest ? taking.slice(index) : [counterpart]).map((one) => ('literal' in one ? one.literal : undefined))
    if (parameter !== undefined && !texts.includes(undefined) && !canReadText(parameter.schema, texts.join('/'))) return false
    if (segment.rest) return true
  }
  return taking.length === taken.length
}

/** Paths that only the servers have, and that win over captures of the callers. */
function findShadowedPaths(calling: readonly EndpointEntry[], serving: readonly EndpointEntry[], caller: Age): readonly JudgedChange[] {
  const known = new Set(calling.map(({ endpoint }) => getManifestShape(endpoint)))
  const shapes = indexByShape(serving)
  const fresh = serving.filter(({ endpoint }) => !known.has(getManifestShape(endpoint)))
  return calling.flatMap((one): readonly JudgedChange[] => {
    const met = shapes.get(getRouteShape(one.endpoint))
    const blocking = met && fresh.find((other) => isShadowing(other.endpoint, one.endpoint))
    if (met === undefined || blocking === undefined) return []
    const judge: Judge<undefined> = (_, __, sides) =>
      (sides.caller === caller ? unknownJudgement : safeJudgement)(reason.pathShadowed(sides, blocking.endpoint.path, blocking.name))
    return [{ endpoint: caller === 'old' ? met.name : one.name, finding: createFinding('path', 'changed', undefined, undefined, judge) }]
  })
}

const indexMountPrefixes = (mounts: ApiManifest['mounts']): object =>
  Object.fromEntries(Object.values(mounts).map((prefix) => [prefix, true]))

function compareMounts(old: ApiManifest['mounts'], now: ApiManifest['mounts']): readonly JudgedChange[] {
  const nameAt = (mounts: ApiManifest['mounts'], prefix: string): string | undefined =>
    Object.entries(mounts).find(([, one]) => one === prefix)?.[0]
  return listNames(indexMountPrefixes(old), indexMountPrefixes(now)).flatMap((prefix): readonly JudgedChange[] => {
    const [one, other] = [nameAt(old, prefix), nameAt(now, prefix)]
    if (one !== undefined && other !== undefined)
      return one === other ? [] : [{ endpoint: other, finding: createFinding('name', 'renamed', one, other, judgeName) }]
    const route = `everything under ${prefix}`
    const found = createFinding<MaybeRoute>('', one === undefined ? 'added' : 'removed', one && route, other && route, judgeRoute())
    return [{ endpoint: other ?? one ?? '', finding: found }]
  })
}

/** Sorts changes by endpoint, so that the order of the descriptions does not matter. */
const orderByEndpoint = (one: JudgedChange, other: JudgedChange): number =>
  one.endpoint === other.endpoint ? 0 : one.endpoint < other.endpoint ? -1 : 1

/**
 * Compares two APIs. The changes are sorted by endpoint; there are none where the APIs are the same on the wire, such as in another order
 * of declaration.
 *
 * `clients` tells what a change does to programs of the old description that call a server of the new one. `servers` tells what it does to
 * programs of the new description that call a server of the old one, which happens where clients are released first. A change is safe where
 * requests may be more and responses may be less than before. It is `unknown` where the descriptions do not tell, or where the comparison
 * would take too long.
 *
 * With a webhook, the directions are reversed: `clients` receive it, and `servers` send it. A new member of its body is safe for old
 * receivers, and one that is gone breaks them.
 *
 * @param old the manifest of the old API
 * @param now the manifest of the new API
 * @throws TypeError for a value that is no manifest, or one of more than 5,000 endpoints, 2,000,000 values or 200 levels; Error after a
 * minute, which happens only if a regular expression backtracks without end
 * @example
 * ```ts
 * import { diff, manifest } from '@lapidary/testing'
 * import { endpoint, ok, text } from 'lapidary'
 *
 * const old = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const now = { hello: endpoint('GET /greeting', { response: ok(text) }) }
 * const breaking = diff(manifest(old), manifest(now)).filter(({ clients }) => clients === 'breaking')
 * ```
 */
export const diff = (old: ApiManifest, now: ApiManifest): readonly Change[] => diffWithin(maxDiffTime, old, now)

/** As `diff`, within so many milliseconds. */
export function diffWithin(milliseconds: number, old: ApiManifest, now: ApiManifest): readonly Change[] {
  const [before, after] = [checkManifest(old), checkManifest(now)]
  // The limit of steps is outside, since it cleans up after a comparison that was stopped.
  const judged = limitTotalSteps(maxDiffSteps, () => runWithTimeLimit(milliseconds, () => compareApis(before, after)))
  try {
    return limitTotalSteps(maxDiffSteps, () => runWithTimeLimit(milliseconds, () => toChanges(judged)))
  } catch (error) {
    if (!(error instanceof ComparisonTimeoutError)) throw error
    // What is judged is known, and a witness only shows it.
    return judged.map(toUnshownChange)
  }
}

function compareApis(old: ApiManifest, now: ApiManifest): readonly JudgedChange[] {
  const [before, after] = [listNamedEndpoints(old), listNamedEndpoints(now)]
  const changes = pairEndpoints(before, after).flatMap((pair) => {
    const endpoint = pair.now?.name ?? pair.old?.name ?? ''
    const versions = { old: pair.old?.endpoint, now: pair.now?.endpoint, before: old, after: now }
    return comparePair(pair).map((finding): JudgedChange => ({ endpoint, finding, versions }))
  })
  return [
    ...changes,
    ...findShadowedPaths(before, after, 'old'),
    ...findShadowedPaths(after, before, 'new'),
    ...compareMounts(old.mounts, now.mounts),
    ...compareWebhooks(old.webhooks, now.webhooks),
  ].sort(orderByEndpoint)
}
