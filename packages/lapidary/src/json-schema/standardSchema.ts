/** Standard Schema v1, with its extension for JSON Schema. */
import * as developerErrors from '../messages/developerErrors.ts'
import * as expectation from '../messages/expectations.ts'
import { isJsonObject, type JsonSchema } from './jsonSchema.ts'
import { getCause } from './parseError.ts'
import { encodeReferences, findDanglingReference } from './references.ts'

/** One issue that a schema reports. */
export interface StandardSchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  /** Of a `schemaCodec`: what its schema threw instead of issues. */
  readonly cause?: unknown
}

/** What the issues of some libraries say besides, apart from the value. */
interface VendorIssue extends StandardSchemaIssue {
  /** ArkType and Valibot: what the schema expects. */
  readonly expected?: unknown
  /** Valibot: the value as its messages quote it. */
  readonly received?: unknown
  /** ArkType and zod: the kind of the issue. */
  readonly code?: unknown
}

/** Of these, ArkType says what it expects of several branches by quoting the value. */
const quotingCodes: readonly unknown[] = ['union', 'intersection']

/** By vendor: the sentence of an issue that contains nothing of the value; undefined where that is not certain. */
const safeDetails: Readonly<Record<string, (issue: VendorIssue) => string | undefined>> = {
  lapidary: ({ message }) => message,
  // It quotes nothing but names of members that are not declared.
  zod: ({ message, code }) => (code === 'unrecognized_keys' ? undefined : message),
  arktype: ({ expected, code }) => (typeof expected === 'string' && !quotingCodes.includes(code) ? `expected ${expected}` : undefined),
  // A message of the program's own does not quote the value as the library does.
  valibot: ({ message, received }) => (typeof received === 'string' && !message.includes(received) ? message : undefined),
}

/** The message where nothing else is known. */
export const vagueDetail: string = /* @__PURE__ */ (() => `expected ${expectation.furtherCheck('a value')}`)()

/**
 * What is wrong, without the value: the toolkit never sends back what a client has sent. Many libraries quote it in their messages, "… (was
 * 12)", and no pattern finds where the quotation ends.
 *
 * @param vendor of the schema
 * @returns `vagueDetail` where the library's own words may contain the value
 */
export const getIssueDetail = (issue: StandardSchemaIssue, { '~standard': { vendor } }: Schema): string =>
  (Object.hasOwn(safeDetails, vendor) ? safeDetails[vendor]?.(issue) : undefined) ?? vagueDetail

/** The output of a schema, or its issues. */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] }

/**
 * A Standard Schema (https://standardschema.dev). `Input` is the value on the wire, `Output` the value that a handler gets.
 *
 * `jsonSchema` is its extension for JSON Schema: zod 4.2+, ArkType 2.1.28+, and Valibot through `@valibot/to-json-schema` have it.
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: {
      readonly input: (options: {
        readonly target: 'draft-2020-12'
        readonly libraryOptions?: Record<string, unknown> | undefined
      }) => Record<string, unknown>
    }
  }
}

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never

/**
 * What is written for a value: the value, where a member can be left out if it can be on the wire. A union of objects, and a value that is
 * another kind of object than on the wire, are written as a whole.
 */
export type WrittenOf<Wire, Value> = [Wire] extends [Value]
  ? Value
  : [Extract<Wire, null | undefined>] extends [never]
    ? [Wire, keyof Wire, keyof Value] extends [object, keyof Value, keyof Wire]
      ? true extends IsUnion<Wire> | IsUnion<Value>
        ? Value
        : { [Name in keyof Wire]: WrittenOf<Wire[Name], Value[Name & keyof Value]> }
      : Value
    : WrittenOf<NonNullable<Wire>, NonNullable<Value>> | Extract<Wire, undefined> | Extract<Value, null | undefined>

/**
 * A schema that works in both directions, as `schemaCodec` makes it: its values are `Value`, and on the wire they are `Wire`. `Written` is
 * what callers and handlers give: a value that may lack the members that have a default.
 */
export interface SchemaCodec<Wire, Value, Written = WrittenOf<Wire, Value>> extends Schema<Written, Value> {
  /** Types only. */
  readonly '~wire': Wire | undefined
}

/** Makes of a value what is on the wire. @throws TypeError for a value that it cannot encode */
export type ValueEncoder = (value: unknown) => unknown

/** The encoder of a schema that works in both directions, in every copy of this package. */
export const encodeKey: unique symbol = Symbol.for('lapidary.encode')

/** What a schema that works in both directions is made of: a schema of a library, or others of this kind. */
export const sourceKey: unique symbol = Symbol.for('lapidary.source')

/** Returns the encoder of a schema that works in both directions; undefined for any other, whose values are sent as they are. */
export const getEncoder = (schema: Schema): ValueEncoder | undefined => (schema as { readonly [encodeKey]?: ValueEncoder })[encodeKey]

/** The schemas that a schema of the toolkit is made of. */
const partsKey: unique symbol = Symbol.for('lapidary.parts')

/** Returns the schemas that a schema of the toolkit is made of; undefined for a schema of a library. */
export const getSchemaParts = (schema: Schema): readonly Schema[] | undefined =>
  (schema as { readonly [partsKey]?: readonly Schema[] })[partsKey]

