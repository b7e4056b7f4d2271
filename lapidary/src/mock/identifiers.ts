/** Identifiers for new items: 1, 2, 3, or whatever both the path and the items have a place for. */
import { fits } from '../describe/conform.ts'
import type { AnyParameter, Scalar } from '../describe/parameter.ts'
import { Refusal } from '../describe/refusal.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { textsFor } from '../generate/parameters.ts'
import { sampledOne } from '../generate/sampled.ts'
import { valuesOf } from '../generate/values.ts'
import { draw } from './draw.ts'
import type { Shape } from './shapes.ts'

/** The identifier of this number, as its capture has it; undefined where there is none. */
export type Identifiers = (count: number) => unknown

/** What an identifier is read as; undefined for what is none. */
export function identifierOf(codec: Scalar<unknown>, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const read = codec.parse(String(value))
  return read instanceof Refusal ? undefined : read
}

/** Compiles the identifiers of a collection. The same number has the same one. */
export function identifiers({ item, schema, capture, identifier }: Shape, drawn: number): Identifiers {
  const codec = item.endpoint.params[capture] as Scalar<unknown>
  const root = jsonSchemaOf(schema)
  const member = root.properties?.[identifier]
  const isRight = (value: unknown): boolean => member === undefined || fits(member, value, root)
  const members = member === undefined ? undefined : valuesOf({ ...root, ...member }, isRight, 'plain')
  const texts = textsFor(codec as AnyParameter, 'capture')
  return (count) => {
    const counted = identifierOf(codec, count)
    if (counted !== undefined && isRight(counted)) return counted
    const made = members === undefined ? undefined : identifierOf(codec, sampledOne(members, draw(drawn, count)))
    return made ?? (texts === undefined ? undefined : identifierOf(codec, sampledOne(texts, draw(drawn, count))[0]))
  }
}
