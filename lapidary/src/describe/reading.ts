/** Reads the values of one part of a request by their codecs; everything that is wrong in it is said at once. */
import { atOnce } from './atOnce.ts'
import type { AnyParameter, Given } from './parameter.ts'
import type { ProblemError } from './problem.ts'
import { Refusal } from './refusal.ts'

/** Values by their names. */
export type Values = Readonly<Record<string, unknown>>

/** What was read: the values, or all that is wrong with them. */
export type Reading = Values | readonly ProblemError[]

/** Of a part where nothing is declared. */
export const nothing: Values = Object.freeze({})

/** What stands under a name that is not there. */
export const absent: Given = Object.freeze({ texts: Object.freeze([]), named: false })

/** Whether what was read is wrong. */
export const isWrong = (reading: Reading): reading is readonly ProblemError[] => Array.isArray(reading)

/** The flaws of one value, as problem details say them. */
export const errorsOf = (place: ProblemError['in'], name: string, { flaws }: Refusal): readonly ProblemError[] =>
  flaws.map(({ detail }) => ({ in: place, name, detail }))

/** The values of all parameters, each from what stands under its name. */
export function reading(
  place: 'query' | 'header',
  parameters: readonly (readonly [string, AnyParameter])[],
  given: (name: string, index: number) => Given,
): Reading {
  const values: Record<string, unknown> = {}
  let errors: ProblemError[] | undefined
  for (let index = 0; index < parameters.length; index += 1) {
    const [name, parameter] = parameters[index] as (typeof parameters)[number]
    const value: unknown = parameter.read(given(name, index))
    if (value instanceof Refusal) errors = [...(errors ?? []), ...errorsOf(place, name, value)]
    else values[name] = atOnce(value, `The codec of ${name}`)
  }
  return errors ?? values
}
