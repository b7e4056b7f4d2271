/** Which schemas of a document are components, and their names. */

import { defineValue } from '../contract/parameters/parameter.ts'
import { getCompleteSchema, getIncompleteSchema } from '../json-schema/defaults.ts'
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import { decodePointerStep } from '../json-schema/parseError.ts'
import { getAnnotations, isDistinctive, type SchemaEquality } from './schemaEquality.ts'

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `NotFound` for `Not Found`. */
export const toPascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join('')

/** `usersListAll` for `users.list-all`. */
export function toCamelCase(text: string): string {
  const joined = toPascalCase(text)
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}

/** The names that OpenAPI allows for components. */
const componentPattern = /^[A-Za-z0-9._-]+$/

/** The text, or the nearest one that is allowed. */
export const toComponentName = (text: string, otherwise: string): string =>
  componentPattern.test(text) ? text : toPascalCase(text) || otherwise

/** The name, or the name with the first free number from 2. */
export function findFreeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let number = 2; isTaken(free); number += 1) free = `${name}${number}`
  return free
}

/** Components with unique names. */
export interface NamedComponents<Component> {
  /** Returns the name of a component: the wanted one, unless another component has it. Equal components share a name. */
  readonly nameOf: (wanted: string, component: Component) => string
  readonly components: Record<string, Component>
}

export function createNamedComponents<Component>(): NamedComponents<Component> {
  const names = new Map<string, string>()
  const components: Record<string, Component> = {}
  return {
    nameOf: (wanted, component) => {
      // Different components can want the same name, and equal ones different names.
      const key = JSON.stringify([wanted, component])
      const name = names.get(key) ?? findFreeName(wanted, (taken) => Object.hasOwn(components, taken))
      names.set(key, name)
      defineValue(components, name, component)
      return name
    },
    components,
  }
}

/** A schema, and the wanted name of its component. */
export type NamedSchema = readonly [name: string, schema: JsonSchema]

/** Schemas of what is received and of what is sent. */
export interface DirectedSchemas {
  readonly requests: readonly JsonSchema[]
  readonly responses: readonly JsonSchema[]
}

/** The names of the components. Equal schemas have the same name, others never. */
interface ComponentNames {
  /** The component that a schema is, if it is one. */
  readonly getName: (schema: JsonSchema) => string | undefined
  /** The component that a schema is except for its annotations. The schema has every annotation that the component has. */
  readonly getNearName: (schema: JsonSchema) => string | undefined
  /** The schemas of the components by name, in the order of naming. */
  readonly definitions: ReadonlyMap<string, JsonSchema>
}

/** Names that zod and ArkType generate. Their numbers change with any other schema of the program. */
const generatedNamePattern = /^(?:__schema|alias|domain|intersection|morph|proto|structure|union|unit)\d+$/

const fallbackComponentName = 'Schema'

/** The name that a library gave a schema that it refers to: `User` of `#/$defs/User`. */
function getReferenceName(reference: string): string | undefined {
  const [, key = ''] = /\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
  return key === '' || generatedNamePattern.test(key) ? undefined : decodePointerStep(decodeURIComponent(key))
}

