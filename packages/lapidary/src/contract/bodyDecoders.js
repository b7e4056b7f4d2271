/** From the bytes of a body to its value, in whichever of its media they stand. */
import { getEssence } from '../http/mediaTypeParser.js'
import { ParseError } from '../json-schema/parseError.js'
import { getJsonSchema } from '../json-schema/standardSchema.js'
/** Holds a value, as it was read, against its schema: the schema's output, or a `ParseError`; or a promise of either. */
export function createValidator(schema, refuse) {
  if (schema === undefined) return (value) => value
  const settled = (verdict, value) =>
    'then' in verdict
      ? verdict.then((late) => settled(late, value))
      : verdict.issues
        ? refuse(verdict.issues, schema, value)
        : verdict.value
  const validated = (value) =>
    value instanceof ParseError
      ? value
      : value instanceof Promise
        ? value.then(validated)
        : settled(schema['~standard'].validate(value), value)
  return validated
}
/** Compiles the decoders of a content, by the media types (without parameters) that name them. */
export function createBodyDecoders({ schema, media }, refuse) {
  const form = schema === undefined ? undefined : getJsonSchema(schema)
  const validated = createValidator(schema, refuse)
  const found = new Map()
  for (const { types, reader } of media) {
    const read = reader?.(form)
    if (read === undefined) continue
    for (const type of types) {
      const essence = getEssence(type)
      if (!found.has(essence)) found.set(essence, (bytes) => validated(read(bytes)))
    }
  }
  return found
}
/** Whether the bytes of a type are UTF-8, as far as it says. */
export const isUtf8Charset = ({ parameters }) => (parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8'
