import { findFreeName, toComponentName, toPascalCase } from './identifiers.js'
import { getAnnotations, isDistinctive } from './schemaEquality.js'

/** Names that zod and ArkType make up. Their numbers change with whatever else is in the program. */
const generatedNamePattern = /^(?:__schema|alias|domain|intersection|morph|proto|structure|union|unit)\d+$/
const fallbackComponentName = 'Schema'
/** The name that a library gave a schema that it refers to: `User` of `#/$defs/User`. */
function getReferenceName(reference) {
  const [, key = ''] = /\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
  return key === '' || generatedNamePattern.test(key) ? undefined : decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
}
/** The name that a schema says itself. A title names what has a form of its own; on a number or a text it is a label. */
function getOwnName({ $id, id, title, ...schema }) {
  const address = $id ?? id
  if (typeof address === 'string') return /([^/#]+?)(?:\.json)?[/#]*$/.exec(address)?.[1]
  return typeof title === 'string' && isDistinctive(schema) && schema.format === undefined ? toPascalCase(title) || undefined : undefined
}
/** Names schemas: those of `given` as they are to be called, the others by what they say themselves, and what contains itself in any case. */
export function nameComponents(given, { all, referred, behind, below, kindOf, bareKindOf }) {
  const definitions = new Map()
  /** Names by the kinds of their schemas; and by the kinds of these without their annotations. */
  const names = new Map()
  const bareNames = new Map()
  /** Names of schemas whose form does not tell what they mean. */
  const own = new Map()
  const ownNames = new Map()
  function define(wanted, schema) {
    const name = findFreeName(toComponentName(wanted, fallbackComponentName), (taken) => definitions.has(taken))
    definitions.set(name, schema)
    return name
  }
  /** Names this schema, and nothing else that looks like it. */
  function callOne(wanted, schema) {
    const key = JSON.stringify([wanted, kindOf(schema)])
    const name = ownNames.get(key) ?? define(wanted, behind(schema))
    ownNames.set(key, name)
    if (!own.has(behind(schema))) own.set(behind(schema), name)
  }
  /** Names every schema that is the same as this one. */
  function callAll(wanted, schema) {
    const name = define(wanted, behind(schema))
    names.set(kindOf(schema), name)
    const bareKind = bareKindOf(schema)
    bareNames.set(bareKind, [...(bareNames.get(bareKind) ?? []), name])
  }
  function call(wanted, schema) {
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
  const nameOf = (schema) => own.get(behind(schema)) ?? names.get(kindOf(schema))
  // A schema that contains itself needs a name: where a way leads back into it, it gets one.
  const open = new Set()
  const done = new Set()
  function close(schema) {
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
      const isCovered = (name) =>
        Object.keys(getAnnotations(definitions.get(name) ?? {})).every((keyword) => annotations[keyword] !== undefined)
      return bareNames.get(bareKindOf(schema))?.find(isCovered)
    },
    definitions,
  }
}
