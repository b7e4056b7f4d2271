/** The bounds that a JSON Schema sets to values of the right type. */
import type { JsonSchema } from './jsonSchema.ts'

const isOver = (bound: unknown, value: number): boolean => typeof bound === 'number' && value > bound
const isUnder = (bound: unknown, value: number): boolean => typeof bound === 'number' && value < bound

/** The pattern as a regular expression; undefined where it is none that this engine reads. */
function patternOf(text: unknown): RegExp | undefined {
  try {
    return typeof text === 'string' ? new RegExp(text, 'u') : undefined
  } catch {
    return undefined
  }
}

/** Whether a value is too long, too short, too large, too small, or no match for the pattern. */
export function isOutOfBounds(schema: JsonSchema, value: unknown): boolean {
  if (typeof value === 'number') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
    return (
      isUnder(minimum, value) ||
      isOver(maximum, value) ||
      exclusiveMinimum === value ||
      isUnder(exclusiveMinimum, value) ||
      exclusiveMaximum === value ||
      isOver(exclusiveMaximum, value)
    )
  }
  if (typeof value === 'string') {
    // JSON Schema counts characters, not UTF-16 units.
    const length = [...value].length
    return (
      isUnder(schema['minLength'], length) || isOver(schema['maxLength'], length) || patternOf(schema['pattern'])?.test(value) === false
    )
  }
  return Array.isArray(value) && (isUnder(schema.minItems, value.length) || isOver(schema.maxItems, value.length))
}
