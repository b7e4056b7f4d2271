import { spendSteps } from './budget.js'
import { omitKeywords, unfoldSchema } from './compareContext.js'
import { areDisjoint } from './disjoint.js'
import { listUnknownKeywords } from './validateInstance.js'

/** Deeper than this anything may be declared. */
const maxDeclaredDepth = 12
/** The same schema, of which any further member may be written. */
export const openSchema = (schema) => (schema.additionalProperties === undefined ? { ...schema, additionalProperties: true } : schema)
/** The names that a schema declares for the value itself, by whichever of its parts; undefined where that may be any. */
function listDeclaredNames(schema, root, depth = 0) {
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
function getBesideBranch(branch, others, rest, roots) {
  const root = roots[0]
  const own = listDeclaredNames({ allOf: [rest, branch] }, root)
  // Of a branch that declares nothing at all, anything may be written.
  if (own === undefined || own.size === 0 || unfoldSchema(branch, root).additionalProperties === false) return undefined
  const further = Object.create(null)
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
export function expandBranches(schema, branches, roots) {
  const rest = omitKeywords(schema, 'anyOf', 'oneOf')
  return branches.map((branch, index) => {
    const others = branches.filter((_, place) => place !== index)
    const further = getBesideBranch(branch, others, rest, roots)
    const all = [...(Object.keys(rest).length === 0 ? [] : [rest]), ...(further === undefined ? [] : [further]), branch]
    return all.length === 1 ? branch : { allOf: all }
  })
}
