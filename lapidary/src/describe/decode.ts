/** From the bytes of a body to its value, in whichever of its media they stand. */
import { essenceOf, type MediaType } from './mediaType.ts'
import type { Content } from './medium.ts'
import { Refusal } from './refusal.ts'
import { type Issue, jsonSchemaOf, type Schema, type Verdict } from './schema.ts'

/** The value, or a `Refusal`; a promise of either where the schema is asynchronous. */
export type Decode = (bytes: Uint8Array) => unknown

/** What is wrong with a value that its schema does not take. */
export type Refuse = (issues: readonly Issue[], schema: Schema, value: unknown) => Refusal

/** Holds a value, as it was read, against its schema: the schema's output, or a `Refusal`; or a promise of either. */
export function validator(schema: Schema | undefined, refuse: Refuse): (value: unknown) => unknown {
  if (schema === undefined) return (value) => value
  const settled = (verdict: Verdict<unknown> | Promise<Verdict<unknown>>, value: unknown): unknown =>
    'then' in verdict
      ? verdict.then((late) => settled(late, value))
      : verdict.issues
        ? refuse(verdict.issues, schema, value)
        : verdict.value
  const validated = (value: unknown): unknown =>
    value instanceof Refusal
      ? value
      : value instanceof Promise
        ? value.then(validated)
        : settled(schema['~standard'].validate(value), value)
  return validated
}

/** Compiles the decoders of a content, by the media types (without parameters) that name them. */
export function decoders({ schema, media }: Content<unknown, unknown>, refuse: Refuse): ReadonlyMap<string, Decode> {
  const form = schema === undefined ? undefined : jsonSchemaOf(schema)
  const validated = validator(schema, refuse)
  const found = new Map<string, Decode>()
  for (const { types, reader } of media) {
    const read = reader?.(form)
    if (read === undefined) continue
    for (const type of types) {
      const essence = essenceOf(type)
      if (!found.has(essence)) found.set(essence, (bytes) => validated(read(bytes)))
    }
  }
  return found
}

/** Whether the bytes of a type are UTF-8, as far as it says. */
export const isUtf8 = ({ parameters }: MediaType): boolean => (parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8'
