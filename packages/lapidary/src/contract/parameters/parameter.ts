/**
 * Parameters: named values that a request or a response carries as text. Each is a query parameter or a header; a `Codec` can be a capture
 * as well.
 */
import { checkOptions, requireFunction } from '../../http/functions.ts'
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { type ParseError, parseError } from '../../json-schema/parseError.ts'
import type { Schema } from '../../json-schema/standardSchema.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'

/** The value that a schema makes, and the one on the wire. */
export type SchemaOutput<S extends Schema> = NonNullable<S['~standard']['types']>['output']
export type SchemaInput<S extends Schema> = NonNullable<S['~standard']['types']>['input']

/** The value of one parameter. */
export type ReadValue<P> = P extends Parameter<infer Value, infer _Written> ? Value : P extends Schema ? SchemaOutput<P> : never
export type WrittenValue<P> = P extends Parameter<infer _Value, infer Written> ? Written : P extends Schema ? SchemaInput<P> : never

/** The values that a handler gets for a record of codecs and schemas, or for one schema. */
export type ReadValues<Part> = Part extends Schema ? SchemaOutput<Part> : { readonly [Name in keyof Part]: ReadValue<Part[Name]> }
/** The values that a caller writes for them. A value that can be undefined can be left out. */
export type WrittenValues<Part> = Part extends Schema
  ? SchemaInput<Part>
  : WithOptional<{ readonly [Name in keyof Part]: WrittenValue<Part[Name]> }>

/** The members of an intersection, as one object. */
// Conditional, so that editors and messages show the members rather than this name.
export type Simplify<T> = T extends unknown ? { readonly [Name in keyof T]: T[Name] } : never

/** No members. A part of a call that accepts it can be left out. `Partial` would decide the same, at a higher cost to the compiler. */
export type Nothing = Readonly<Record<never, unknown>>

/** The same members; those that can be undefined can be left out. */
export type WithOptional<T> = Simplify<
  { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
    readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: T[Name]
  }
>

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
  /** What stands between the values of a list in one text of the query; absent: each value is a text of its own. */
  readonly delimiter?: Delimiter
  readonly jsonSchema: JsonSchema
  /** Texts to show in documentation. */
  readonly examples: readonly string[]
  readonly description?: string
}

/** What stands between the values of a list in one text. */
export type Delimiter = ',' | '|' | ' '

/** The texts of the values of a parameter as they stand in the query: those of a list with a delimiter as one text. */
export const joinTexts = (texts: readonly string[], delimiter: Delimiter | undefined): readonly string[] =>
  delimiter === undefined || texts.length === 0 ? texts : [texts.join(delimiter)]

/** The texts of values, of those in the query: the inverse of `joinTexts`. An empty text has no value. */
export const splitTexts = (texts: readonly string[], delimiter: Delimiter | undefined): readonly string[] =>
  delimiter === undefined ? texts : texts.flatMap((text) => (text === '' ? [] : text.split(delimiter)))

/** Whether a reader can split the text of these values again. */
export const canJoinTexts = (texts: readonly string[], delimiter: Delimiter | undefined): boolean =>
  delimiter === undefined || texts.every((text) => text !== '' && !text.includes(delimiter))

/** A list whose values can be read one by one. */
interface ListParameter extends Parameter<unknown> {
  readonly item: AnyCodec
}

/** The codec of each value of a list of `array`; undefined for any other parameter. */
export const getListItem = (parameter: AnyParameter): AnyCodec | undefined => (parameter as Partial<ListParameter>).item

/** A parameter of any types. */
// biome-ignore lint/suspicious/noExplicitAny: of `unknown` it would have to write every value, and an `int` writes numbers only
export type AnyParameter = Parameter<any, any>

/** Parameters by their names. */
export type ParameterRecord = Readonly<Record<string, AnyParameter>>

/** Values by the names of their parameters. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** A value by the name of its parameter; undefined for one that only every object has, such as `constructor`. */
export const getValue = (values: ParameterValues, name: string): unknown =>
  name in Object.prototype && !Object.hasOwn(values, name) ? undefined : values[name]

/** Defines a value by the name of its parameter. An assignment to `__proto__` would change the prototype. */
export function defineValue(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(values, name, { value, configurable: true, enumerable: true, writable: true })
  else values[name] = value
}

/** The description of a parameter in documentation. */
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

