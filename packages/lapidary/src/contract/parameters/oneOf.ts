/** `oneOf`: one of several names. */
import { checkOptions } from '../../http/functions.ts'
import * as expectation from '../../messages/expectations.ts'
import {
  type AnyParameter,
  type Codec,
  type CodecOptions,
  type CodecWithOptions,
  createCodecDefinition,
  createCodecWithOptions,
  returnText,
} from './parameter.ts'

/**
 * One of the given names, spelled exactly so.
 *
 * @param names The first one is the example in documentation.
 * @example
 * ```ts
 * import { endpoint, noContent, oneOf, optional } from 'lapidary'
 *
 * const list = endpoint('GET /users', { query: { sortby: optional(oneOf('age', 'name')) }, response: noContent })
 * ```
 */
export function oneOf<const Names extends readonly [string, ...string[]]>(...names: Names): Codec<Names[number]>
/**
 * One of the given names, with options.
 *
 * @throws TypeError where the default or an example is none of the names.
 * @example
 * ```ts
 * import { endpoint, noContent, oneOf } from 'lapidary'
 *
 * const list = endpoint('GET /users', { query: { sortby: oneOf(['age', 'name'], { default: 'age' }) }, response: noContent })
 * ```
 */
export function oneOf<const Names extends readonly [string, ...string[]], const Default extends Names[number] = never>(
  names: Names,
  options: CodecOptions<Names[number], Default>,
): CodecWithOptions<Names[number], Default>
export function oneOf(...given: readonly unknown[]): AnyParameter {
  const [names, options] = (Array.isArray(given[0]) ? given : [given, {}]) as [readonly string[], CodecOptions<string, string> | undefined]
  checkOptions('oneOf()', options ?? {}, 'default, description, examples')
  const definition = createCodecDefinition(
    returnText,
    (text): text is string => names.some((name) => name === text),
    expectation.oneOfNames(names),
    {
      name: 'choice',
      schema: { type: 'string', enum: names },
      example: names[0] as string,
    },
  )
  return createCodecWithOptions(definition, options ?? {})
}
