/** The steps of a sequence: requests that create, read, list, change and delete items, drawn by a seed. */
import * as fc from 'fast-check'
import { type AnyParameter, isParseError } from 'lapidary'
import type { Call } from '../../generate/calls.ts'
import { hashWords } from '../../mock/hash.ts'
import type { CheckRun } from '../checkRun.ts'
import type { EndpointUnderTest } from '../rule.ts'
import type { ItemFamily } from './itemFamily.ts'

export type StepKind = 'create' | 'repeat' | 'read' | 'revalidate' | 'list' | 'replace' | 'change' | 'remove'

/** Which ETag a request sends, in If-Match or in If-None-Match. */
export type Condition = 'none' | 'current' | 'earlier'

/** One request of a sequence. */
export interface Step {
  readonly kind: StepKind
  /** The item, by the number of the step that creates it. A step without its item is left out. */
  readonly item: number
  readonly call: Call
  readonly condition: Condition
  /** The connection that sends the request. */
  readonly client: number
}

/** Draws numbers by a seed. */
export interface Draw {
  /** Returns an integer from 0 to `count - 1`. */
  readonly below: (count: number) => number
  readonly pick: <Value>(values: readonly Value[]) => Value | undefined
}

export function createDraw(...words: readonly unknown[]): Draw {
  let count = 0
  const below: Draw['below'] = (limit) => {
    count += 1
    return (hashWords(...words, count) >>> 0) % Math.max(1, limit)
  }
  return { below, pick: (values) => values[below(values.length)] }
}

/** The number of calls that are sampled for an endpoint. */
const pooledCalls = 60

/** Leaves out the texts of parameters that need not be there: a query may select members, and a condition belongs to no item. */
const omitOptional = (texts: Call['query'], declared: Readonly<Record<string, AnyParameter>>): Call['query'] =>
  Object.fromEntries(
    Object.entries(texts).map(([name, given]) => {
      const absent = declared[name]?.read({ values: [], isPresent: false })
      return [name, isParseError(absent) && !/^if-/i.test(name) ? given : []]
    }),
  )

const isJsonCall = ({ body }: Call): boolean => body === undefined || /(?:\/|\+)json\b/.test(body.type)

const getSize = ({ body }: Call): number => JSON.stringify(body?.value ?? null).length

/** The calls of each endpoint, the plainest first. */
export interface CallPool {
  readonly list: (subject: EndpointUnderTest) => readonly Call[]
}

/** Creates the pool of the calls that sequences use: without optional parameters, and with a body in JSON if the endpoint accepts it. */
export function createCallPool(run: CheckRun, seed: number): CallPool {
  const known = new Map<EndpointUnderTest, readonly Call[]>()
  return {
    list: (subject) => {
      const found = known.get(subject)
      if (found !== undefined) return found
      const { query, headers, cookies } = subject.endpoint
      const sampled = fc.sample(run.getCalls(subject), { numRuns: pooledCalls, seed: seed ^ run.getSeed(subject), unbiased: true })
      const inJson = sampled.filter(isJsonCall)
      const calls = (inJson.length === 0 ? sampled : inJson).map((call) => ({
        ...call,
        query: omitOptional(call.query, query),
        headers: omitOptional(call.headers, headers),
        cookies: omitOptional(call.cookies, cookies),
      }))
      const sorted = calls.toSorted((a, b) => getSize(a) - getSize(b))
      known.set(subject, sorted)
      return sorted
    },
  }
}

/** Whether changes of an endpoint take If-Match. */
export const isConditional = ({ endpoint: { etag, headers } }: EndpointUnderTest): boolean =>
  typeof etag === 'string' || Object.keys(headers).some((name) => name.toLowerCase() === 'if-match')

/** The endpoint that a step calls. */
export const getStepSubject = (family: ItemFamily, kind: StepKind): EndpointUnderTest | undefined => {
  if (kind === 'create' || kind === 'repeat') return family.create
  if (kind === 'read' || kind === 'revalidate') return family.item
  return family[kind]
}

/** How often each kind is drawn. */
const weights: Readonly<Record<StepKind, number>> = {
  create: 3,
  read: 5,
  replace: 5,
  change: 4,
  list: 3,
  remove: 2,
  revalidate: 1,
  repeat: 1,
}

/** The largest number of items of a sequence. */
const maxItems = 4

const conditionalKinds: ReadonlySet<StepKind> = new Set(['replace', 'change', 'remove'])

/** Draws the steps of a sequence. */
export function drawSteps(family: ItemFamily, pool: CallPool, draw: Draw, count: number, clients: number): readonly Step[] {
  const isPossible = (kind: StepKind): boolean => {
    if (kind === 'repeat') return family.create.endpoint.idempotent !== undefined
    if (kind === 'revalidate') return family.item.endpoint.etag === true
    return getStepSubject(family, kind) !== undefined
  }
  const kinds = (Object.keys(weights) as StepKind[]).filter(isPossible).flatMap((kind) => Array<StepKind>(weights[kind]).fill(kind))
  const steps: Step[] = []
  const items: number[] = []
  while (steps.length < count) {
    const drawn = items.length === 0 ? 'create' : (draw.pick(kinds) ?? 'read')
    const kind = drawn === 'create' && items.length >= maxItems ? 'read' : drawn
    const subject = getStepSubject(family, kind)
    const call = subject === undefined ? undefined : draw.pick(pool.list(subject))
    if (subject === undefined || call === undefined) break
    const mayHaveTag = kind === 'revalidate' || (conditionalKinds.has(kind) && isConditional(subject))
    const conditions: readonly Condition[] =
      subject.endpoint.etag === 'optional' ? ['none', 'current', 'earlier'] : ['current', 'current', 'earlier']
    const condition = mayHaveTag ? (draw.pick(conditions) ?? 'none') : 'none'
    const item = kind === 'create' ? steps.length : (draw.pick(items) ?? 0)
    if (kind === 'create') items.push(item)
    steps.push({ kind, item, call, condition, client: draw.below(clients) })
  }
  return steps
}
