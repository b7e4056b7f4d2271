/** Which members a program writes that was made from a JSON Schema: those that the schema declares for the value, and others where it says so. */
import type { JsonSchema } from 'lapidary'
import { spendSteps } from './budget.ts'
import { type CompareContext, omitKeywords, unfoldSchema } from './compareContext.ts'
import { areDisjoint } from './disjoint.ts'
import { listUnknownKeywords } from './validateInstance.ts'

/** Deeper than this anything may be declared. */
const maxDeclaredDepth = 12

/** The same schema, of which any further member may be written. */
export const openSchema = (schema: JsonSchema): JsonSchema =>
  schema.additionalProperties === undefined ? { ...schema, additionalProperties: true } : schema

/** The names that a schema declares for the value itself, by whichever of its parts; undefined where that may be any. */
function listDeclaredNames(schema: JsonSchema, root: JsonSchema, depth = 0): ReadonlySet<string> | undefined {
  spendSteps()
  const here = unfoldSchema(schema, root)
  if (depth > maxDeclaredDepth || here.$ref !== undefined || listUnknownKeywords(here).length > 0) return undefined
  if (here.additionalProperties !== undefined && here.additionalProperties !== false) return undefined
  const names = new Set(Object.keys(here.properties ?? {}))
  for (const part of [...(here.anyOf ?? []), ...(here.oneOf ?? []), ...(here.allOf ?? [])]) {
    const further = listDeclaredNames(part, root, depth + 1)
    if (further === undefined) return undefined
    for (const name of further) names.add(name)
  }
  return names
}

/** What else may be written beside one branch of a union, since a value may be of several of them. */
function getBesideBranch(
  branch: JsonSchema,
  others: readonly JsonSchema[],
  rest: JsonSchema,
  roots: CompareContext['roots'],
): JsonSchema | undefined {
  const root = roots[0]
  const own = listDeclaredNames({ allOf: [rest, branch] }, root)
  // Of a branch that declares nothing at all, anything may be written.
  if (own === undefined || own.size === 0 || unfoldSchema(branch, root).additionalProperties === false) return undefined
  const further: Record<string, JsonSchema> = Object.create(null)
  for (const other of others) {
    const names = listDeclaredNames(other, root)
    if (names !== undefined && [...names].every((name) => own.has(name))) continue
    if (areDisjoint(branch, other, [root, root])) continue
    if (names === undefined) return { additionalProperties: true }
    for (const name of names) if (!own.has(name)) further[name] = {}
  }
  return Object.keys(further).length === 0 ? undefined : { properties: further }
}

/** The branches of a union that is written, each with what the schema says besides; a value of the schema is one of theirs. */
export function expandBranches(schema: JsonSchema, branches: readonly JsonSchema[], roots: CompareContext['roots']): readonly JsonSchema[] {
  const rest = omitKeywords(schema, 'anyOf', 'oneOf')
  return branches.map((branch, index) => {
    const others = branches.filter((_, place) => place !== index)
    const further = getBesideBranch(branch, others, rest, roots)
    const all = [...(Object.keys(rest).length === 0 ? [] : [rest]), ...(further === undefined ? [] : [further]), branch]
    return all.length === 1 ? branch : { allOf: all }
  })
}
