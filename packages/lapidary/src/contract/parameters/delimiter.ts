/** `withDelimiter`: a list in one text of the query: `?tag=a,b`. */
import { parseError } from '../../json-schema/parseError.ts'
import type { Schema } from '../../json-schema/standardSchema.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { noEmptyValue } from '../../messages/expectations.ts'
import type { AnyParameter, Delimiter, Parameter } from './parameter.ts'
import { createSchemaParameter, isSchema, toWireParameter } from './schemaParameter.ts'

/**
 * A list whose values stand in one text of the query, and not in a text each: `?tag=a,b` in place of `?tag=a&tag=b`. In OpenAPI it has the style
 * `form` without `explode`, `pipeDelimited` or `spaceDelimited`. No value contains the delimiter, since a reader could not tell it from one
 * between two values, and none is empty.
 *
 * @param list A list of `array`, or a schema of an array.
 * @param delimiter A comma, `|` or a space.
 * @throws TypeError for a parameter of one value, and for another delimiter.
 * @example
 * ```ts
 * import { array, endpoint, noContent, text, withDelimiter } from 'lapidary'
 *
 * const search = endpoint('GET /stones', { query: { tag: withDelimiter(array(text)) }, response: noContent })
 * ```
 */
export function withDelimiter<T, Written>(list: Parameter<T, Written>, delimiter?: Delimiter): Parameter<T, Written>
export function withDelimiter<Input, Output>(
  list: Schema<Input, Output>,
  delimiter?: Delimiter,
): Parameter<Output, undefined extends Input ? Input | undefined : Input>
export function withDelimiter(list: AnyParameter | Schema, delimiter: Delimiter = ','): AnyParameter {
  const parameter = isSchema(list) ? createSchemaParameter(list) : list
  if (!parameter.repeats || ![',', '|', ' '].includes(delimiter)) throw new TypeError(developerErrors.invalidDelimiter(delimiter))
  const addDelimiter = (given: AnyParameter): AnyParameter => ({
    ...given,
    delimiter,
    read: (input) => (input.values.includes('') ? parseError(noEmptyValue(delimiter)) : given.read(input)),
  })
  const wire = toWireParameter(parameter)
  return Object.freeze({ ...addDelimiter(parameter), ...(wire !== parameter && { wire: Object.freeze(addDelimiter(wire)) }) })
}
