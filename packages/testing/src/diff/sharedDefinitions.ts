/**
 * Definitions that several bodies of a manifest share. A body of a large document may refer to nearly all of its schemas: each stands in the
 * manifest once, and not once for each body.
 */
import type { JsonSchema } from 'lapidary'
import { decodePointerStep, isJsonObject, parseSchema, percentDecode, type SchemaNode, sortMembers } from 'lapidary/internal'
import { isEqualJson, listReferences, toCanonicalPart, toCanonicalSchema } from './canonical.ts'

/** Definitions that are read together: each refers only to others of the table. */
export type DefinitionTable = Readonly<Record<string, JsonSchema>>

/** A part with a schema, and the table that its references lead to; undefined: they lead to its own `$defs`, if it has some. */
export interface DefinedSchema {
  schema: JsonSchema | null
  definitions?: string
}

/** Keywords by which the place of a part in its document matters. */
const placedKeywords = /"\$(?:id|schema|anchor|dynamicAnchor|dynamicRef|recursiveAnchor|recursiveRef|defs)":/

/** A part that can stand in any document that has the definitions it refers to. */
interface MovablePart {
  readonly schema: JsonSchema
  /** The names of the definitions that it refers to. */
  readonly uses: readonly string[]
}

/** The name of the definition that a reference leads to; undefined for any other place. */
export function getDefinitionName(reference: string): string | undefined {
  const [, name = ''] = /^#\/\$defs\/([^/]+)$/.exec(reference) ?? []
  const decoded = percentDecode(name) || undefined
  return decoded && decodePointerStep(decoded)
}

function readPart(schema: JsonSchema): MovablePart | undefined {
  if (placedKeywords.test(JSON.stringify(schema))) return undefined
  const uses = listReferences(schema).map(getDefinitionName)
  return uses.every((name) => name !== undefined) ? { schema: toCanonicalPart(schema, () => false), uses } : undefined
}

/** Documents share the objects of their definitions. */
const movableParts = new WeakMap<JsonSchema, MovablePart | { readonly schema: undefined }>()

function toMovablePart(schema: JsonSchema): MovablePart | undefined {
  const found = movableParts.get(schema) ?? readPart(schema) ?? { schema: undefined }
  movableParts.set(schema, found)
  return found.schema === undefined ? undefined : found
}

/** A body whose definitions can stand in a table. */
interface Placement {
  readonly body: DefinedSchema
  readonly schema: JsonSchema
  readonly names: readonly string[]
}

/** A table that grows, and how many bodies have each definition. */
interface GrowingTable {
  readonly definitions: Map<string, JsonSchema>
  readonly counts: Map<string, number>
  readonly placements: Placement[]
}

/** Collects the schemas of the bodies of a manifest. */
export class SharedDefinitions {
  private readonly tables: GrowingTable[] = []

  /** Gives a body its schema; one with definitions may get a table in place of them when `finish` is called. */
  place(body: DefinedSchema, schema: JsonSchema): void {
    const { $defs, ...own } = schema
    const definitions = isJsonObject($defs)
      ? Object.entries($defs).map(([name, part]) => [name, toMovablePart(part as JsonSchema)] as const)
      : []
    const part = definitions.length === 0 ? undefined : readPart(own)
    const isMovable = [part, ...definitions.map(([, one]) => one)].every(
      (one) => one?.uses.every((name) => Object.hasOwn($defs as object, name)) === true,
    )
    if (part === undefined || !isMovable) body.schema = toCanonicalSchema(schema)
    else
      this.add(
        { body, schema: part.schema, names: definitions.map(([name]) => name) },
        new Map(definitions.map(([name, one]) => [name, (one as MovablePart).schema])),
      )
  }

  private add(placement: Placement, definitions: ReadonlyMap<string, JsonSchema>): void {
    const isFitting = (table: GrowingTable): boolean =>
      [...definitions].every(([name, schema]) => {
        const other = table.definitions.get(name)
        return other === undefined || isEqualJson(other, schema)
      })
    let table = this.tables.find(isFitting)
    if (table === undefined) {
      table = { definitions: new Map(), counts: new Map(), placements: [] }
      this.tables.push(table)
    }
    for (const [name, schema] of definitions) {
      if (!table.definitions.has(name)) table.definitions.set(name, schema)
      table.counts.set(name, (table.counts.get(name) ?? 0) + 1)
    }
    table.placements.push(placement)
  }

  /** The tables of what several bodies share, by their names; undefined where they share nothing. */
  finish(): Readonly<Record<string, DefinitionTable>> | undefined {
    const shared: Record<string, DefinitionTable> = {}
    for (const { definitions, counts, placements } of this.tables) {
      const isShared = [...counts.values()].some((count) => count > 1)
      const name = String(Object.keys(shared).length + 1)
      if (isShared) shared[name] = sortMembers(Object.fromEntries(definitions))
      for (const { body, schema, names } of placements) {
        const $defs = (): DefinitionTable => sortMembers(Object.fromEntries(names.map((one) => [one, definitions.get(one) as JsonSchema])))
        body.schema = isShared ? schema : sortMembers({ ...schema, $defs: $defs() })
        if (isShared) body.definitions = name
      }
    }
    return Object.keys(shared).length > 0 ? shared : undefined
  }
}

/** The documents of the schemas whose definitions stand in a table. */
const documents = new WeakMap<JsonSchema, JsonSchema>()

/** Notes where the references of a schema lead: to the `$defs` of a document. */
export const setDocument = (schema: JsonSchema, document: JsonSchema): unknown => documents.set(schema, document)

/** The schema of a body, with its references resolved. */
export const parseBodySchema = (schema: JsonSchema): SchemaNode => parseSchema(schema, documents.get(schema))
