/** Bodies to answer with: what a content allows, and each of its media can write. */
import * as fc from 'fast-check'
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'
import type { Content } from '../describe/medium.ts'
import { jsonSchemaOf as formOf } from '../describe/schema.ts'
import { isCarried, takes } from '../generate/calls.ts'
import { sampled } from '../generate/sampled.ts'
import { valuesOf } from '../generate/values.ts'

type AnyContent = Content<unknown, unknown>

const plainText = valuesOf({ type: 'string' }, undefined, 'plain') ?? fc.constant('text')

/** What stands in media without a schema: the first of these that all of them write. */
const kinds: readonly fc.Arbitrary<unknown>[] = [
  fc.dictionary(fc.constantFrom('name', 'note', 'place'), plainText, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  plainText,
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
]

/** Whole, and not in pieces: whatever can be walked would be written somehow. */
const isWhole = ({ media }: AnyContent, value: unknown): boolean =>
  media.every((medium) => {
    try {
      const written = medium.writer(undefined)(value)
      return typeof written === 'string' || written instanceof Uint8Array
    } catch {
      return false
    }
  })

const isWritten = ({ media }: AnyContent, form: JsonSchema | undefined, value: unknown): boolean =>
  media.every((medium) => isCarried(medium, form, value))

function isStreamed({ media: [medium] }: AnyContent, form: JsonSchema, series: readonly unknown[]): boolean {
  try {
    const written = medium?.writer(form)(series)
    return typeof written === 'object' && Symbol.asyncIterator in written
  } catch {
    return false
  }
}

/** The values that a content may have; undefined where none can be found. */
export function bodiesOf(content: AnyContent): fc.Arbitrary<unknown> | undefined {
  const { schema } = content
  if (schema === undefined)
    return kinds.find((kind) => sampled(kind, 1, 5).every((value) => isWhole(content, value) && isWritten(content, undefined, value)))
  const form = formOf(schema)
  const isList = typesOf(form).includes('array')
  const one = valuesOf(form, (value) => takes(schema, value), 'plain')
  if (one === undefined) return undefined
  // A medium that walks whatever it is given, such as that of `lines`, takes a series of what its schema describes.
  if (!isList && isStreamed(content, form, sampled(one, 1, 2))) return fc.array(one, { minLength: 2, maxLength: 4 })
  return valuesOf(form, (value) => takes(schema, value) && isWritten(content, form, value), 'plain')
}
