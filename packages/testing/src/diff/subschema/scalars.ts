/** Compares the bounds of texts and numbers. */
import type { JsonSchema } from 'lapidary'
import { getBound, getTypes } from 'lapidary/internal'

/** Patterns that each text matches. `^.*$` is none of them: a text may have several lines. */
const universalPattern = /^(?:\^?(?:\.\*)?|(?:\.\*)?\$)$/

const isSamePattern = (one: unknown, other: unknown): boolean =>
  other === undefined || other === one || (typeof other === 'string' && universalPattern.test(other))

/** Texts: the lengths are within the lengths; a pattern or format has to be the same. */
export const isStringSubschema = (a: JsonSchema, b: JsonSchema): boolean =>
  getBound(b['minLength'], 0) <= getBound(a['minLength'], 0) &&
  getBound(b['maxLength'], Number.POSITIVE_INFINITY) >= getBound(a['maxLength'], Number.POSITIVE_INFINITY) &&
  isSamePattern(a['pattern'], b['pattern']) &&
  (b.format === undefined || b.format === a.format)

/** The end of a range of numbers, and whether the end itself is excluded. Integers end where a 64-bit float is no longer exact. */
interface RangeEnd {
  readonly at: number
  readonly isOpen: boolean
}

/** Whether a schema allows only integers. */
const isIntegerSchema = (schema: JsonSchema): boolean => getTypes(schema).includes('integer') && !getTypes(schema).includes('number')

function getLowestEnd(schema: JsonSchema, least = isIntegerSchema(schema) ? Number.MIN_SAFE_INTEGER : Number.NEGATIVE_INFINITY): RangeEnd {
  const closed = Math.max(getBound(schema.minimum, least), least)
  const open = getBound(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY)
  return open >= closed ? { at: open, isOpen: open > Number.NEGATIVE_INFINITY } : { at: closed, isOpen: false }
}

function getHighestEnd(schema: JsonSchema, most = isIntegerSchema(schema) ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY): RangeEnd {
  const closed = Math.min(getBound(schema.maximum, most), most)
  const open = getBound(schema.exclusiveMaximum, Number.POSITIVE_INFINITY)
  return open <= closed ? { at: open, isOpen: open < Number.POSITIVE_INFINITY } : { at: closed, isOpen: false }
}

/** An integer that is more than 4 is at least 5. */
function roundEnd(end: RangeEnd, step: 1 | -1, isWhole: boolean): RangeEnd {
  if (!isWhole || !Number.isFinite(end.at)) return end
  const at = step === 1 ? Math.ceil(end.at) : Math.floor(end.at)
  return { at: end.isOpen && at === end.at ? at + step : at, isOpen: false }
}

/** Whether no number is within both bounds. */
export function areNumbersDisjoint(one: JsonSchema, other: JsonSchema): boolean {
  const isWhole = isIntegerSchema(one) || isIntegerSchema(other)
  // Other libraries take larger whole numbers for integers, too.
  const lows = [one, other].map((schema) => roundEnd(getLowestEnd(schema, Number.NEGATIVE_INFINITY), 1, isWhole))
  const highs = [one, other].map((schema) => roundEnd(getHighestEnd(schema, Number.POSITIVE_INFINITY), -1, isWhole))
  if (lows.some((low) => highs.some((high) => low.at > high.at || (low.at === high.at && (low.isOpen || high.isOpen))))) return true
  const [low, high] = [lows.reduce((a, b) => (b.at > a.at ? b : a)), highs.reduce((a, b) => (b.at < a.at ? b : a))]
  return [one, other].some((schema) => hasNoMultiple(schema, low.at, high.at))
}

/** The multiples that are counted exactly: the step has at most 20 binary places. */
const maxMultiple = 2 ** 31

/** Whether no multiple of the step is within these bounds. Other steps have multiples that no binary float is exactly. */
function hasNoMultiple(schema: JsonSchema, low: number, high: number): boolean {
  const step = schema['multipleOf']
  if (typeof step !== 'number' || !isExactStep(step) || !(Math.abs(low / step) < maxMultiple)) return false
  const near = Math.ceil(low / step)
  return [near - 1, near, near + 1].every((count) => count * step < low || count * step > high)
}

/** Whether a binary float holds the multiples of a step exactly: of a half or a quarter it does, of a tenth it does not. */
export const isExactStep = (step: number): boolean => Number.isInteger(step * 2 ** 20)

function isStepMultiple(a: JsonSchema, b: JsonSchema, isWhole: boolean): boolean {
  const step = b['multipleOf']
  if (typeof step !== 'number') return true
  const own = getBound(a['multipleOf'], isWhole ? 1 : Number.NaN)
  return own === step || (isExactStep(own) && isExactStep(step) && Number.isInteger(own / step))
}

/** Numbers: the bounds are within the bounds, and the step is a multiple of the step. */
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
