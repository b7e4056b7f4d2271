/** Makes up a number within the bounds of a JSON Schema. */
import { int } from '../describe/int.ts'
import { getTypes, type JsonSchema } from '../describe/jsonSchema.ts'

const usualExampleNumber = Number(int.examples[0])

const getBound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** The number nearest to the usual one between the bounds that are allowed themselves and those that are not. */
function pickBetween(low: number, high: number, above: number, below: number): number {
  const near = Math.min(Math.max(usualExampleNumber, low), high)
  if (near > above && near < below) return near
  // One step inside, or halfway where there is no room for a step.
  const inside = near <= above ? Math.min(above + 1, high) : Math.max(below - 1, low)
  return inside > above && inside < below ? inside : (Math.max(low, above) + Math.min(high, below)) / 2
}

/** 42 where the schema allows it, else the allowed number that is nearest, or near: `minimum`, `maximum`, both exclusive bounds and `multipleOf`. */
export function createExampleNumber(schema: JsonSchema): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = getBound(minimum, -Infinity)
  const high = getBound(maximum, Infinity)
  const above = getBound(exclusiveMinimum, -Infinity)
  const below = getBound(exclusiveMaximum, Infinity)
  const step = getBound(multipleOf, getTypes(schema).includes('integer') ? 1 : 0)
  if (step === 0) return pickBetween(low, high, above, below)
  // In steps, every bound is a whole number that is allowed itself.
  const least = Math.max(Math.ceil(low / step), Math.floor(above / step) + 1)
  const most = Math.min(Math.floor(high / step), Math.ceil(below / step) - 1)
  return Math.min(Math.max(Math.floor(usualExampleNumber / step), least), most) * step
}
