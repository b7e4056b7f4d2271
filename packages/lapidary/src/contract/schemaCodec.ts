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
import { containsDefault, fillDefaults } from './fillDefaults.ts'
import { getZodInternals, listParts, type PartOfSchema } from './zodSchema.ts'

/** Options of `schemaCodec`. */
interface SchemaCodecOptions<Input, Output> {
  /**
   * Encodes a value as it is on the wire. It throws an error for a value that it cannot encode.
   *
   * @default the method `encode` of the schema, which those of zod have
   */
  readonly encode?: (value: Output) => Input
}

/** Kinds of zod that only decode. */
const oneWayKinds: ReadonlyMap<string, string> = new Map([
  ['transform', 'a transform'],
  ['success', 'success()'],
])

/** A part of a schema that only decodes. */
interface OneWayPart {
  readonly pointer: string
  readonly kind: string
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
 * A member that has a default can be left out: `schemaCodec` fills the default in before it encodes.
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
export function schemaCodec<Input, Output>(schema: Schema<Input, Output>): SchemaCodec<Input, Output>
/** With a function that encodes. It gets whole values: members that have a default cannot be left out. */
export function schemaCodec<Input, Output>(
  schema: Schema<Input, Output>,
  options: SchemaCodecOptions<Input, Output>,
): SchemaCodec<Input, Output, Output>
export function schemaCodec<Input, Output>(
  schema: Schema<Input, Output>,
  options: SchemaCodecOptions<Input, Output> = {},
): SchemaCodec<Input, Output, unknown> {
  assertSchema(schema)
  const { encode: ownEncode } = schema as { readonly encode?: unknown }
  const { encode = ownEncode } = options
  if (encode === undefined) throw new TypeError(developerErrors.schemaWithoutEncode(schema['~standard'].vendor))
  requireFunction('schemaCodec(): encode', encode)
  // When the first value is encoded, because a schema can be made of one that is declared after it.
  let fillsDefaults: boolean | undefined = options.encode === undefined ? undefined : false
  const encodeValue: ValueEncoder = (value) => {
    let encoded: unknown
    try {
      fillsDefaults ??= containsDefault(schema)
      encoded = Reflect.apply(encode as (value: unknown) => unknown, schema, [fillsDefaults ? fillDefaults(schema, value) : value])
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
  }) as unknown as SchemaCodec<Input, Output, unknown>
}
