/** What a failure is caused by: failures that one repair mends have the same cause, at one endpoint and at several. */
import * as fc from 'fast-check'
import type { AnyEndpoint, Schema } from 'lapidary'
import { isJsonObject } from 'lapidary/internal'
import { acceptsValue, type Call } from '../generate/calls.ts'

/** The numbers in a sentence that depend on the values of one request. */
const countPattern = /\b\d[\d,.]*(?= (?:ms|bytes|items|pages|other)\b)/g

/** The values of other types: a server that accepts one of them mostly accepts the others. */
const otherTypePattern = /\((?:true|a number|(?:a|another) string|an array|an object) instead\)/g

/**
 * Returns the cause that a violation names: the sentence without the values of one request. A JSON Pointer and a status are part of the
 * cause, the position in a list is not, and neither are the statuses that an endpoint declares.
 */
export const toCause = (violation: string): string =>
  violation
    .replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => (quoted.startsWith('"/') ? quoted.replace(/\/\d+(?=[/"])/g, '/*') : '"…"'))
    .replace(/ \((?:\d{3}(?:, )?)+\)/g, '')
    .replace(otherTypePattern, '(another type)')
    .replace(/\b(item|page|step) \d+/g, '$1 N')
    .replace(countPattern, 'N')

/** Returns the place that the fault of a request names: the words without the value. Names and JSON Pointers are part of it. */
export const toPlace = (fault: string): string =>
  fault
    .replace(/ is (?:(?:, )?(?:W\/)?"(?:[^"\\]|\\.)*")+/g, ' is "…"')
    .replace(otherTypePattern, '(another type)')
    .replace(countPattern, 'N')

/** The parts of a call that are records of texts. */
const textParts = ['captures', 'query', 'headers', 'cookies'] as const

/** A part of a call at its place. */
interface CallPart {
  readonly value: unknown
  /** Returns a call that has this part of the simplest call in place of its own; `undefined` if there is none. */
  readonly replace: (simplest: Call) => Call | undefined
}

/** Sets a member; `undefined` removes it. */
const withMember = <Values extends object>(values: Values, name: string, value: unknown): Values => {
  const { [name as keyof Values]: _, ...rest } = values
  return (value === undefined ? rest : { ...values, [name]: value }) as Values
}

/** Lists the parts of a call by their places: `query.least`, `body.name`. */
function listCallParts(call: Call, schema: Schema | undefined): ReadonlyMap<string, CallPart> {
  const parts = new Map<string, CallPart>()
  for (const part of textParts)
    for (const [name, value] of Object.entries<unknown>(call[part]))
      parts.set(`${part}.${name}`, {
        value,
        replace: (simplest) => ({ ...call, [part]: withMember(call[part], name, (simplest[part] as Record<string, unknown>)[name]) }),
      })
  const { body } = call
  if (body === undefined) return parts
  parts.set('body', { value: body.type, replace: ({ body: other }) => ({ ...call, body: other }) })
  const { value } = body
  if (!isJsonObject(value)) {
    parts.set('body value', { value, replace: ({ body: other }) => ({ ...call, body: other }) })
    return parts
  }
  for (const [name, member] of Object.entries(value))
    parts.set(`body.${name}`, {
      value: member,
      replace: ({ body: other }) => {
        const changed = withMember(value, name, isJsonObject(other?.value) ? other.value[name] : undefined)
        return schema !== undefined && acceptsValue(schema, changed) ? { ...call, body: { ...body, value: changed } } : undefined
      },
    })
  return parts
}

const toText = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return String(value)
  }
}

/** The places at which a call differs from the simplest one. */
export type Places = ReadonlySet<string>

/** Whether all of some places are among others. */
export const isWithin = (places: Places, others: Places): boolean => [...places].every((place) => others.has(place))

/** The number of calls that are reduced to find the simplest one: a value of another alternative may be simpler. */
const reducedCalls = 12

/** Finds the simplest call. */
function findSimplest(calls: fc.Arbitrary<Call>): Call | undefined {
  const reduced = Array.from({ length: reducedCalls }, (_, seed) => {
    const { counterexample } = fc.check(
      fc.property(calls, () => false),
      { seed, numRuns: 1 },
    )
    return counterexample === null ? [] : [counterexample[0] as Call]
  }).flat()
  return reduced.toSorted((a, b) => toText(a).length - toText(b).length)[0]
}

/** Compares the calls of an endpoint with its simplest call. No request is sent for it. */
export class CallComparison {
  readonly #endpoint: AnyEndpoint
  readonly #getCalls: () => fc.Arbitrary<Call>
  #simplest: Call | undefined

  constructor(endpoint: AnyEndpoint, getCalls: () => fc.Arbitrary<Call>) {
    this.#endpoint = endpoint
    this.#getCalls = getCalls
  }

  #getSimplest(): Call | undefined {
    this.#simplest ??= findSimplest(this.#getCalls())
    return this.#simplest
  }

  #listDifferent(call: Call): readonly (readonly [place: string, part: CallPart])[] {
    const schema = this.#endpoint.body?.schema
    const simplest = this.#getSimplest()
    const parts = simplest === undefined ? new Map<string, CallPart>() : listCallParts(simplest, schema)
    return [...listCallParts(call, schema)].filter(([place, { value }]) => toText(parts.get(place)?.value) !== toText(value))
  }

  /** Finds the places at which a call differs from the simplest one. */
  readonly findDifferences = (call: Call): Places => new Set(this.#listDifferent(call).map(([place]) => place))

  /**
   * Returns a call that has the part of the simplest call at a place. Parameters that belong together are not changed one by one.
   *
   * @returns `undefined` if there is none
   */
  simplify(call: Call, place: string): Call | undefined {
    const { parameterGroups, body } = this.#endpoint
    if (Object.values(parameterGroups).some((groups) => Object.keys(groups).length > 0)) return undefined
    const simplest = this.#getSimplest()
    return simplest && listCallParts(call, body?.schema).get(place)?.replace(simplest)
  }
}
