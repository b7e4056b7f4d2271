/** The bounds of a JSON Schema as a part of a sentence: `of 2 to 3 characters that matches ^a`. */
import { getTypes, isJsonObject, type JsonSchema } from './jsonSchema.ts'

/** `2 items`, `at least 1 item`, `1 to 2 items`; undefined without a bound. */
export function describeCount(min: unknown, max: unknown, noun: string): string | undefined {
  const [least, most] = [min, max].map((bound) => (typeof bound === 'number' ? bound : undefined))
  const count = (number: number): string => `${number} ${noun}${number === 1 ? '' : 's'}`
  if (most === undefined) return least === undefined ? undefined : `at least ${count(least)}`
  if (least === undefined) return `at most ${count(most)}`
  return least === most ? count(most) : `${least} to ${count(most)}`
}

function describeRange({ minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below }: JsonSchema): string {
  const range = minimum === undefined ? maximum !== undefined && `of at most ${maximum}` : `of at least ${minimum}`
  const closed = minimum !== undefined && maximum !== undefined ? `from ${minimum} to ${maximum}` : range
  return [closed, above !== undefined && `greater than ${above}`, below !== undefined && `less than ${below}`].filter(Boolean).join(' and ')
}

/** The kind of bounds that are about a value, or about the values of a schema. */
function getKind(schema: JsonSchema, value: unknown): string {
  if (value === undefined) return getTypes(schema)[0] ?? ''
  return Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : typeof value
}

/** The bounds for a value; empty where the schema has none for it. */
export function describeBounds(schema: JsonSchema, value: unknown): string {
  const { minLength, maxLength, pattern, minItems, maxItems, uniqueItems, minProperties, maxProperties, multipleOf } = schema
  const withWord = (word: string, count: string | undefined): string => (count === undefined ? '' : `${word} ${count}`)
  const parts: Readonly<Record<string, () => readonly string[]>> = {
    number: () => [describeRange(schema), multipleOf === undefined ? '' : `that is a multiple of ${multipleOf}`],
    string: () => [
      withWord('of', describeCount(minLength, maxLength, 'character')),
      pattern === undefined ? '' : `that matches ${pattern}`,
    ],
    array: () => [withWord('of', describeCount(minItems, maxItems, 'item')), uniqueItems === true ? 'without equal items' : ''],
    object: () => [withWord('with', describeCount(minProperties, maxProperties, 'member'))],
  }
  return (parts[getKind(schema, value)]?.() ?? []).filter((part) => part !== '').join(' ')
}
