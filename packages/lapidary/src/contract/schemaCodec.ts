/** `schemaCodec(Stone)`: a schema in both directions. Handlers and callers deal in its output, the wire has its input. */
import { requireFunction } from '../http/functions.ts'
import { isPromise, silenceRejection } from '../http/promises.ts'
import { encodePointer } from '../json-schema/parseError.ts'
import {
  assertSchema,
  encodeKey,
  getIssuePath,
  type Schema,
  type SchemaCodec,
  type StandardSchemaIssue,
  sourceKey,
  type ValueEncoder,
  vagueDetail,
} from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as expectation from '../messages/expectations.ts'

/** Options of `schemaCodec`. */
interface SchemaCodecOptions<Input, Output> {
  /**
   * Encodes a value as it is on the wire. It throws an error for a value that it cannot encode.
   *
   * @default the method `encode` of the schema, which those of zod have
   */
  readonly encode?: (value: Output) => Input
}

/** What a schema of zod is made of (https://zod.dev/library-authors). */
interface ZodDefinition extends Readonly<Record<string, unknown>> {
  readonly type: string
  /** Of a schema that is made when it is first needed. */
  readonly getter?: () => unknown
  /** Of an object. */
  readonly shape?: Readonly<Record<string, unknown>>
}

/** What a schema of zod has beside its public members. */
interface ZodInternals {
  readonly def: ZodDefinition
  readonly run: (payload: { readonly value: unknown; readonly issues: unknown[] }, context: { readonly async: boolean }) => unknown
}

const getZodInternals = (value: unknown): ZodInternals | undefined => (Object(value) as { readonly _zod?: ZodInternals })._zod

/** The members of a definition that are schemas: of the whole value, of its items or members, and lists of schemas. */
const wholeKeys = ['innerType', 'in', 'out', 'left', 'right'] as const
const memberKeys = ['element', 'keyType', 'valueType', 'rest', 'catchall'] as const
const listKeys = ['options', 'items'] as const

/** Kinds of zod that only decode. */
const oneWayKinds: ReadonlyMap<string, string> = new Map([
  ['transform', 'a transform'],
  ['success', 'success()'],
])

/** A part of a schema, and the path to it. */
type PartOfSchema = readonly [path: readonly string[], part: unknown]

/** A part of a schema that only decodes. */
interface OneWayPart {
  readonly pointer: string
  readonly kind: string
}

/** The schemas that a schema of zod encodes with. Others that it has, such as one in a default or in a check, encode nothing. */
function listParts({ getter, shape = {}, ...definition }: ZodDefinition, path: readonly string[]): readonly PartOfSchema[] {
  return [
    ...(getter === undefined ? [] : [[path, getter()] as const]),
    ...Object.entries(shape).map(([name, part]) => [[...path, name], part] as const),
    ...wholeKeys.map((key) => [path, definition[key]] as const),
    ...memberKeys.map((key) => [[...path, '*'], definition[key]] as const),
    ...listKeys.flatMap((key) => (definition[key] as readonly unknown[] | undefined) ?? []).map((part) => [path, part] as const),
  ]
}

/**
 * Finds a part that only decodes in a schema of zod, whose `encode` would reject every value. Other libraries do not tell.
 *
 * @param value a schema, or a list of schemas
 */
function findOneWayPart(value: unknown, path: readonly string[], seen: Set<unknown>): OneWayPart | undefined {
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined
  seen.add(value)
  if (Array.isArray(value))
    return findFirst(
      value.map((part: unknown) => [path, part] as const),
      seen,
    )
  if (sourceKey in value) return findOneWayPart(value[sourceKey], path, seen)
  const definition = getZodInternals(value)?.def
  if (definition === undefined) return undefined
  const kind = oneWayKinds.get(definition.type)
  return kind === undefined ? findFirst(listParts(definition, path), seen) : { pointer: encodePointer(path), kind }
}

function findFirst(parts: readonly PartOfSchema[], seen: Set<unknown>): OneWayPart | undefined {
  for (const [path, part] of parts) {
    const found = findOneWayPart(part, path, seen)
    if (found !== undefined) return found
  }
  return undefined
}