/** The name that a schema states itself. A title names a schema with a form of its own; on a number or a text it is a label. */
function getOwnName({ $id, id, title, ...schema }: JsonSchema): string | undefined {
  const address = $id ?? id
  if (typeof address === 'string') return /([^/#]+?)(?:\.json)?[/#]*$/.exec(address)?.[1]
  return typeof title === 'string' && isDistinctive(schema) && schema.format === undefined ? toPascalCase(title) || undefined : undefined
}

/** These schemas and all schemas within them. */
function collectParts(schemas: readonly JsonSchema[], { getParts }: SchemaEquality): ReadonlySet<JsonSchema> {
  const parts = new Set<JsonSchema>()
  const waiting = [...schemas]
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (parts.has(schema)) continue
    parts.add(schema)
    waiting.push(...getParts(schema))
  }
  return parts
}

/**
 * Names the given schemas by their given names, others by the names that they state, and every schema that contains itself. A schema that has
 * defaults is another one in responses, where all of them are there: if requests have it as well, this one is `UserOutput`.
 *
 * @param used the schemas of what is received, and of what is sent
 */
export function nameComponents(given: readonly NamedSchema[], equality: SchemaEquality, used: DirectedSchemas): ComponentNames {
  const { schemas, getTarget, resolve, getParts, getKind, getBareKind } = equality
  const requestedKinds = new Set([...collectParts(used.requests, equality)].map(getBareKind))
  const isRequested = (schema: JsonSchema): boolean => requestedKinds.has(getBareKind(schema))
  const definitions = new Map<string, JsonSchema>()
  /** Names by the kinds of their schemas. */
  const names = new Map<number, string>()
  /** The same by the kinds of the schemas without annotations. */
  const bareNames = new Map<number, string[]>()
  /** Names of single schemas: their form does not tell what they mean, so that equal ones have other names. */
  const singleNames = new Map<JsonSchema, string>()
  /** The same by the wanted name and the kind of the schema. */
  const namesByWish = new Map<string, string>()

  function define(wanted: string, schema: JsonSchema): string {
    const name = findFreeName(toComponentName(wanted, fallbackComponentName), (taken) => definitions.has(taken))
    definitions.set(name, schema)
    return name
  }

  /** Names only this schema, and no equal ones. */
  function nameOne(wanted: string, schema: JsonSchema): void {
    const key = JSON.stringify([wanted, getKind(schema)])
    const name = namesByWish.get(key) ?? define(wanted, resolve(schema))
    namesByWish.set(key, name)
    if (!singleNames.has(resolve(schema))) singleNames.set(resolve(schema), name)
  }

  /** Names this schema and all equal ones. */
  function nameAll(wanted: string, schema: JsonSchema): void {
    const name = define(wanted, resolve(schema))
    names.set(getKind(schema), name)
    const bareKind = getBareKind(schema)
    bareNames.set(bareKind, [...(bareNames.get(bareKind) ?? []), name])
  }

  function toDirectedName(name: string, schema: JsonSchema): string {
    const source = getIncompleteSchema(resolve(schema))
    return source !== undefined && isRequested(source) && getKind(source) !== getKind(schema) ? `${name}Output` : name
  }

  function addName(name: string | undefined, schema: JsonSchema): void {
    if (name === undefined) return
    const wanted = toDirectedName(name, schema)
    if (!isDistinctive(resolve(schema))) nameOne(wanted, schema)
    else if (!names.has(getKind(schema))) nameAll(wanted, schema)
  }

  const forms = given.flatMap(([name, schema]) => {
    const complete = getCompleteSchema(schema)
    const all = complete === schema ? [schema] : isRequested(schema) ? [schema, complete] : [complete]
    return all.map((form) => [name, form] as const)
  })
  for (const [name, schema] of forms) {
    // Two names for equal schemas: this very schema gets the second one, all others the first.
    if (names.has(getKind(schema))) nameOne(toDirectedName(name, schema), schema)
    else addName(name, schema)
  }
  const present = collectParts([...forms.map(([, schema]) => schema), ...used.requests, ...used.responses], equality)
  const presentSchemas = schemas.filter((schema) => present.has(schema))
  for (const schema of presentSchemas) {
    const target = getTarget(schema)
    if (target !== undefined) addName(getReferenceName(schema.$ref ?? ''), target)
    addName(getOwnName(schema), schema)
  }

  const getName = (schema: JsonSchema): string | undefined => singleNames.get(resolve(schema)) ?? names.get(getKind(schema))

  // A schema that contains itself needs a name at the place where it is met again.
  const open = new Set<number>()
  const done = new Set<number>()
  function nameCircles(schema: JsonSchema): void {
    const kind = getKind(schema)
    if (getName(schema) !== undefined || done.has(kind)) return
    if (open.has(kind)) {
      nameAll(fallbackComponentName, schema)
      return
    }
    open.add(kind)
    getParts(resolve(schema)).forEach(nameCircles)
    open.delete(kind)
    done.add(kind)
  }
  for (const schema of [...definitions.values()]) getParts(schema).forEach(nameCircles)
  presentSchemas.forEach(nameCircles)

  function getNearName(schema: JsonSchema): string | undefined {
    const annotations = getAnnotations(schema)
    const isCovered = (name: string): boolean =>
      Object.keys(getAnnotations(definitions.get(name) ?? {})).every((keyword) => annotations[keyword] !== undefined)
    return bareNames.get(getBareKind(schema))?.find(isCovered)
  }

  return { getName, getNearName, definitions }
}
