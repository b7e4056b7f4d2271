/** A value that stands under a name as text: a query parameter or a header; and, where it is a scalar, a capture. */
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { type ParseError, parseError } from '../../json-schema/parseError.ts'
import { expectation } from '../../messages/problemMessages.ts'

/** What a request gave under one name. */
export interface ParameterInput {
  /** The values, decoded, in their order. `?tag=a&tag=b` gives two; `?tag` without `=` gives none. */
  readonly values: readonly string[]
  /** Whether the name stands there at all, with or without a value. */
  readonly isPresent: boolean
}

/** Reads and writes everything that stands under one name. `Written` is what a caller may give for it: undefined, too, where nothing is as good as a value. */
export interface Parameter<T, Written = T> {
  /** What the documentation calls it: `integer`, `list of text`. */
  readonly name: string
  readonly read: (given: ParameterInput) => T | ParseError
  /** The texts to send under the name, in order; none: the name is left out. */
  readonly write: (value: Written) => readonly string[]
  /** Whether a request without it is refused. */
  readonly required: boolean
  /** Whether the name may stand there more than once; in a header, the values of one line are separated by commas. */
  readonly repeats: boolean
  readonly jsonSchema: JsonSchema
  /** Values to show in documentation, as they are written. */
  readonly examples: readonly string[]
  readonly description?: string
}

// biome-ignore lint/suspicious/noExplicitAny: any parameter is meant
export type AnyParameter = Parameter<any, any>

/** A value with exactly one text. Captures take scalars; query parameters and headers take them too. */
export interface Codec<T> extends Parameter<T> {
  readonly parse: (text: string) => T | ParseError
  readonly print: (value: T) => string
}

/** What a scalar of one's own needs. */
export interface CodecDefinition<T> {
  readonly name: string
  /** The value that a text stands for, or `parseError('…')`. */
  readonly parse: (text: string) => T | ParseError
  /** The text that stands for a value; `parse(print(value))` is the value again. */
  readonly print: (value: T) => string
  /** How JSON Schema says it, for the documentation. */
  readonly schema: JsonSchema
  readonly example: T
}

/** Makes a codec of two functions: `codec({ name: 'hex', parse, print, schema, example })`. */
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

/** The same parameter with words and values for the documentation: `described(int, 'how many', 5, 10)`. */
export function described<T, P extends Parameter<T>>(
  parameter: P & Parameter<T>,
  description: string,
  ...examples: readonly NoInfer<T>[]
): P {
  const shown = examples.flatMap((example) => parameter.write(example))
  return Object.freeze({ ...parameter, description, examples: shown.length > 0 ? Object.freeze(shown) : parameter.examples })
}
