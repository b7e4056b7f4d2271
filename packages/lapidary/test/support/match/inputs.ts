/** Anything that an endpoint can be linked to with: values for each of its captures and query parameters, with all codecs. */
import fc from 'fast-check'
import type { AnyEndpoint, JsonSchema, Parameter } from 'lapidary'
import { isOutOfBounds, joinValues } from 'lapidary/internal'

const signs = fc.constantFrom('%', '%2F', '+', '&', '=', '/', '?', '#', ' ', '.', '..', '\\', '\t', '\0', 'ä', '😀', 'newest')
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.array(signs, { maxLength: 3 }).map((some) => some.join('')),
)
const instants = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
const days = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

/** The values of a codec, as its JSON Schema tells of them. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: names, const: only, anyOf, format, pattern, items, minItems = 0, maxItems = 3 } = schema
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (only !== undefined) return fc.constant(only)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(valuesOf))
  if (names !== undefined) return fc.constantFrom(...names)
  if (format === 'date') return days.map((day) => day.toISOString().slice(0, 10))
  if (format === 'date-time') return instants
  if (format === 'uuid') return fc.uuid(typeof pattern === 'string' ? { version: 4 } : undefined)
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern)).filter((text) => !isOutOfBounds(schema, text))
  if (type === 'string') return texts.filter((text) => text.isWellFormed() && !isOutOfBounds(schema, text))
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum })
  if (type === 'boolean') return fc.boolean()
  if (type === 'array' && typeof items === 'object') return fc.array(valuesOf(items), { minLength: minItems, maxLength: maxItems })
  throw new Error(`Nobody has said here which values a ${format ?? type} has.`)
}

/** What may be written under a name; undefined, where that is what is read when it is left out. */
function writtenUnder({ jsonSchema, read }: Parameter<unknown>): fc.Arbitrary<unknown> {
  const values = valuesOf(jsonSchema)
  return read({ values: [], isPresent: false }) === undefined && jsonSchema.default === undefined
    ? fc.option(values, { nil: undefined })
    : values
}

/** Objects as everybody writes them. */
const plain = { noNullPrototype: true } as const

const each = (parameters: Readonly<Record<string, Parameter<unknown>>>, valuesUnder: typeof writtenUnder): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, valuesUnder(parameter)])), plain)

// What no path segment can hold, no link can say.
const isSegment = (value: unknown): boolean => value !== '' && value !== '.' && value !== '..'
const isRest = (value: unknown): boolean => String(value).split('/').every(isSegment)

/** Values of one segment and of several. */
const restsOf = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof(
    valuesOf(schema),
    fc.array(valuesOf(schema), { minLength: 1, maxLength: 4 }).map((values) => values.join('/')),
  )

/** The captures and the query of an endpoint. An object in the query is always there, so that it has what it requires. */
export function inputsOf(endpoint: AnyEndpoint): fc.Arbitrary<{ readonly params: object; readonly query: object }> {
  const { segments, params, query, parameterGroups } = endpoint
  const inObjects = Object.fromEntries(Object.entries(query).filter(([name]) => name.includes('[')))
  const values = fc.tuple(
    each(query, writtenUnder),
    each(inObjects, ({ jsonSchema }) => valuesOf(jsonSchema)),
  )
  return fc.record(
    {
      params: each(params, (parameter) =>
        segments.some((segment) => 'capture' in segment && segment.rest && params[segment.capture] === parameter)
          ? restsOf(parameter.jsonSchema).filter(isRest)
          : valuesOf(parameter.jsonSchema).filter(isSegment),
      ),
      query: values.map(([some, members]) => joinValues(parameterGroups.query, { ...some, ...members })),
    },
    plain,
  )
}
