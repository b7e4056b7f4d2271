/**
 * Refuses a large body before its schema has seen it, where so much of it is wrong that the schema's own list of issues would fill the memory:
 * half a million of them are 250 MB.
 */
import { getMembers, getTypes, isJsonObject, resolveSchema } from './jsonSchema.js'
import { encodePointerStep, maxIssues, maxListedErrors, ParseError, TruncatedParseError } from './parseError.js'
import { getJsonSchema } from './standardSchema.js'
import { createIssueTranslator, hasType, isOutOfBounds, isValid } from './validate.js'

/** Bodies of fewer bytes are left to their schema. */
const minEarlyBytes = 65_536
function measureSchema(schema) {
  const names = new Set()
  let most = 1
  const look = (part) => {
    if (Array.isArray(part)) part.forEach(look)
    if (!isJsonObject(part)) return
    const { properties, required } = part
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (Array.isArray(required)) most = Math.max(most, required.length)
    Object.values(part).forEach(look)
  }
  look(schema)
  return { names, most }
}
/** What a value that is not there, or a name that may not be, is taken for. */
const neverSchema = Object.freeze({ not: {} })
/** Keywords that say nothing of a value. */
const inertKeywords = new Set(['type', 'title', 'description', 'examples', 'default'])
const numberLimitKeywords = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
function getSchemaFacts(schema, root) {
  const here = resolveSchema(schema, root)
  const keywords = Object.keys(here).filter((keyword) => !inertKeywords.has(keyword))
  const isPlain = typeof here.type === 'string' && keywords.every((keyword) => numberLimitKeywords.has(keyword))
  return { here, members: getMembers(here), type: isPlain ? getTypes(here)[0] : undefined, isBounded: keywords.length > 0 }
}
/** Whether a value is of one of the types that a schema names, if it names some. */
function hasSchemaType(schema, value) {
  const types = getTypes(schema)
  return types.length === 0 || types.some((type) => hasType(value, type))
}
/** The branches that a value may be meant for, by its type and by the constants in it. */
const selectBranches = (branches, value, root) =>
  branches.filter((branch) => {
    const here = resolveSchema(branch, root)
    if (!hasSchemaType(here, value)) return false
    if (!isJsonObject(value)) return true
    return Object.entries(here.properties ?? {}).every(
      ([name, member]) => member.const === undefined || (Object.hasOwn(value, name) && value[name] === member.const),
    )
  })