/** @throws TypeError for a schema that has to encode values, and has a part that only decodes. @param place as the message begins */
export function checkEncoder(schema: Schema, place: string): void {
  const found = sourceKey in schema ? findOneWayPart(schema, [], new Set()) : undefined
  if (found !== undefined) throw new TypeError(developerErrors.oneWaySchema(place, found.pointer, found.kind))
}

/**
 * The validation of a schema. What it throws is an issue with that cause: most functions that decode, such as `BigInt`, throw at a value that
 * they cannot decode.
 */
function createDecoder(schema: Schema): Schema['~standard']['validate'] {
  const zod = getZodInternals(schema)
  return (value) => {
    try {
      const result = silenceRejection(schema['~standard'].validate(value))
      // A schema of zod that throws runs once more, as if it waited for something, and its promise hides the error. Run so here, it throws.
      if (isPromise(result)) silenceRejection(zod?.run({ value, issues: [] }, { async: true }))
      return result
    } catch (error) {
      return { issues: [{ message: vagueDetail, cause: error }] }
    }
  }
}

/** The issues of a library's error, where it has some, as one text: `at /cut: expected a date`. */
function describeIssues(error: unknown): string {
  const { issues } = Object(error) as { readonly issues?: readonly StandardSchemaIssue[] }
  if (!Array.isArray(issues) || issues.length === 0) return error instanceof Error ? error.message : String(error)
  return issues
    .map((issue: StandardSchemaIssue) => {
      const pointer = encodePointer(getIssuePath(issue))
      return pointer === '' ? issue.message : `at ${pointer}: ${issue.message}`
    })
    .join('; ')
}

/**
 * A schema that decodes what arrives and encodes what is sent: handlers and callers deal in its output, such as a `Date`, and the wire has
 * its input, such as a text. It is a schema like any other: for bodies, items of streams, events and parameters.
 *
 * The JSON Schema of it, and so every document, describes the wire. Input at which it throws is 400, and `onError` of `serve` gets the error.
 *
 * @param schema made of codecs that work in both directions, such as `z.codec`
 * @throws TypeError for a schema without a method `encode`, if `encode` is not given. `serve` reports a schema that only decodes, such as one
 * with a transform.
 * @example
 * ```ts
 * import { endpoint, list, ok, schemaCodec } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const dateTime = z.codec(z.iso.datetime(), z.date(), {
 *   decode: (text) => new Date(text),
 *   encode: (date) => date.toISOString(),
 * })
 * const Stone = schemaCodec(z.object({ name: z.string(), cutAt: dateTime }))
 * const stones = endpoint('GET /stones', { response: ok(list(Stone)) })
 * const server = serve({ stones }, { stones: () => [{ name: 'opal', cutAt: new Date() }] })
 * ```
 */
export function schemaCodec<Input, Output>(
  schema: Schema<Input, Output>,
  options: SchemaCodecOptions<Input, Output> = {},
): SchemaCodec<Input, Output> {
  assertSchema(schema)
  const { encode: ownEncode } = schema as { readonly encode?: unknown }
  const { encode = ownEncode } = options
  if (encode === undefined) throw new TypeError(developerErrors.schemaWithoutEncode(schema['~standard'].vendor))
  requireFunction('schemaCodec(): encode', encode)
  const encodeValue: ValueEncoder = (value) => {
    let encoded: unknown
    try {
      encoded = Reflect.apply(encode as (value: unknown) => unknown, schema, [value])
    } catch (error) {
      throw new TypeError(`expected ${expectation.encodableValue(describeIssues(error))}`, { cause: error })
    }
    if (!isPromise(encoded)) return encoded
    encoded.catch(() => {})
    throw new TypeError(developerErrors.unexpectedPromise('The function "encode" of schemaCodec()'))
  }
  const { version, vendor, jsonSchema } = schema['~standard']
  const standard = { version, vendor, validate: createDecoder(schema), ...(jsonSchema && { jsonSchema }) } satisfies Schema['~standard']
  return Object.freeze({
    '~standard': Object.freeze(standard),
    '~wire': undefined,
    [encodeKey]: encodeValue,
    // A function of its own may encode what the schema alone cannot.
    ...(options.encode === undefined && { [sourceKey]: schema }),
  }) as unknown as SchemaCodec<Input, Output>
}
