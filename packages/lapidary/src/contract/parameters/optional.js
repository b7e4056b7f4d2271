/** The value, or undefined where its name is not given: `optional(int)`. */
export function optional(parameter) {
  const { name, repeats, jsonSchema, examples, description } = parameter
  // Member by member: a scalar's `parse` would make it a capture, which is never absent.
  return Object.freeze({
    ...(description === undefined ? {} : { description }),
    name,
    repeats,
    jsonSchema,
    examples,
    required: false,
    read: (given) => (given.values.length === 0 ? undefined : parameter.read(given)),
    write: (value) => (value === undefined ? [] : parameter.write(value)),
  })
}
