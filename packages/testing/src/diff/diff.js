/** `diff(old, new)`: what became of an API, and which programs break by it. */
import { getPathShape, parsePath } from 'lapidary/internal'
import { breakingJudgement, createFinding, getOwn, listNames, safeJudgement, unknownJudgement } from './change.js'
import { checkManifest } from './checkManifest.js'
import * as reason from './diffMessages.js'
import { compareEndpoints } from './endpointChanges.js'
import { canReadText } from './parameterChanges.js'
import { limitTotalSteps } from './subschema/budget.js'

/** What all of a comparison may cost: some seconds. */
const maxDiffSteps = 2_000_000
const listNamedEndpoints = ({ endpoints }) => Object.entries(endpoints).map(([name, endpoint]) => ({ name, endpoint }))
const formatRoute = ({ method, path }) => `${method} ${path}`
/** Taken apart once: each path is held against each other one. */
const segmentCache = new WeakMap()
function getSegments(endpoint) {
  const found = segmentCache.get(endpoint) ?? parsePath(endpoint.path) ?? []
  segmentCache.set(endpoint, found)
  return found
}
/** The first of each shape. */
function indexByShape(all) {
  return new Map(all.toReversed().map((one) => [getRouteShape(one.endpoint), one]))
}
const getManifestShape = (endpoint) => getPathShape(getSegments(endpoint))
const getRouteShape = (endpoint) => `${endpoint.method} ${getManifestShape(endpoint)}`
/** A client calls by the route: endpoints at one route are one, whatever they are called. Of the rest, those of one name are. */
function pairEndpoints(old, now) {
  const shapes = indexByShape(now)
  const atRoute = old.map((one) => ({ old: one, now: shapes.get(getRouteShape(one.endpoint)) }))
  const met = new Set(atRoute.map((pair) => pair.now))
  const free = now.filter((other) => !met.has(other))
  const names = new Map(free.map((other) => [other.name, other]))
  const all = atRoute.map((pair) => ({ ...pair, now: pair.now ?? names.get(pair.old.name) }))
  const taken = new Set(all.map((pair) => pair.now))
  return [...all, ...now.filter((other) => !taken.has(other)).map((other) => ({ old: undefined, now: other }))]
}
const judgeRoute = (caller, server, sides) => {
  if (caller === undefined) return safeJudgement(reason.noCaller(sides))
  return breakingJudgement(server === undefined ? reason.noEndpoint(sides, caller) : reason.routeMoved(sides, caller, server))
}
const judgeName = (caller, server, { caller: age }) =>
  safeJudgement(age === 'old' ? reason.onlyRenamed(caller, server) : reason.onlyRenamed(server, caller))
function comparePair({ old, now }) {
  const [one, other] = [old && formatRoute(old.endpoint), now && formatRoute(now.endpoint)]
  if (old === undefined || now === undefined) return [createFinding('', old === undefined ? 'added' : 'removed', one, other, judgeRoute)]
  if (getRouteShape(old.endpoint) !== getRouteShape(now.endpoint)) return [createFinding('route', 'moved', one, other, judgeRoute)]
  const names = old.name === now.name ? [] : [createFinding('name', 'renamed', old.name, now.name, judgeName)]
  return [...names, ...compareEndpoints(old.endpoint, now.endpoint)]
}
/** Whether a path stands in the way of another: where that one has captures it has literals, and one that the captures read. */
function isShadowing(path, of) {
  const [literal, captured] = [getSegments(path), getSegments(of)]
  if (literal.length !== captured.length || !captured.some((segment) => 'capture' in segment)) return false
  return captured.every((segment, index) => {
    const other = literal[index]
    if (other === undefined) return false
    if ('literal' in segment) return 'literal' in other && other.literal === segment.literal
    const parameter = getOwn(of.captures, segment.capture)
    return 'capture' in other || parameter === undefined || canReadText(parameter.schema, other.literal)
  })
}
/** Paths that only those who answer have, and that win over captures of those who call. */
function findShadowedPaths(calling, answering, caller) {
  const known = new Set(calling.map(({ endpoint }) => getManifestShape(endpoint)))
  const shapes = indexByShape(answering)
  const fresh = answering.filter(({ endpoint }) => !known.has(getManifestShape(endpoint)))
  return calling.flatMap((one) => {
    const met = shapes.get(getRouteShape(one.endpoint))
    const blocking = met && fresh.find((other) => isShadowing(other.endpoint, one.endpoint))
    if (met === undefined || blocking === undefined) return []
    const judge = (_, __, sides) =>
      (sides.caller === caller ? unknownJudgement : safeJudgement)(reason.pathShadowed(sides, blocking.endpoint.path, blocking.name))
    return [{ endpoint: caller === 'old' ? met.name : one.name, ...createFinding('path', 'changed', undefined, undefined, judge) }]
  })
}
function compareMounts(old, now) {
  const nameAt = (mounts, prefix) => Object.entries(mounts).find(([, one]) => one === prefix)?.[0]
  return listNames(indexMountPrefixes(old), indexMountPrefixes(now)).flatMap((prefix) => {
    const [one, other] = [nameAt(old, prefix), nameAt(now, prefix)]
    if (one !== undefined && other !== undefined)
      return one === other ? [] : [{ endpoint: other, ...createFinding('name', 'renamed', one, other, judgeName) }]
    const route = `everything under ${prefix}`
    const found = createFinding('', one === undefined ? 'added' : 'removed', one && route, other && route, judgeRoute)
    return [{ endpoint: other ?? one ?? '', ...found }]
  })
}
const indexMountPrefixes = (mounts) => Object.fromEntries(Object.values(mounts).map((prefix) => [prefix, true]))
/** In one order, whatever the order of the descriptions. */
const orderByEndpoint = (one, other) => (one.endpoint === other.endpoint ? 0 : one.endpoint < other.endpoint ? -1 : 1)
/**
 * The changes from one API to another, by endpoint; none where nothing is different on the wire but what nobody sees, such as the order of declaration.
 *
 * `clients` says what becomes of programs of the old description that call a server of the new one; `servers`, of programs of the new description that
 * call a server of the old one, as they do where clients are released first. What a request may be has to become wider to be safe, what an
 * answer may be has to become narrower. What only the parts of a server that no description tells of decide is `unknownJudgement`; and so is what would take
 * too long to find out.
 *
 * @throws TypeError for what is no manifest, or has more than 5,000 endpoints, 2,000,000 values or 200 of them within each other
 */
export const diff = (old, now) => limitTotalSteps(maxDiffSteps, () => compareApis(checkManifest(old), checkManifest(now)))
function compareApis(old, now) {
  const [before, after] = [listNamedEndpoints(old), listNamedEndpoints(now)]
  const changes = pairEndpoints(before, after).flatMap((pair) => {
    const endpoint = pair.now?.name ?? pair.old?.name ?? ''
    return comparePair(pair).map((found) => ({ endpoint, ...found }))
  })
  return [
    ...changes,
    ...findShadowedPaths(before, after, 'old'),
    ...findShadowedPaths(after, before, 'new'),
    ...compareMounts(old.mounts, now.mounts),
  ].sort(orderByEndpoint)
}
