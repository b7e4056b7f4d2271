/** A value that may be left out. */
import type { Parameter } from './parameter.ts'

/** The value, or undefined where its name is not given: `optional(int)`. */
export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined> {
  return Object.freeze({
    ...parameter,
    required: false,
    read: (given) => (given.texts.length === 0 ? undefined : parameter.read(given)),
    write: (value) => (value === undefined ? [] : parameter.write(value)),
  } satisfies Parameter<T | undefined>)
}
