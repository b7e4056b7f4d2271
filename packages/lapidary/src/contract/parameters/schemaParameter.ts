/** Parameters that a Standard Schema describes: its JSON Schema says how a text becomes a value, and the schema validates the value. */
import { isPromise } from '../../http/promises.ts'
import { describeRejected, followPath } from '../../json-schema/invalidPlaces.ts'
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { encodePointer, getCause, type Issue, isParseError, maxIssues, ParseError, parseError } from '../../json-schema/parseError.ts'
import { parseSchema, type SchemaNode } from '../../json-schema/schemaNode.ts'
import {
  assertSchema,
  getEncoder,
  getIssueDetail,
  getIssuePath,
  getJsonSchema,
  type Schema,
  type StandardSchemaIssue,
  vagueDetail,
} from '../../json-schema/standardSchema.ts'
import * as expectation from '../../messages/expectations.ts'
import type { AnyParameter, Codec, ParameterInput } from './parameter.ts'
import { createTextFormat, type TextFormat } from './schemaTexts.ts'

/** Whether a part of a definition is a Standard Schema. Types of ArkType are functions. */
export const isSchema = (value: unknown): value is Schema =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value

/** A parameter that a schema describes. */
interface SchemaParameter extends Codec<unknown> {
  /** Reads the value that a caller writes: the schema may make another one of it. */
  readonly readInput: (input: ParameterInput) => unknown
  /** The same parameter, whose values are those of the wire; absent where they are so anyway. */
  readonly wire?: AnyParameter
}

/** Returns the same parameter with the values of the wire: it encodes nothing. */
export const toWireParameter = (parameter: AnyParameter): AnyParameter => (parameter as Partial<SchemaParameter>).wire ?? parameter

/** The same parameter; one with a schema reads what a caller writes, and not what the schema makes of it. */
export function toInputParameter<P extends AnyParameter>(parameter: P): P {
  if (!('readInput' in parameter)) return parameter
  const { readInput } = parameter as P & SchemaParameter
  return { ...parameter, read: readInput, parse: (text: string) => readInput({ values: [text], isPresent: true }) }
}

/** Creates the function that says what is wrong with the value of a parameter, without the value. */
export function createIssueDescriber(schema: Schema, value: unknown): (issue: StandardSchemaIssue) => string {
  return (issue) => {
    const detail = getIssueDetail(issue, schema)
    return detail === vagueDetail ? describeRejected(...followPath(parseSchema(getJsonSchema(schema)), value, issue)) : detail
  }
}

function toParameterError(issues: readonly StandardSchemaIssue[], schema: Schema, value: unknown): ParseError {
  const describe = createIssueDescriber(schema, value)
  const toIssue = (issue: StandardSchemaIssue): Issue => ({
    pointer: encodePointer(getIssuePath(issue)),
    detail: describe(issue),
    ...getCause(issue),
  })
  return new ParseError(issues.slice(0, maxIssues).map(toIssue))
}

/** Whether a schema accepts a value, as far as it says so at once. */
export function acceptsAtOnce(schema: Schema, value: unknown): boolean {
  try {
    const result = schema['~standard'].validate(value)
    if (!isPromise(result)) return result.issues === undefined
    result.catch(() => {})
  } catch {
    // The schema does not expect such a value.
  }
  return false
}

/** The JSON Schema of one member, alone: with the definitions that it refers to. */
function isolateSchema({ raw, schema, root }: SchemaNode): JsonSchema {
  const { $ref: _reference, $schema: _dialect, ...own }: JsonSchema = { ...schema, ...raw }
  return root.$defs !== undefined && JSON.stringify(own).includes('"$ref"') ? { ...own, $defs: root.$defs } : own
}

/** The texts of the values that a JSON Schema states itself. Those of a list are one value. */
function writeStatedValues(
  { isList, write }: TextFormat,
  { examples = [], default: fallback, enum: names = [] }: JsonSchema,
): readonly string[] {
  const stated = [...examples, fallback, names[0]].filter((value) => value !== undefined)
  return stated.slice(0, isList ? 1 : undefined).flatMap((value) => {
    try {
      return write(value)
    } catch {
      // A default has the type that a handler reads, and that may have no text.
      return []
    }
  })
}

/**
 * Makes a parameter of one member of a schema. It reads the value that the schema then validates: undefined where the request has none.
 *
 * @throws TypeError for a schema whose values no text holds
 */
export function createMemberParameter(node: SchemaNode, isRequired: boolean): SchemaParameter {
  const format = createTextFormat(node)
  const jsonSchema = isolateSchema(node)
  const { description } = jsonSchema
  const read = ({ values }: ParameterInput): unknown => {
    if (values.length > 0) return format.read(values)
    if (format.isList && isRequired) return []
    return isRequired ? parseError(expectation.present()) : undefined
  }
  return Object.freeze({
    ...(description !== undefined && { description }),
    name: format.name,
    required: isRequired && !(format.isList && !jsonSchema.minItems),
    repeats: format.isList,
    jsonSchema,
    examples: Object.freeze(writeStatedValues(format, jsonSchema)),
    read,
    readInput: read,
    write: (value) => (value === undefined ? [] : format.write(value)),
    parse: (text) => format.read([text]),
    print: (value) => format.write(value)[0] as string,
  } satisfies SchemaParameter)
}

/**
 * Makes a parameter of a schema of a scalar, or of a list of scalars.
 *
 * @throws TypeError for a schema whose values no text holds
 */
export function createSchemaParameter(schema: Schema): SchemaParameter {
  assertSchema(schema)
  const isOptional = acceptsAtOnce(schema, undefined)
  const parameter = createMemberParameter(parseSchema(getJsonSchema(schema)), !isOptional)
  const validate = (value: unknown): unknown => {
    if (isParseError(value)) return value
    const result = schema['~standard'].validate(value)
    // The reader of the request reports a schema that is asynchronous.
    if (isPromise(result)) return result
    return result.issues ? toParameterError(result.issues, schema, value) : result.value
  }
  const read = (input: ParameterInput): unknown => validate(parameter.read(input))
  const decoding = { ...parameter, read, parse: (text: string) => validate(parameter.parse(text)) }
  const encode = getEncoder(schema)
  if (encode === undefined) return Object.freeze(decoding satisfies SchemaParameter)
  return Object.freeze({
    ...decoding,
    wire: Object.freeze(decoding),
    write: (value) => (value === undefined ? [] : parameter.write(encode(value))),
    print: (value) => parameter.print(encode(value)),
  } satisfies SchemaParameter)
}
