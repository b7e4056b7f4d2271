/** `schemaCodec(Stone)`: a schema in both directions. Handlers and callers deal in its output, the wire has its input. */
import { requireFunction } from '../http/functions.ts'
import { isPromise } from '../http/promises.ts'
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
interface ZodDefinition {
  readonly type: string
  /** Of a codec, beside `transform`. */
  readonly reverseTransform?: unknown
  /** Of a schema that is made when it is first needed. */
  readonly getter?: () => unknown
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
 * @param value a schema, or what holds schemas in the definition of one
 */
function findOneWayPart(value: unknown, path: readonly string[], seen: Set<unknown>): OneWayPart | undefined {
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined
  seen.add(value)
  if (sourceKey in value) return findOneWayPart(value[sourceKey], path, seen)
  const definition = (value as { readonly _zod?: { readonly def?: ZodDefinition } })._zod?.def
  if (definition === undefined) {
    // A shape, or a list of options.
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return undefined
    const steps = Array.isArray(value)
      ? value.map((part) => [path, part] as const)
      : Object.entries(value).map(([key, part]) => [[...path, key], part] as const)
    return findFirst(steps, seen)
  }
  const kind = oneWayKinds.get(definition.type)
  if (kind !== undefined) return { pointer: encodePointer(path), kind }
  const { getter, ...parts } = definition
  const step = definition.type === 'array' || definition.type === 'record' ? [...path, '*'] : path
  const inner = Object.entries(parts).map(([, part]) => [step, part] as const)
  return findFirst(typeof getter === 'function' ? [[path, getter()], ...inner] : inner, seen)
}

function findFirst(parts: readonly (readonly [path: readonly string[], part: unknown])[], seen: Set<unknown>): OneWayPart | undefined {
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
 * The JSON Schema of it, and so every document, describes the wire.
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
  const { encode = (schema as { readonly encode?: unknown }).encode } = options
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
  const { version, vendor, validate, jsonSchema } = schema['~standard']
  const standard = { version, vendor, validate, ...(jsonSchema && { jsonSchema }) } satisfies Schema['~standard']
  return Object.freeze({
    '~standard': Object.freeze(standard),
    '~wire': undefined,
    [encodeKey]: encodeValue,
    [sourceKey]: schema,
  }) as unknown as SchemaCodec<Input, Output>
}
