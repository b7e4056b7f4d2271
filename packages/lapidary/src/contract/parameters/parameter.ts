/**
 * Parameters: named values that a request or a response carries as text. A query parameter or a header; a `Codec` can be a capture, too.
 */
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { type ParseError, parseError } from '../../json-schema/parseError.ts'
import { expectation } from '../../messages/problemMessages.ts'

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

// biome-ignore lint/suspicious/noExplicitAny: any parameter is meant
export type AnyParameter = Parameter<any, any>

/** A parameter with exactly one text. A capture needs a codec; a query parameter or a header can have one. */
export interface Codec<T> extends Parameter<T> {
  readonly parse: (text: string) => T | ParseError
  readonly print: (value: T) => string
}

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
  const { name, parse, print, schema, example } = definition
  return Object.freeze({
    name,
    parse,
    print,
    jsonSchema: schema,
    required: true,
    repeats: false,
    examples: Object.freeze([print(example)]),
    read: ({ values: texts }: ParameterInput) => {
      const [text] = texts
      if (text === undefined) return parseError(expectation.present())
      return texts.length === 1 ? parse(text) : parseError(expectation.oneValue(texts.length))
    },
    write: (value: T) => [print(value)],
  })
}

/**
 * The same parameter with a description and examples for documentation.
 *
 * @param examples Default: those of the parameter.
 * @example
 * ```ts
 * import { described, int } from 'lapidary'
 *
 * const limit = described(int, 'The most items of a page.', 10, 50)
 * ```
 */
export function described<T, P extends Parameter<T>>(
  parameter: P & Parameter<T>,
  description: string,
  ...examples: readonly NoInfer<T>[]
): P {
  const texts = examples.flatMap((example) => parameter.write(example))
  return Object.freeze({ ...parameter, description, examples: texts.length > 0 ? Object.freeze(texts) : parameter.examples })
}
