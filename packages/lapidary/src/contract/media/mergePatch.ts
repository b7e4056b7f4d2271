/** `mergePatch(User)`: a change of some members (RFC 7396), and `applyMergePatch`. */
import { toolkitErrors } from '../../http/errors.ts'
import { requireSync } from '../../http/promises.ts'
import { findSchemaIssue, toParseError } from '../../json-schema/invalidPlaces.ts'
import { isJsonObject } from '../../json-schema/jsonSchema.ts'
import { getCause } from '../../json-schema/parseError.ts'
import { createPatchSchema } from '../../json-schema/patchSchema.ts'
import { parseSchema, type SchemaNode } from '../../json-schema/schemaNode.ts'
import {
  assertSchema,
  createSchema,
  getEncoder,
  getJsonSchema,
  type Schema,
  type SchemaCodec,
  type StandardSchemaResult,
} from '../../json-schema/standardSchema.ts'
import { createWriter, type JsonWriter } from '../../json-schema/writer.ts'
import { problemDetail } from '../../messages/problemMessages.ts'
import { content } from './content.ts'
import { createJsonMediaType } from './json.ts'
import type { Content, MediaType } from './mediaType.ts'

/**
 * A merge patch of a value: the members to change, and null for the members to remove. Only a member that can be left out can be removed.
 * An array is replaced as a whole.
 */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Name in keyof T]?: MergePatch<Exclude<T[Name], null | undefined>> | RemovalOf<T, Name> }
    : T

/** Null, where a member can be left out. */
type RemovalOf<T, Name extends keyof T> = undefined extends T[Name] ? null : string extends Name ? null : never

const mergePatchJson: MediaType<unknown> = /* @__PURE__ */ createJsonMediaType('application/merge-patch+json')

/**
 * The body of a PATCH, as `application/merge-patch+json` (RFC 7396): the members to change, null for those to remove. Members have the form
 * of the schema, and each can be absent. `applyMergePatch` makes the new value.
 *
 * @throws TypeError for a schema that is not a Standard Schema or has no JSON Schema.
 * @example
 * ```ts
 * import { endpoint, mergePatch, noContent, reply } from 'lapidary'
 * import { z } from 'zod'
 *
 * const User = z.object({ name: z.string(), city: z.string().optional() })
 * const change = endpoint('PATCH /user', { body: mergePatch(User), response: noContent, errors: [reply(422)] })
 * ```
 */
export function mergePatch<Wire, Value>(schema: SchemaCodec<Wire, Value, unknown>): Content<MergePatch<Wire>, MergePatch<Wire>>
export function mergePatch<Input, Output>(schema: Schema<Input, Output>): Content<MergePatch<Input>, MergePatch<Input>>
export function mergePatch<Input>(schema: Schema<Input>): Content<MergePatch<Input>, MergePatch<Input>> {
  assertSchema(schema)
  let compiled: { readonly patch: SchemaNode; readonly write: JsonWriter } | undefined
  const validate = (value: unknown): StandardSchemaResult<MergePatch<Input>> => {
    const document = getJsonSchema(patchSchema)
    compiled ??= { patch: parseSchema(document), write: createWriter(document) }
    const issue = findSchemaIssue(compiled.patch, value)
    if (issue !== undefined) return { issues: [issue] }
    // What is written is what the schema declares: a handler gets no other member.
    return { value: JSON.parse(compiled.write(value)) as MergePatch<Input> }
  }
  const patchSchema = createSchema<MergePatch<Input>, MergePatch<Input>>({
    validate,
    getJsonSchema: () => ({ ...createPatchSchema(getJsonSchema(schema)) }),
  })
  return content(patchSchema, mergePatchJson)
}

const setMember = (target: object, name: string, value: unknown): unknown =>
  // An assignment to `__proto__` would change the prototype.
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true })

/** Merges a patch into a value, which stays as it is (RFC 7396 §2). It needs no stack, however deep the patch is. */
export function mergeJson(value: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const copyMembers = (source: unknown): object => (isJsonObject(source) ? { ...source } : {})
  const result = copyMembers(value)
  const pending: [target: object, patch: Readonly<Record<string, unknown>>][] = [[result, patch]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [target, changes] = next
    for (const [name, change] of Object.entries(changes)) {
      if (change === null) Reflect.deleteProperty(target, name)
      else if (isJsonObject(change)) {
        const member = copyMembers(Object.hasOwn(target, name) ? Reflect.get(target, name) : undefined)
        setMember(target, name, member)
        pending.push([member, change])
      } else if (change !== undefined) setMember(target, name, change)
    }
  }
  return result
}

/**
 * Applies a merge patch to a value, and validates the result.
 *
 * @param value The current value, as the schema takes it; of a `schemaCodec`, as it is in handlers. The patch has the form of the wire.
 * @returns the output of the schema for the new value. The current value does not change.
 * @throws HttpError 422 for a result that the schema does not allow: declare it with `reply(422)`.
 * @example
 * ```ts
 * import { applyMergePatch } from 'lapidary'
 * import { z } from 'zod'
 *
 * const User = z.object({ name: z.string(), city: z.string().optional() })
 * const user = applyMergePatch(User, { name: 'Ann', city: 'Ulm' }, { name: 'Bea', city: null }) // { name: 'Bea' }
 * ```
 */
export function applyMergePatch<Wire, Value>(
  schema: SchemaCodec<Wire, Value, unknown>,
  value: NoInfer<Value>,
  patch: MergePatch<NoInfer<Wire>>,
): Value
export function applyMergePatch<Input, Output>(schema: Schema<Input, Output>, value: Input, patch: MergePatch<NoInfer<Input>>): Output
export function applyMergePatch(schema: Schema, value: unknown, patch: unknown): unknown {
  const encode = getEncoder(schema)
  const patched = mergeJson(encode === undefined ? value : encode(value), patch)
  const result = requireSync(schema['~standard'].validate(patched), 'The schema of applyMergePatch()') as StandardSchemaResult<unknown>
  if (result.issues === undefined) return result.value
  const { issues } = toParseError(result.issues, schema, patched)
  throw toolkitErrors.unprocessableContent({
    detail: problemDetail.badPatch(),
    errors: issues.map(({ pointer, detail }) => ({ in: 'body', pointer, detail })),
    ...getCause(result.issues.find((issue) => 'cause' in issue)),
  })
}
