/** Makes up a number within the bounds of a JSON Schema. */
import { int } from '../describe/int.ts'
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'

const usual = Number(int.examples[0])

const bound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** The number nearest to the usual one between the bounds that are allowed themselves and those that are not. */
function between(low: number, high: number, above: number, below: number): number {
  const near = Math.min(Math.max(usual, low), high)
  if (near > above && near < below) return near
  // One step inside, or halfway where there is no room for a step.
  const inside = near <= above ? Math.min(above + 1, high) : Math.max(below - 1, low)
  return inside > above && inside < below ? inside : (Math.max(low, above) + Math.min(high, below)) / 2
}

/** 42 where the schema allows it, else the allowed number that is nearest, or near: `minimum`, `maximum`, both exclusive bounds and `multipleOf`. */
export function exampleNumber(schema: JsonSchema): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = bound(minimum, -Infinity)
  const high = bound(maximum, Infinity)
  const above = bound(exclusiveMinimum, -Infinity)
  const below = bound(exclusiveMaximum, Infinity)
  const step = bound(multipleOf, typesOf(schema).includes('integer') ? 1 : 0)
  if (step === 0) return between(low, high, above, below)
  // In steps, every bound is a whole number that is allowed itself.
  const least = Math.max(Math.ceil(low / step), Math.floor(above / step) + 1)
  const most = Math.min(Math.floor(high / step), Math.ceil(below / step) - 1)
  return Math.min(Math.max(Math.floor(usual / step), least), most) * step
}
