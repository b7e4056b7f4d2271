/** `array`: a parameter with any number of values. */

import { checkOptions } from '../../http/functions.ts'
import { isParseError, parseError } from '../../json-schema/parseError.ts'
import { isOutOfBounds } from '../../json-schema/validator.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'
import type { FilePart, UploadedFile } from './file.ts'
import { type Codec, describeDefinitionValue, getDocumentation, type Parameter, type ParameterOptions } from './parameter.ts'

/** Options of `array`. */
interface ArrayOptions<T> extends ParameterOptions<readonly T[]> {
  /** @default 0 */
  readonly minItems?: number
  /** @default Infinity */
  readonly maxItems?: number
}

/**
 * All values of a parameter, in order; without one, the empty list: `?tag=a&tag=b`, or in a header `X-Tag: a,b`.
 *
 * @example
 * ```ts
 * import { array, endpoint, noContent, text } from 'lapidary'
 *
 * const search = endpoint('GET /stones', { query: { tag: array(text) }, response: noContent })
 * ```
 */
export function array<T>(item: Codec<T>, options?: ArrayOptions<NoInfer<T>>): Parameter<readonly T[], readonly T[] | undefined>
/** All files under a name of a form. */
export function array(item: FilePart, options?: ArrayOptions<never>): Parameter<readonly UploadedFile[], readonly Blob[] | undefined>
export function array<T>(item: Codec<T>, options: ArrayOptions<T> = {}): Parameter<readonly T[], readonly T[] | undefined> {
  checkOptions('array()', options, 'minItems, maxItems, description, examples')
  // Plain JavaScript can give a schema.
  if (!Array.isArray(Object(item).examples)) throw new TypeError(developerErrors.expectedItemCodec(describeDefinitionValue(item)))
  const { minItems = 0, maxItems } = options
  const jsonSchema = {
    type: 'array',
    items: item.jsonSchema,
    ...(minItems > 0 && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  }
  if (!(minItems >= 0 && minItems <= (maxItems ?? minItems))) throw new TypeError(developerErrors.contradictoryItems(minItems, maxItems))
  const expected = ({ length }: readonly unknown[]): string => expectation.items(minItems, maxItems, length)
  const parameter: Parameter<readonly T[], readonly T[] | undefined> & { readonly item: Codec<T> } = {
    name: `list of ${item.name}`,
    required: minItems > 0,
    repeats: true,
    item,
    read: ({ values: texts }) => {
      if (isOutOfBounds(jsonSchema, texts)) return parseError(expected(texts))
      const values: T[] = []
      for (const text of texts) {
        const value = item.parse(text)
        if (isParseError(value)) return value
        values.push(value)
      }
      return values
    },
    write: (values = []) => {
      if (isOutOfBounds(jsonSchema, values)) throw new TypeError(developerErrors.unencodableValue('This list', expected(values)))
      return values.map(item.print)
    },
    jsonSchema,
    examples: Object.freeze(
      Array.from({ length: Math.max(minItems, item.examples.length) }, (_, index) => item.examples[index % item.examples.length] ?? ''),
    ),
  }
  const shown = getDocumentation(parameter, options)
  // The examples are shown as one list.
  return Object.freeze({ ...parameter, ...shown, examples: shown.examples.slice(0, maxItems) })
}
