/** Identifiers for new items: 1, 2, 3, or whatever both the path and the items have a place for. */
import { isValid } from '../describe/conform.ts'
import type { AnyParameter, Codec } from '../describe/parameter.ts'
import { ParseError } from '../describe/refusal.ts'
import { getJsonSchema } from '../describe/schema.ts'
import { generateParameterTexts } from '../generate/parameters.ts'
import { sampleOne } from '../generate/sampled.ts'
import { createArbitrary } from '../generate/values.ts'
import { drawNumber } from './draw.ts'
import type { DetectedCollection } from './shapes.ts'

/** The identifier of this number, as its capture has it; undefined where there is none. */
export type GetIdentifier = (count: number) => unknown

/** What an identifier is read as; undefined for what is none. */
export function parseIdentifier(codec: Codec<unknown>, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const read = codec.parse(String(value))
  return read instanceof ParseError ? undefined : read
}

/** Compiles the identifiers of a collection. The same number has the same one. */
export function createIdentifiers({ item, schema, capture, identifier }: DetectedCollection, drawn: number): GetIdentifier {
  const codec = item.endpoint.params[capture] as Codec<unknown>
  const root = getJsonSchema(schema)
  const member = root.properties?.[identifier]
  const isRight = (value: unknown): boolean => member === undefined || isValid(member, value, root)
  const members = member === undefined ? undefined : createArbitrary({ ...root, ...member }, isRight, 'plain')
  const texts = generateParameterTexts(codec as AnyParameter, 'capture')
  return (count) => {
    const counted = parseIdentifier(codec, count)
    if (counted !== undefined && isRight(counted)) return counted
    const made = members === undefined ? undefined : parseIdentifier(codec, sampleOne(members, drawNumber(drawn, count)))
    return made ?? (texts === undefined ? undefined : parseIdentifier(codec, sampleOne(texts, drawNumber(drawn, count))[0]))
  }
}
