/** The bounds that a JSON Schema sets to values of the right type. */
import type { JsonSchema } from './jsonSchema.ts'

const isAboveBound = (bound: unknown, value: number): boolean => typeof bound === 'number' && value > bound
const isBelowBound = (bound: unknown, value: number): boolean => typeof bound === 'number' && value < bound

/** The pattern as a regular expression; undefined where it is none that this engine reads. */
function compilePattern(text: unknown): RegExp | undefined {
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
      isBelowBound(minimum, value) ||
      isAboveBound(maximum, value) ||
      exclusiveMinimum === value ||
      isBelowBound(exclusiveMinimum, value) ||
      exclusiveMaximum === value ||
      isAboveBound(exclusiveMaximum, value)
    )
  }
  if (typeof value === 'string') {
    // JSON Schema counts characters, not UTF-16 units.
    const length = [...value].length
    return (
      isBelowBound(schema['minLength'], length) ||
      isAboveBound(schema['maxLength'], length) ||
      compilePattern(schema['pattern'])?.test(value) === false
    )
  }
  return Array.isArray(value) && (isBelowBound(schema.minItems, value.length) || isAboveBound(schema.maxItems, value.length))
}
