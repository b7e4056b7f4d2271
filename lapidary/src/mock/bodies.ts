/** Bodies to answer with: what a content allows, and each of its media can write. */
import * as fc from 'fast-check'
import { getTypes, type JsonSchema } from '../describe/jsonSchema.ts'
import type { Content } from '../describe/medium.ts'
import { getJsonSchema as formOf } from '../describe/schema.ts'
import { acceptsValue, canRoundTrip } from '../generate/calls.ts'
import { sample } from '../generate/sampled.ts'
import { createArbitrary } from '../generate/values.ts'

type AnyResponseContent = Content<unknown, unknown>

const plainTextValues = createArbitrary({ type: 'string' }, undefined, 'plain') ?? fc.constant('text')

/** What stands in media without a schema: the first of these that all of them write. */
const schemalessBodies: readonly fc.Arbitrary<unknown>[] = [
  fc.dictionary(fc.constantFrom('name', 'note', 'place'), plainTextValues, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  plainTextValues,
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
]

/** Whole, and not in pieces: whatever can be walked would be written somehow. */
const isWrittenWhole = ({ media }: AnyResponseContent, value: unknown): boolean =>
  media.every((medium) => {
    try {
      const written = medium.writer(undefined)(value)
      return typeof written === 'string' || written instanceof Uint8Array
    } catch {
      return false
    }
  })

const isWrittenByAll = ({ media }: AnyResponseContent, form: JsonSchema | undefined, value: unknown): boolean =>
  media.every((medium) => canRoundTrip(medium, form, value))

function isStreamContent({ media: [medium] }: AnyResponseContent, form: JsonSchema, series: readonly unknown[]): boolean {
  try {
    const written = medium?.writer(form)(series)
    return typeof written === 'object' && Symbol.asyncIterator in written
  } catch {
    return false
  }
}

/** The values that a content may have; undefined where none can be found. */
export function generateResponseBodies(content: AnyResponseContent): fc.Arbitrary<unknown> | undefined {
  const { schema } = content
  if (schema === undefined)
    return schemalessBodies.find((kind) =>
      sample(kind, 1, 5).every((value) => isWrittenWhole(content, value) && isWrittenByAll(content, undefined, value)),
    )
  const form = formOf(schema)
  const isList = getTypes(form).includes('array')
  const one = createArbitrary(form, (value) => acceptsValue(schema, value), 'plain')
  if (one === undefined) return undefined
  // A medium that walks whatever it is given, such as that of `lines`, takes a series of what its schema describes.
  if (!isList && isStreamContent(content, form, sample(one, 1, 2))) return fc.array(one, { minLength: 2, maxLength: 4 })
  return createArbitrary(form, (value) => acceptsValue(schema, value) && isWrittenByAll(content, form, value), 'plain')
}
