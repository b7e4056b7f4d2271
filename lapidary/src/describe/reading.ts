/** Reads the values of one part of a request by their codecs; everything that is wrong in it is said at once. */
import { requireSync } from './atOnce.ts'
import type { AnyParameter, ParameterInput } from './parameter.ts'
import type { ProblemError } from './problem.ts'
import { ParseError } from './refusal.ts'

/** Values by their names. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** What was read: the values, or all that is wrong with them. */
export type ReadResult = ParameterValues | readonly ProblemError[]

/** Of a part where nothing is declared. */
export const noValues: ParameterValues = Object.freeze({})

/** What stands under a name that is not there. */
export const absentInput: ParameterInput = Object.freeze({ values: Object.freeze([]), isPresent: false })

/** Whether what was read is wrong. */
export const isReadError = (reading: ReadResult): reading is readonly ProblemError[] => Array.isArray(reading)

/** The flaws of one value, as problem details say them. */
export const toProblemErrors = (place: ProblemError['in'], name: string, { issues: flaws }: ParseError): readonly ProblemError[] =>
  flaws.map(({ detail }) => ({ in: place, name, detail }))

/** The values of all parameters, each from what stands under its name. */
export function readParameters(
  place: 'query' | 'header',
  parameters: readonly (readonly [string, AnyParameter])[],
  given: (name: string, index: number) => ParameterInput,
): ReadResult {
  const values: Record<string, unknown> = {}
  let errors: ProblemError[] | undefined
  for (let index = 0; index < parameters.length; index += 1) {
    const [name, parameter] = parameters[index] as (typeof parameters)[number]
    const value: unknown = parameter.read(given(name, index))
    if (value instanceof ParseError) errors = [...(errors ?? []), ...toProblemErrors(place, name, value)]
    else values[name] = requireSync(value, `The codec of ${name}`)
  }
  return errors ?? values
}
