/** The options of the toolkit's own codecs: a default, a description, examples, and the bounds of each codec. */
import { parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { createOptionalParameter } from './optionalParameter.ts'
import { type Codec, type CodecDefinition, codec, getDocumentation, type Parameter } from './parameter.ts'

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
 * Defines a codec whose values one test tells from others.
 *
 * @param read returns the value of a text, or anything that fails the test
 * @param expected what the test asks for, to follow the word "expected"
 */
export const defineCodec = <T>(
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
 * Makes a codec with options.
 *
 * @throws TypeError where the default or an example is not a value of the codec.
 */
export function createCodec<T>(definition: CodecDefinition<T>, options: CodecOptions<T, T>): Codec<T> {
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
    throw new TypeError(developerErrors.contradictoryOptions(definition.name, (error as Error).message))
  }
}

/** @throws TypeError for an option that does not exist. */
export function checkOptions(name: string, options: object, known: string): void {
  for (const option of Object.keys(options))
    if (!known.split(', ').includes(option)) throw new TypeError(developerErrors.unknownOption(name, option, known))
}

/**
 * Makes a codec that is also a function of its options.
 *
 * @param define returns the codec with these options
 * @param bounds the names of its own options, each with a comma and a space behind it
 * @param others members that it has besides
 */
export function createCallableCodec<T, Options extends CodecOptions<T, T>, Callable>(
  define: (options: Options) => CodecDefinition<T>,
  bounds = '',
  others = {},
): Callable {
  const plain = codec(define({} as Options))
  const call = (options: Options): Codec<T> => {
    checkOptions(plain.name, options, `${bounds}default, description, examples`)
    return createCodec(define(options), options)
  }
  // A function has a `name` that cannot be assigned.
  return Object.freeze(Object.defineProperties(call, Object.getOwnPropertyDescriptors({ ...plain, ...others }))) as Callable
}
