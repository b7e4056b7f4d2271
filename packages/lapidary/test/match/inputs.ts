/** Anything that an endpoint can be linked to with: values for each of its captures and query parameters, whatever their codecs. */
import fc from 'fast-check'
import type { AnyEndpoint, JsonSchema, Parameter } from 'lapidary'

const signs = fc.constantFrom('%', '%2F', '+', '&', '=', '/', '?', '#', ' ', '.', '..', '\\', '\t', '\0', 'ä', '😀', 'newest')
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.array(signs, { maxLength: 3 }).map((some) => some.join('')),
)
const days = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

/** The values of a codec, as its JSON Schema tells of them. */
function valuesOf({ type, enum: names, format, pattern, items }: JsonSchema): fc.Arbitrary<unknown> {
  if (names !== undefined) return fc.constantFrom(...names)
  if (format === 'date') return days.map((day) => day.toISOString().slice(0, 10))
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  if (type === 'string') return texts.filter((text) => text.isWellFormed())
  if (type === 'integer') return fc.maxSafeInteger()
  if (type === 'boolean') return fc.boolean()
  if (type === 'array' && typeof items === 'object') return fc.array(valuesOf(items), { maxLength: 3 })
  throw new Error(`Nobody has said here which values a ${format ?? type} has.`)
}

/** What may be written under a name; undefined, where that is what is read when it is left out. */
function writtenUnder({ jsonSchema, read }: Parameter<unknown>): fc.Arbitrary<unknown> {
  const values = valuesOf(jsonSchema)
  return read({ values: [], isPresent: false }) === undefined ? fc.option(values, { nil: undefined }) : values
}

/** Objects as everybody writes them. */
const plain = { noNullPrototype: true } as const

const each = (parameters: Readonly<Record<string, Parameter<unknown>>>, valuesUnder: typeof writtenUnder): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, valuesUnder(parameter)])), plain)

/** The captures and the query of an endpoint. */
export const inputsOf = ({ params, query }: AnyEndpoint): fc.Arbitrary<{ readonly params: object; readonly query: object }> =>
  fc.record(
    {
      // What no path segment can hold, no link can say.
      params: each(params, ({ jsonSchema }) => valuesOf(jsonSchema).filter((value) => value !== '' && value !== '.' && value !== '..')),
      query: each(query, writtenUnder),
    },
    plain,
  )
