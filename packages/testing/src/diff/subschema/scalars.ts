/** Proves that texts and numbers within some bounds are within others. */

import type { JsonSchema } from 'lapidary'
import { getTypes } from 'lapidary/internal'

export const getBoundNumber = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** Texts: lengths within lengths; a pattern and a format only where they are the same. */
export const isStringSubschema = (a: JsonSchema, b: JsonSchema): boolean =>
  getBoundNumber(b['minLength'], 0) <= getBoundNumber(a['minLength'], 0) &&
  getBoundNumber(b['maxLength'], Number.POSITIVE_INFINITY) >= getBoundNumber(a['maxLength'], Number.POSITIVE_INFINITY) &&
  (b['pattern'] === undefined || b['pattern'] === a['pattern']) &&
  (b.format === undefined || b.format === a.format)

/** The end of a range of numbers, and whether it is left out. Whole numbers end where they are no longer exact. */
interface RangeEnd {
  readonly at: number
  readonly isOpen: boolean
}

/** Whether all numbers of a schema are whole. */
const isIntegerSchema = (schema: JsonSchema): boolean => getTypes(schema).includes('integer') && !getTypes(schema).includes('number')

function getLowestEnd(schema: JsonSchema): RangeEnd {
  const least = isIntegerSchema(schema) ? Number.MIN_SAFE_INTEGER : Number.NEGATIVE_INFINITY
  const closed = Math.max(getBoundNumber(schema.minimum, least), least)
  const open = getBoundNumber(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY)
  return open >= closed ? { at: open, isOpen: open > Number.NEGATIVE_INFINITY } : { at: closed, isOpen: false }
}

function getHighestEnd(schema: JsonSchema): RangeEnd {
  const most = isIntegerSchema(schema) ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY
  const closed = Math.min(getBoundNumber(schema.maximum, most), most)
  const open = getBoundNumber(schema.exclusiveMaximum, Number.POSITIVE_INFINITY)
  return open <= closed ? { at: open, isOpen: open < Number.POSITIVE_INFINITY } : { at: closed, isOpen: false }
}

/** A whole number that is more than 4 is at least 5. */
function roundEnd(end: RangeEnd, step: 1 | -1, isWhole: boolean): RangeEnd {
  if (!isWhole || !Number.isFinite(end.at)) return end
  const at = step === 1 ? Math.ceil(end.at) : Math.floor(end.at)
  return { at: end.isOpen && at === end.at ? at + step : at, isOpen: false }
}

/** Whether no number is within the bounds of both. */
export function areNumbersDisjoint(one: JsonSchema, other: JsonSchema): boolean {
  const isWhole = isIntegerSchema(one) || isIntegerSchema(other)
  const lows = [getLowestEnd(one), getLowestEnd(other)].map((end) => roundEnd(end, 1, isWhole))
  const highs = [getHighestEnd(one), getHighestEnd(other)].map((end) => roundEnd(end, -1, isWhole))
  return lows.some((low) => highs.some((high) => low.at > high.at || (low.at === high.at && (low.isOpen || high.isOpen))))
}

/** Whether what is divided by a step has no remainder that is only one of writing: halves and quarters are exact, tenths are not. */
const isExactStep = (step: number): boolean => Number.isInteger(step * 2 ** 20)

function isStepMultiple(a: JsonSchema, b: JsonSchema, isWhole: boolean): boolean {
  const step = b['multipleOf']
  if (typeof step !== 'number') return true
  const own = getBoundNumber(a['multipleOf'], isWhole ? 1 : Number.NaN)
  return own === step || (isExactStep(own) && isExactStep(step) && Number.isInteger(own / step))
}

/** Numbers: bounds within bounds, steps that are multiples of steps. */
export function isNumberSubschema(a: JsonSchema, b: JsonSchema): boolean {
  const isWhole = isIntegerSchema(a)
  const [low, high] = [roundEnd(getLowestEnd(a), 1, isWhole), roundEnd(getHighestEnd(a), -1, isWhole)]
  if (low.at > high.at) return true
  const isWholeToo = isIntegerSchema(b) && isWhole
  const [least, most] = [roundEnd(getLowestEnd(b), 1, isWholeToo), roundEnd(getHighestEnd(b), -1, isWholeToo)]
  return (
    (low.at > least.at || (low.at === least.at && (low.isOpen || !least.isOpen))) &&
    (high.at < most.at || (high.at === most.at && (high.isOpen || !most.isOpen))) &&
    isStepMultiple(a, b, isWhole)
  )
}
