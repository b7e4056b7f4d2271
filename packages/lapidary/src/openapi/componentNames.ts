/** Which schemas of a document are components, and what those are called. */
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import { findFreeName, toComponentName, toPascalCase } from './identifiers.ts'
import type { SchemaEquality } from './schemaEquality.ts'
import { getAnnotations, isDistinctive } from './schemaEquality.ts'

/** A schema with the name that it is to have. */
export type NamedSchema = readonly [name: string, schema: JsonSchema]

/** The names of the components. Schemas that are the same have the same name, others never. */
export interface ComponentNames {
  /** The component that a schema is, if it is one. */
  readonly nameOf: (schema: JsonSchema) => string | undefined
  /** The component that it is but for its annotations. Of those that the component has, the schema must have its own. */
  readonly nearNameOf: (schema: JsonSchema) => string | undefined
  /** The schemas of the components, by their names, in the order of naming. */
  readonly definitions: ReadonlyMap<string, JsonSchema>
}

/** Names that zod and ArkType make up. Their numbers change with whatever else is in the program. */
const generatedNamePattern = /^(?:__schema|alias|domain|intersection|morph|proto|structure|union|unit)\d+$/

const fallbackComponentName = 'Schema'

/** The name that a library gave a schema that it refers to: `User` of `#/$defs/User`. */
function getReferenceName(reference: string): string | undefined {
  const [, key = ''] = /\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
  return key === '' || generatedNamePattern.test(key) ? undefined : decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The name that a schema says itself. A title names what has a form of its own; on a number or a text it is a label. */
function getOwnName({ $id, id, title, ...schema }: JsonSchema): string | undefined {
  const address = $id ?? id
  if (typeof address === 'string') return /([^/#]+?)(?:\.json)?[/#]*$/.exec(address)?.[1]
  return typeof title === 'string' && isDistinctive(schema) && schema.format === undefined ? toPascalCase(title) || undefined : undefined
}

/** Names schemas: those of `given` as they are to be called, the others by what they say themselves, and what contains itself in any case. */
export function nameComponents(
  given: readonly NamedSchema[],
  { all, referred, behind, below, kindOf, bareKindOf }: SchemaEquality,
): ComponentNames {
  const definitions = new Map<string, JsonSchema>()
  /** Names by the kinds of their schemas; and by the kinds of these without their annotations. */
  const names = new Map<number, string>()
  const bareNames = new Map<number, string[]>()
  /** Names of schemas whose form does not tell what they mean. */
  const own = new Map<JsonSchema, string>()
  const ownNames = new Map<string, string>()

  function define(wanted: string, schema: JsonSchema): string {
    const name = findFreeName(toComponentName(wanted, fallbackComponentName), (taken) => definitions.has(taken))
    definitions.set(name, schema)
    return name
  }

  /** Names this schema, and nothing else that looks like it. */
  function callOne(wanted: string, schema: JsonSchema): void {
    const key = JSON.stringify([wanted, kindOf(schema)])
    const name = ownNames.get(key) ?? define(wanted, behind(schema))
    ownNames.set(key, name)
    if (!own.has(behind(schema))) own.set(behind(schema), name)
  }

  /** Names every schema that is the same as this one. */
  function callAll(wanted: string, schema: JsonSchema): void {
    const name = define(wanted, behind(schema))
    names.set(kindOf(schema), name)
    const bareKind = bareKindOf(schema)
    bareNames.set(bareKind, [...(bareNames.get(bareKind) ?? []), name])
  }

  function call(wanted: string | undefined, schema: JsonSchema): void {
    if (wanted === undefined) return
    if (!isDistinctive(behind(schema))) callOne(wanted, schema)
    else if (!names.has(kindOf(schema))) callAll(wanted, schema)
  }

  for (const [name, schema] of given) {
    // Two names for the same: whoever uses the very schema gets its name, and all others the first.
    if (names.has(kindOf(schema))) callOne(name, schema)
    else call(name, schema)
  }
  for (const schema of all) {
    const target = referred(schema)
    if (target !== undefined) call(getReferenceName(schema.$ref ?? ''), target)
    call(getOwnName(schema), schema)
  }

  const nameOf = (schema: JsonSchema): string | undefined => own.get(behind(schema)) ?? names.get(kindOf(schema))

  // A schema that contains itself needs a name: where a way leads back into it, it gets one.
  const open = new Set<number>()
  const done = new Set<number>()
  function close(schema: JsonSchema): void {
    const kind = kindOf(schema)
    if (nameOf(schema) !== undefined || done.has(kind)) return
    if (open.has(kind)) {
      callAll(fallbackComponentName, schema)
      return
    }
    open.add(kind)
    below(behind(schema)).forEach(close)
    open.delete(kind)
    done.add(kind)
  }
  for (const schema of [...definitions.values()]) below(schema).forEach(close)
  all.forEach(close)

  return {
    nameOf,
    nearNameOf: (schema) => {
      const annotations = getAnnotations(schema)
      const isCovered = (name: string): boolean =>
        Object.keys(getAnnotations(definitions.get(name) ?? {})).every((keyword) => annotations[keyword] !== undefined)
      return bareNames.get(bareKindOf(schema))?.find(isCovered)
    },
    definitions,
  }
}
