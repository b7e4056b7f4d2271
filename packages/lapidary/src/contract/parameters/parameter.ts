/**
 * Parameters: named values that a request or a response carries as text. Each is a query parameter or a header; a `Codec` can be a capture
 * as well.
 */
import { requireFunction } from '../../http/functions.ts'
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { type ParseError, parseError } from '../../json-schema/parseError.ts'
import * as expectation from '../../messages/expectations.ts'

/** The texts that a message has under one name. */
export interface ParameterInput {
  /** The values, decoded, in order. `?tag=a&tag=b` has two; `?tag` without `=` has none. */
  readonly values: readonly string[]
  /** Whether the name is there, with or without a value. */
  readonly isPresent: boolean
}

/**
 * Reads and writes the texts under one name. `Written` is the type that callers write; it includes undefined where the value can be left
 * out.
 */
export interface Parameter<T, Written = T> {
  /** Its type in documentation: `integer`, `list of text`. */
  readonly name: string
  readonly read: (input: ParameterInput) => T | ParseError
  /** The texts to send, in order. None: the name is left out. */
  readonly write: (value: Written) => readonly string[]
  /** Whether a request without it is an error. */
  readonly required: boolean
  /** Whether the name can occur several times. In a header, one field can have several values, separated by commas. */
  readonly repeats: boolean
  readonly jsonSchema: JsonSchema
  /** Texts to show in documentation. */
  readonly examples: readonly string[]
  readonly description?: string
}

/** A parameter of any types. */
// biome-ignore lint/suspicious/noExplicitAny: of `unknown` it would have to write every value, and an `int` writes numbers only
export type AnyParameter = Parameter<any, any>

/** Parameters by their names. */
export type ParameterRecord = Readonly<Record<string, AnyParameter>>

/** Values by the names of their parameters. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** What documentation says of a parameter. */
export interface ParameterOptions<Written> {
  /** A sentence. */
  readonly description?: string
  /** Values to show. */
  readonly examples?: readonly Written[]
}

/** The description and the examples of a parameter, with those of the options in their place. */
export function getDocumentation<T, Written>(
  { description, examples, write }: Parameter<T, Written>,
  options: ParameterOptions<Written>,
): Pick<Parameter<T>, 'description' | 'examples'> {
  const sentence = options.description ?? description
  return {
    ...(sentence && { description: sentence }),
    examples: options.examples ? Object.freeze(options.examples.flatMap(write)) : examples,
  }
}

/** A parameter with exactly one text. A capture needs a codec; a query parameter or a header can have one. */
export interface Codec<T> extends Parameter<T> {
  readonly parse: (text: string) => T | ParseError
  readonly print: (value: T) => string
}

/** A codec of any type. */
// biome-ignore lint/suspicious/noExplicitAny: as for AnyParameter
export type AnyCodec = Codec<any>

/** The definition of a codec. */
export interface CodecDefinition<T> {
  /** Its type in documentation: `integer`. */
  readonly name: string
  /** Returns the value of a text, or `parseError('…')`. */
  readonly parse: (text: string) => T | ParseError
  /** Returns the text of a value; `parse(print(value))` is the value again. */
  readonly print: (value: T) => string
  /** The JSON Schema of the value, for documentation. */
  readonly schema: JsonSchema
  /** A value to show in documentation. */
  readonly example: T
  /** A sentence for documentation. */
  readonly description?: string
}

/**
 * Makes a codec of two functions.
 *
 * @example
 * ```ts
 * import { codec, parseError } from 'lapidary'
 *
 * const hex = codec<number>({
 *   name: 'hexadecimal number',
 *   parse: (text) => (/^[0-9a-f]{1,8}$/.test(text) ? Number.parseInt(text, 16) : parseError('a hexadecimal number such as ff')),
 *   print: (value) => value.toString(16),
 *   schema: { type: 'string', pattern: '^[0-9a-f]{1,8}$' },
 *   example: 255,
 * })
 * ```
 */
export function codec<T>(definition: CodecDefinition<T>): Codec<T> {
  const { name, parse, print, schema, example, description } = definition
  requireFunction(`codec("${name}"): parse`, parse)
  requireFunction(`codec("${name}"): print`, print)
  return Object.freeze({
    ...(description === undefined ? {} : { description }),
    name,
    parse,
    print,
    jsonSchema: schema,
    required: true,
    repeats: false,
    examples: Object.freeze([print(example)]),
    read: ({ values }: ParameterInput) => {
      const [text] = values
      if (text === undefined) return parseError(expectation.present())
      return values.length === 1 ? parse(text) : parseError(expectation.oneValue(values.length))
    },
    write: (value: T) => [print(value)],
  })
}

/** The kind of a value that stands where a part of a definition is expected, for a message. */
export function describeDefinitionValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value !== 'object' && typeof value !== 'function') return `a ${typeof value}`
  if ('~standard' in value) return 'a schema'
  return 'media' in value ? 'a body' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
}
