/** Proves that texts and numbers within some bounds are within others. */
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** Texts: lengths within lengths; a pattern and a format only where they are the same. */
export const areTextsWithin = (a: JsonSchema, b: JsonSchema): boolean =>
  number(b['minLength'], 0) <= number(a['minLength'], 0) &&
  number(b['maxLength'], Number.POSITIVE_INFINITY) >= number(a['maxLength'], Number.POSITIVE_INFINITY) &&
  (b['pattern'] === undefined || b['pattern'] === a['pattern']) &&
  (b.format === undefined || b.format === a.format)

/** The end of a range of numbers, and whether it is left out. Whole numbers end where they are no longer exact. */
interface End {
  readonly at: number
  readonly isOpen: boolean
}

/** Whether all numbers of a schema are whole. */
const isOfIntegers = (schema: JsonSchema): boolean => typesOf(schema).includes('integer') && !typesOf(schema).includes('number')

function lowest(schema: JsonSchema): End {
  const least = isOfIntegers(schema) ? Number.MIN_SAFE_INTEGER : Number.NEGATIVE_INFINITY
  const closed = Math.max(number(schema.minimum, least), least)
  const open = number(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY)
  return open >= closed ? { at: open, isOpen: open > Number.NEGATIVE_INFINITY } : { at: closed, isOpen: false }
}

function highest(schema: JsonSchema): End {
  const most = isOfIntegers(schema) ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY
  const closed = Math.min(number(schema.maximum, most), most)
  const open = number(schema.exclusiveMaximum, Number.POSITIVE_INFINITY)
  return open <= closed ? { at: open, isOpen: open < Number.POSITIVE_INFINITY } : { at: closed, isOpen: false }
}

/** A whole number that is more than 4 is at least 5. */
function whole(end: End, step: 1 | -1, isWhole: boolean): End {
  if (!isWhole || !Number.isFinite(end.at)) return end
  const at = step === 1 ? Math.ceil(end.at) : Math.floor(end.at)
  return { at: end.isOpen && at === end.at ? at + step : at, isOpen: false }
}

/** Whether no number is within the bounds of both. */
export function isNoNumberInBoth(one: JsonSchema, other: JsonSchema): boolean {
  const isWhole = isOfIntegers(one) || isOfIntegers(other)
  const lows = [lowest(one), lowest(other)].map((end) => whole(end, 1, isWhole))
  const highs = [highest(one), highest(other)].map((end) => whole(end, -1, isWhole))
  return lows.some((low) => highs.some((high) => low.at > high.at || (low.at === high.at && (low.isOpen || high.isOpen))))
}

/** Whether what is divided by a step has no remainder that is only one of writing: halves and quarters are exact, tenths are not. */
const isExact = (step: number): boolean => Number.isInteger(step * 2 ** 20)

function isStep(a: JsonSchema, b: JsonSchema, isWhole: boolean): boolean {
  const step = b['multipleOf']
  if (typeof step !== 'number') return true
  const own = number(a['multipleOf'], isWhole ? 1 : Number.NaN)
  return own === step || (isExact(own) && isExact(step) && Number.isInteger(own / step))
}

/** Numbers: bounds within bounds, steps that are multiples of steps. */
export function areNumbersWithin(a: JsonSchema, b: JsonSchema): boolean {
  const isWhole = isOfIntegers(a)
  const [low, high] = [whole(lowest(a), 1, isWhole), whole(highest(a), -1, isWhole)]
  if (low.at > high.at) return true
  const isWholeToo = isOfIntegers(b) && isWhole
  const [least, most] = [whole(lowest(b), 1, isWholeToo), whole(highest(b), -1, isWholeToo)]
  return (
    (low.at > least.at || (low.at === least.at && (low.isOpen || !least.isOpen))) &&
    (high.at < most.at || (high.at === most.at && (high.isOpen || !most.isOpen))) &&
    isStep(a, b, isWhole)
  )
}