/** The value of a parameter, or undefined where the request has none. */
export function createOptionalParameter<T, Written>(
  parameter: Parameter<T, Written>,
  options: ParameterOptions<Written> = {},
): Parameter<T | undefined, Written | undefined> {
  const { name, repeats, jsonSchema, required } = parameter
  const item = getListItem(parameter)
  // Member by member: with the `parse` of a codec it could be a capture, which is never absent.
  return Object.freeze({
    ...getDocumentation(parameter, options),
    name,
    repeats,
    ...(item !== undefined && { item }),
    jsonSchema,
    required: false,
    // A codec with a default keeps it.
    read: (input) => (input.values.length === 0 && (required || jsonSchema.default === undefined) ? undefined : parameter.read(input)),
    write: (value) => (value === undefined ? [] : parameter.write(value)),
  } satisfies Parameter<T | undefined, Written | undefined>)
}

/** What every codec takes as options. */
export interface CodecOptions<T, Default extends T = never> {
  /** The value of a request without the parameter; callers can leave it out. */
  readonly default?: Default
  /** A sentence for documentation. */
  readonly description?: string
  /** Values to show in documentation. */
  readonly examples?: readonly T[]
}

/** A codec with options. With a default it can be left out, so it is no codec of a capture. */
export type CodecWithOptions<T, Default> = [Default] extends [never] ? Codec<T> : Parameter<T, T | undefined>

/** A codec, and a function that returns one with options. */
export interface SimpleCodec<T> extends Codec<T> {
  <const Default extends T = never>(options: CodecOptions<T, Default>): CodecWithOptions<T, Default>
}

/** The text itself, as the value. */
export const returnText = (text: string): string => text

/**
 * Creates the definition of a codec whose values one test tells from others.
 *
 * @param read returns the value of a text, or anything that fails the test
 * @param expected what the test asks for, to follow the word "expected"
 */
export const createCodecDefinition = <T>(
  read: (text: string) => unknown,
  isAllowed: (value: unknown) => value is T,
  expected: string,
  { name, schema, example }: Pick<CodecDefinition<T>, 'name' | 'schema' | 'example'>,
): CodecDefinition<T> => ({
  name,
  schema,
  example,
  parse: (text) => {
    const value = read(text)
    return isAllowed(value) ? value : parseError(expected)
  },
  print: (value) => {
    if (!isAllowed(value)) throw new TypeError(developerErrors.unencodableValue(value, expected))
    return `${value}`
  },
})

/**
 * Creates a codec with options.
 *
 * @throws TypeError where the default or an example is not a value of the codec.
 */
export function createCodecWithOptions<T>(definition: CodecDefinition<T>, options: CodecOptions<T, T>): Codec<T> {
  const { default: fallback, examples } = options
  try {
    // The example of the definition may be outside the bounds or the pattern of the options.
    const plain = codec({ ...definition, example: examples?.[0] ?? fallback ?? definition.example })
    const made = { ...plain, ...getDocumentation(plain, options) }
    if (fallback === undefined) return Object.freeze(made)
    const values = made.write(fallback)
    return Object.freeze({
      ...createOptionalParameter(made),
      // The text is read for each request, so that no handler can change the default of another.
      read: (input) => made.read(input.values.length === 0 ? { values, isPresent: true } : input),
      jsonSchema: { ...made.jsonSchema, default: typeof fallback === 'object' ? values[0] : fallback },
    } satisfies Parameter<T, T | undefined> as unknown as Codec<T>)
  } catch (error) {
    throw new TypeError(developerErrors.contradictoryOptions(definition.name, (error as Error).message), { cause: error })
  }
}

/**
 * Creates a codec that is also a function of its options.
 *
 * @param createDefinition creates the definition with these options
 * @param bounds the names of its own options, each with a comma and a space after it
 * @param others members that it has besides
 */
export function createCallableCodec<T, Options extends CodecOptions<T, T>, Callable>(
  createDefinition: (options: Options) => CodecDefinition<T>,
  bounds = '',
  others = {},
): Callable {
  const plain = codec(createDefinition({} as Options))
  const call = (options: Options): Codec<T> => {
    checkOptions(plain.name, options, `${bounds}default, description, examples`)
    return createCodecWithOptions(createDefinition(options), options)
  }
  // A function has a `name` that cannot be assigned.
  return Object.freeze(Object.defineProperties(call, Object.getOwnPropertyDescriptors({ ...plain, ...others }))) as Callable
}
