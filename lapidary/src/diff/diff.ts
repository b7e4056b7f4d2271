/** `diff(old, new)`: what became of an API, and which programs break by it. */
import { type Segment, segmentsOf, shapeOf } from '../describe/route.ts'
import { type Age, breaking, type Change, type Finding, finding, type Judge, namesOf, own, safe, unknown } from './change.ts'
import { checkedManifest } from './checkedManifest.ts'
import { endpointChanges } from './endpointChanges.ts'
import type { ApiManifest, EndpointManifest } from './manifest.ts'
import { reads } from './parameterChanges.ts'
import * as reason from './reason.ts'
import { boundedInAll } from './work.ts'

/** What all of a comparison may cost: some seconds. */
const steps = 2_000_000

interface Named {
  readonly name: string
  readonly endpoint: EndpointManifest
}

const namedIn = ({ endpoints }: ApiManifest): readonly Named[] => Object.entries(endpoints).map(([name, endpoint]) => ({ name, endpoint }))

const routeOf = ({ method, path }: EndpointManifest): string => `${method} ${path}`
/** Taken apart once: each path is held against each other one. */
const segments = new WeakMap<EndpointManifest, readonly Segment[]>()
function segmentsIn(endpoint: EndpointManifest): readonly Segment[] {
  const found = segments.get(endpoint) ?? segmentsOf(endpoint.path) ?? []
  segments.set(endpoint, found)
  return found
}

/** The first of each shape. */
function byShape(all: readonly Named[]): ReadonlyMap<string, Named> {
  return new Map(all.toReversed().map((one) => [shape(one.endpoint), one]))
}

const pathShape = (endpoint: EndpointManifest): string => shapeOf(segmentsIn(endpoint))
const shape = (endpoint: EndpointManifest): string => `${endpoint.method} ${pathShape(endpoint)}`

/** Both, or one of them. */
interface Pair {
  readonly old: Named | undefined
  readonly now: Named | undefined
}

/** A client calls by the route: endpoints at one route are one, whatever they are called. Of the rest, those of one name are. */
function pairs(old: readonly Named[], now: readonly Named[]): readonly Pair[] {
  const shapes = byShape(now)
  const atRoute = old.map((one) => ({ old: one, now: shapes.get(shape(one.endpoint)) }))
  const met = new Set(atRoute.map((pair) => pair.now))
  const free = now.filter((other) => !met.has(other))
  const names = new Map(free.map((other) => [other.name, other]))
  const all = atRoute.map((pair) => ({ ...pair, now: pair.now ?? names.get(pair.old.name) }))
  const taken = new Set(all.map((pair) => pair.now))
  return [...all, ...now.filter((other) => !taken.has(other)).map((other) => ({ old: undefined, now: other }))]
}

type Route = string | undefined

const judgeRoute: Judge<Route> = (caller, server, sides) => {
  if (caller === undefined) return safe(reason.nobodyCalls(sides))
  return breaking(server === undefined ? reason.noEndpoint(sides, caller) : reason.moved(sides, caller, server))
}

const judgeName: Judge<string> = (caller, server, { caller: age }) =>
  safe(age === 'old' ? reason.renamed(caller, server) : reason.renamed(server, caller))

function pairChanges({ old, now }: Pair): readonly Finding[] {
  const [one, other] = [old && routeOf(old.endpoint), now && routeOf(now.endpoint)]
  if (old === undefined || now === undefined) return [finding('', old === undefined ? 'added' : 'removed', one, other, judgeRoute)]
  if (shape(old.endpoint) !== shape(now.endpoint)) return [finding('route', 'moved', one, other, judgeRoute)]
  const names = old.name === now.name ? [] : [finding('name', 'renamed', old.name, now.name, judgeName)]
  return [...names, ...endpointChanges(old.endpoint, now.endpoint)]
}

