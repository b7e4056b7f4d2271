/** The ranges of the formats of integers (OpenAPI Format Registry), which are no keywords of JSON Schema. */
import type { JsonObject } from './document.ts'

const ranges: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  uint8: [0, 2 ** 8 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  uint16: [0, 2 ** 16 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
}

/** A schema with the range of its format as bounds: a server in another language cannot hold any other value. */
export function addFormatBounds(schema: JsonObject): JsonObject {
  const format = String(schema['format'])
  const range = Object.hasOwn(ranges, format) ? ranges[format] : undefined
  if (range === undefined || ![schema['type']].flat().includes('integer')) return schema
  const { minimum = range[0], maximum = range[1] } = schema
  return {
    ...schema,
    // A bound that is no number is a limit of the document.
    minimum: typeof minimum === 'number' ? Math.max(minimum, range[0]) : minimum,
    maximum: typeof maximum === 'number' ? Math.min(maximum, range[1]) : maximum,
  }
}