/** The places of a value that are not as JSON Schema says, up to `maxIssues`, or up to a list that is too long. */
function findSuspects(root, known, whole) {
  const found = []
  const path = []
  const suspect = (depth) => void found.push({ path: [...path], depth: depth ?? path.length })
  function below(step, schema, value, depth) {
    path.push(step)
    look(schema, value, depth)
    path.pop()
  }
  function lookAtItems({ prefixItems = [], items, maxItems }, value, depth) {
    if (typeof maxItems === 'number' && value.length > maxItems) found.unshift({ path: [...path], depth: path.length, items: maxItems + 1 })
    for (let index = 0; index < value.length && found.length < maxIssues; index += 1) {
      const item = prefixItems[index] ?? items
      if (typeof item === 'object') below(index, item, value[index], depth)
    }
  }
  function lookAtMembers({ here: schema, members }, value, depth) {
    const { properties, required, rest } = members
    for (const name of required) if (!Object.hasOwn(value, name) && found.length < maxIssues) below(name, neverSchema, undefined, depth)
    for (const name of Object.keys(value)) {
      if (found.length >= maxIssues) return
      const member = Object.hasOwn(properties, name) ? properties[name] : rest
      if (schema.propertyNames !== undefined && !isValid(schema.propertyNames, name, root)) below(name, neverSchema, undefined, depth)
      else if (typeof member === 'object') below(name, member, value[name], depth)
    }
  }
  /** `depth` is that of the union which is looked into, and no part of which fits. */
  function look(schema, value, depth) {
    let facts = known.get(schema)
    if (facts === undefined) {
      facts = getSchemaFacts(schema, root)
      known.set(schema, facts)
    }
    const { here, type, isBounded } = facts
    if (type !== undefined && type !== 'object' && type !== 'array') {
      if (!hasType(value, type) || (isBounded && isOutOfBounds(here, value))) suspect(depth)
      return
    }
    for (const part of here.allOf ?? []) look(part, value, depth)
    const branches = here.anyOf ?? here.oneOf
    if (branches !== undefined) {
      const [first, ...others] = selectBranches(branches, value, root)
      if (first === undefined) suspect(depth)
      else if (others.length === 0) look(first, value, depth)
      else if (!isValid(here, value, root)) look(first, value, depth ?? path.length)
    } else if (value === undefined) suspect(depth)
    else if (!hasSchemaType(here, value)) suspect(depth)
    else if (Array.isArray(value)) lookAtItems(here, value, depth)
    else if (isJsonObject(value)) lookAtMembers(facts, value, depth)
    else if (!isValid(here, value, root)) suspect(depth)
  }
  look(root, whole, undefined)
  return found
}
/** How much of what stands beside a suspect is kept: places of tuples, and objects within objects. */
const sampleLimits = { items: 16, levels: 3 }
/** A value without its lists, and without members that no schema names. */
function stripValue(value, names, levels = sampleLimits.levels) {
  if (Array.isArray(value)) return []
  if (!isJsonObject(value)) return value
  const kept = levels === 0 ? [] : [...names].filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(kept.map((name) => [name, stripValue(value[name], names, levels - 1)]))
}
/** A small value with a suspect in it, and the way to it there. */
function sampleAround(value, path, names, items) {
  const [step, ...steps] = path
  if (step === undefined) {
    return {
      value: items > 0 && Array.isArray(value) ? value.slice(0, items).map((item) => stripValue(item, names)) : stripValue(value, names),
      path: [],
    }
  }
  if (Array.isArray(value)) {
    const below = sampleAround(value[Number(step)], steps, names, items)
    const before = value.slice(0, Math.min(Number(step), sampleLimits.items)).map((item) => stripValue(item, names))
    return { value: [...before, below.value], path: [before.length, ...below.path] }
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return { value: stripValue(value, names), path }
  const below = sampleAround(value[step], steps, names, items)
  // Entry by entry, so that `__proto__` is a name like any other.
  const members = { ...stripValue(value, names) }
  return { value: Object.fromEntries([...Object.entries(members), [step, below.value]]), path: [step, ...below.path] }
}
const toPointer = (steps) => steps.map(encodePointerStep).join('')
const getIssueSteps = ({ path = [] }) => path.map((part) => (typeof part === 'object' ? part.key : part))
/**
 * Compiles the look at a value that was read from so many bytes: to the value, or to a refusal. JSON Schema does not decide, since a schema may take what its JSON Schema
 * does not say: `z.coerce.number()` takes texts. It only finds suspects, and a refusal is made of those of which the schema complains as well, each in a small sample.
 * Of a schema that answers later, nothing is known here, and the value is left to it.
 */
export function createEarlyRejecter(schema) {
  const root = getJsonSchema(schema)
  const { names, most } = measureSchema(root)
  const known = new Map()
  /** The issues of a sample; none where its schema cannot be asked. What it throws there, it may throw of the whole as well, where it counts. */
  function issuesOf(value) {
    try {
      const verdict = schema['~standard'].validate(value)
      if (!(verdict instanceof Promise)) return verdict.issues ?? []
      verdict.catch(() => {})
    } catch {}
    return []
  }
  function flawAt({ path, depth, items = 0 }, whole) {
    const sample = sampleAround(whole, path, names, items)
    const isAt = (issue) => {
      const steps = getIssueSteps(issue)
      return steps.length >= depth && sample.path.slice(0, depth).every((step, index) => String(step) === String(steps[index]))
    }
    const issue = issuesOf(sample.value).find(isAt)
    if (issue === undefined) return undefined
    const { pointer, detail } = createIssueTranslator(root, sample.value)(issue)
    // The same place in the whole value; what is wrong may stand below the one that the schema names.
    const steps = getIssueSteps(issue)
    const inWhole = steps.map((step, index) => path[index] ?? step)
    return { pointer: toPointer(inWhole) + pointer.slice(toPointer(steps).length), detail }
  }
  return (value, bytes) => {
    if (bytes * most < minEarlyBytes || value instanceof ParseError) return value
    const suspects = findSuspects(root, known, value)
    if (suspects.length < maxIssues && suspects[0]?.items === undefined) return value
    const looked = suspects.slice(0, maxListedErrors)
    const flaws = looked.map((suspect) => flawAt(suspect, value)).filter((flaw) => flaw !== undefined)
    if (flaws.length === 0) return value
    return new TruncatedParseError(flaws, flaws.length < looked.length ? 0 : suspects.length - looked.length)
  }
}
