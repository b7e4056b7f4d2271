/** A parameter that a request can leave out. */
import { getDocumentation, type Parameter, type ParameterOptions } from './parameter.ts'

/** The value of a parameter, or undefined where the request has none. */
export function createOptionalParameter<T, Written>(
  parameter: Parameter<T, Written>,
  options: ParameterOptions<Written> = {},
): Parameter<T | undefined, Written | undefined> {
  const { name, repeats, jsonSchema, required } = parameter
  // Member by member: with the `parse` of a codec it could be a capture, which is never absent.
  return Object.freeze({
    ...getDocumentation(parameter, options),
    name,
    repeats,
    jsonSchema,
    required: false,
    // A codec with a default keeps it.
    read: (input) => (input.values.length === 0 && (required || jsonSchema.default === undefined) ? undefined : parameter.read(input)),
    write: (value) => (value === undefined ? [] : parameter.write(value)),
  } satisfies Parameter<T | undefined, Written | undefined>)
}