/** What a schema of the toolkit does. */
interface SchemaDefinition<Output> {
  readonly validate: Schema<unknown, Output>['~standard']['validate']
  readonly getJsonSchema: () => Record<string, unknown>
  /** What it is made of. @default no other schema */
  readonly parts?: readonly Schema[]
  /** Of a schema that works in both directions: its encoder, and what it is made of. */
  readonly encoding?: { readonly encode: ValueEncoder; readonly source: unknown } | undefined
}

/** Makes a schema of the toolkit. */
export const createSchema = <Input, Output>({
  validate,
  getJsonSchema: input,
  parts = [],
  encoding,
}: SchemaDefinition<Output>): Schema<Input, Output> =>
  Object.freeze({
    '~standard': Object.freeze({ version: 1 as const, vendor: 'lapidary', validate, jsonSchema: { input } }),
    [partsKey]: parts,
    ...(encoding && { [encodeKey]: encoding.encode, [sourceKey]: encoding.source }),
  })

/** @throws TypeError for a value that is not a Standard Schema, and for one without JSON Schema. */
export function assertSchema(schema: Schema): void {
  // Plain JavaScript can pass any value.
  const standard: Partial<Schema['~standard']> | undefined = (schema as Partial<Schema> | null | undefined)?.['~standard']
  if (typeof standard?.validate !== 'function') throw new TypeError(developerErrors.expectedSchema())
  if (standard.jsonSchema === undefined)
    throw new TypeError(developerErrors.missingJsonSchema(`${standard.vendor}`, 'it has no "~standard".jsonSchema'))
}

/** The error of a schema that has no JSON Schema. */
export interface JsonSchemaError extends TypeError {
  readonly schema: Schema
}

/** How the JSON Schema of a library is read, where it does not say itself which members an object has. */
interface VendorRule {
  /** Options for the library. */
  readonly libraryOptions?: Record<string, unknown>
  /** Changes a value within the JSON Schema; `undefined` removes it. */
  readonly revive?: (keyword: string, value: unknown) => unknown
}

const vendorRules: ReadonlyMap<string, VendorRule> = new Map<string, VendorRule>([
  [
    'effect',
    {
      // Effect says so of every struct, whose reader drops undeclared members: read literally, each column of a row would be sent. A record
      // of any members has no such keyword there, or `{}`.
      revive: (keyword, value) => (keyword === 'additionalProperties' && value === true ? undefined : value),
    },
  ],
  [
    'joi',
    {
      // A closed object has `additionalProperties: false` there, so that one without it is `.unknown()`.
      revive: (_, value) =>
        isJsonObject(value) && value['type'] === 'object' && (value['properties'] ?? value['patternProperties']) !== undefined
          ? { additionalProperties: {}, ...value }
          : value,
    },
  ],
  [
    'valibot',
    {
      // A loose object has the JSON Schema of a usual one.
      libraryOptions: {
        overrideSchema: ({
          valibotSchema,
          jsonSchema,
        }: {
          readonly valibotSchema: { readonly type: string }
          readonly jsonSchema: JsonSchema
        }) => (valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: {} } : undefined),
      },
    },
  ],
])

const jsonSchemaCache = new WeakMap<object, JsonSchema>()

/**
 * The JSON Schema of the value on the wire.
 *
 * @throws JsonSchemaError where the schema, or one that it is made of, cannot produce one.
 */
export function getJsonSchema(schema: Schema): JsonSchema {
  const cached = jsonSchemaCache.get(schema)
  if (cached !== undefined) return cached
  // `assertSchema` has rejected a schema without it.
  const standard = schema['~standard'] as Required<Schema['~standard']>
  const { libraryOptions, revive } = vendorRules.get(standard.vendor) ?? {}
  let jsonSchema: JsonSchema
  try {
    jsonSchema = standard.jsonSchema.input({ target: 'draft-2020-12', ...(libraryOptions && { libraryOptions }) })
  } catch (error) {
    const cause = error as Partial<JsonSchemaError>
    // The error of a schema within this one names what is wrong.
    throw cause.schema
      ? cause
      : Object.assign(new TypeError(developerErrors.missingJsonSchema(standard.vendor, `${cause.message}`), { cause }), { schema })
  }
  jsonSchema = encodeReferences(revive === undefined ? jsonSchema : (JSON.parse(JSON.stringify(jsonSchema), revive) as JsonSchema))
  const dangling = findDanglingReference(jsonSchema)
  if (dangling !== undefined) throw Object.assign(new TypeError(developerErrors.danglingReference(standard.vendor, dangling)), { schema })
  jsonSchemaCache.set(schema, jsonSchema)
  return jsonSchema
}

/** The keys of the path of an issue. `map` of a path of ArkType returns one that is too long. */
export const getIssuePath = ({ path = [] }: StandardSchemaIssue): readonly PropertyKey[] =>
  Array.from(path, (part) => (typeof part === 'object' ? part.key : part))

/** The issues of a part, with the step that leads to it, and without the value. @param schema that of the part */
export const prefixIssue = (issue: StandardSchemaIssue, step: PropertyKey, schema: Schema): StandardSchemaIssue => ({
  message: getIssueDetail(issue, schema),
  path: [step, ...(issue.path ?? [])],
  ...getCause(issue),
})