/** Whether a path stands in the way of another: where that one has captures it has literals, and one that the captures read. */
function isInTheWay(path: EndpointManifest, of: EndpointManifest): boolean {
  const [literal, captured] = [segmentsIn(path), segmentsIn(of)]
  if (literal.length !== captured.length || !captured.some((segment) => 'capture' in segment)) return false
  return captured.every((segment, index) => {
    const other = literal[index]
    if (other === undefined) return false
    if ('literal' in segment) return 'literal' in other && other.literal === segment.literal
    const parameter = own(of.captures, segment.capture)
    return 'capture' in other || parameter === undefined || reads(parameter.schema, other.literal)
  })
}

/** Paths that only those who answer have, and that win over captures of those who call. */
function shadowed(calling: readonly Named[], answering: readonly Named[], caller: Age): readonly Change[] {
  const known = new Set(calling.map(({ endpoint }) => pathShape(endpoint)))
  const shapes = byShape(answering)
  const fresh = answering.filter(({ endpoint }) => !known.has(pathShape(endpoint)))
  return calling.flatMap((one): readonly Change[] => {
    const met = shapes.get(shape(one.endpoint))
    const blocking = met && fresh.find((other) => isInTheWay(other.endpoint, one.endpoint))
    if (met === undefined || blocking === undefined) return []
    const judge: Judge<undefined> = (_, __, sides) =>
      (sides.caller === caller ? unknown : safe)(reason.shadowed(sides, blocking.endpoint.path, blocking.name))
    return [{ endpoint: caller === 'old' ? met.name : one.name, ...finding('path', 'changed', undefined, undefined, judge) }]
  })
}

function mountChanges(old: ApiManifest['mounts'], now: ApiManifest['mounts']): readonly Change[] {
  const nameAt = (mounts: ApiManifest['mounts'], prefix: string): string | undefined =>
    Object.entries(mounts).find(([, one]) => one === prefix)?.[0]
  return namesOf(inverted(old), inverted(now)).flatMap((prefix): readonly Change[] => {
    const [one, other] = [nameAt(old, prefix), nameAt(now, prefix)]
    if (one !== undefined && other !== undefined)
      return one === other ? [] : [{ endpoint: other, ...finding('name', 'renamed', one, other, judgeName) }]
    const route = `everything under ${prefix}`
    const found = finding<Route>('', one === undefined ? 'added' : 'removed', one && route, other && route, judgeRoute)
    return [{ endpoint: other ?? one ?? '', ...found }]
  })
}

const inverted = (mounts: ApiManifest['mounts']): object => Object.fromEntries(Object.values(mounts).map((prefix) => [prefix, true]))

/** In one order, whatever the order of the descriptions. */
const byPlace = (one: Change, other: Change): number => (one.endpoint === other.endpoint ? 0 : one.endpoint < other.endpoint ? -1 : 1)

/**
 * The changes from one API to another, by endpoint; none where nothing is different on the wire but what nobody sees, such as the order of declaration.
 *
 * `clients` says what becomes of programs of the old description that call a server of the new one; `servers`, of programs of the new description that
 * call a server of the old one, as they do where clients are released first. What a request may be has to become wider to be safe, what an
 * answer may be has to become narrower. What only the parts of a server that no description tells of decide is `unknown`; and so is what would take
 * too long to find out.
 *
 * @throws TypeError for what is no manifest, or has more than 5,000 endpoints, 2,000,000 values or 200 of them within each other
 */
export const diff = (old: ApiManifest, now: ApiManifest): readonly Change[] =>
  boundedInAll(steps, () => changesOf(checkedManifest(old), checkedManifest(now)))

function changesOf(old: ApiManifest, now: ApiManifest): readonly Change[] {
  const [before, after] = [namedIn(old), namedIn(now)]
  const changes = pairs(before, after).flatMap((pair) => {
    const endpoint = pair.now?.name ?? pair.old?.name ?? ''
    return pairChanges(pair).map((found): Change => ({ endpoint, ...found }))
  })
  return [...changes, ...shadowed(before, after, 'old'), ...shadowed(after, before, 'new'), ...mountChanges(old.mounts, now.mounts)].sort(
    byPlace,
  )
}
