/** What a change of a JSON Schema does, member by member as far as both are objects. */
import { encodePointerStep, getMembers } from 'lapidary/internal'
import { isEqualJson, isOneOf, toCanonicalText } from './canonical.js'
import { breakingJudgement, createFinding, listNames, safeJudgement, unknownJudgement } from './change.js'
import * as reason from './diffMessages.js'
import { isTotalSpent } from './subschema/budget.js'
import { checkSubschema } from './subschema/checkSubschema.js'
import { isAnySchema, isEqualSchema, isNeverSchema, neverSchema, omitKeywords, unfoldSchema } from './subschema/compareContext.js'

const unfoldBranches = ({ anyOf, oneOf = anyOf }, root) => (oneOf ?? []).map((part) => unfoldSchema(part, root))
/** The constants of a member in all of the parts; undefined where some have none, or two have the same. */
function listTags(parts, name) {
  const tags = parts.map(({ properties, required }) =>
    required?.includes(name) && properties !== undefined && Object.hasOwn(properties, name) ? properties[name]?.const : undefined,
  )
  return tags.includes(undefined) || new Set(tags).size < tags.length ? undefined : tags
}
/** Without the parts that the unions share, where each has one that is left: these two. */
function pairLastBranches([ours, theirs], roots) {
  const only = (these, those) => these.filter((one) => !isOneOf(those, one))
  const [[one, ...more], [other, ...others]] = [only(ours, theirs), only(theirs, ours)]
  if (one === undefined || other === undefined || more.length > 0 || others.length > 0) return undefined
  const isReferring =
    ours.length > 1 && toCanonicalText(roots[0]) !== toCanonicalText(roots[1]) && toCanonicalText([ours, theirs]).includes('"$ref"')
  return isReferring ? undefined : { pairs: [{ parts: [one, other], label: '' }], alone: [[], []] }
}
/** Pairs the parts of two unions; undefined where nothing tells which of them stand for each other. */
export function pairBranches(old, now, roots) {
  const [ours, theirs] = [unfoldBranches(old, roots[0]), unfoldBranches(now, roots[1])]
  if (ours.length === 0 || theirs.length === 0) return undefined
  // Both at once are two unions, of which a value is a part of each.
  if ([old, now].some(({ anyOf, oneOf }) => anyOf !== undefined && oneOf !== undefined)) return undefined
  for (const name of Object.keys(ours[0]?.properties ?? {})) {
    const [tags, others] = [listTags(ours, name), listTags(theirs, name)]
    if (tags === undefined || others === undefined) continue
    const pairs = ours.flatMap((part, index) => {
      const other = theirs[others.indexOf(tags[index])]
      return other === undefined ? [] : [{ parts: [part, other], label: `(${name} ${JSON.stringify(tags[index])})` }]
    })
    const alone = [ours.filter((_, index) => !others.includes(tags[index])), theirs.filter((_, index) => !tags.includes(others[index]))]
    return { pairs, alone }
  }
  // Of exactly one, what one part is depends on what the others are.
  const isAlone = ours.length === 1 && theirs.length === 1
  return isAlone || (old.oneOf === undefined && now.oneOf === undefined) ? pairLastBranches([ours, theirs], roots) : undefined
}
/** Those that are further down, likewise. */
const maxWalkDepth = 100
/** Further ones are compared as wholes. */
const maxWalkPairs = 2_000
function judgeSchemas({ schema: one, root }, { schema: other, root: otherRoot }, flow, sides) {
  const isRequest = flow === 'request'
  const found = checkSubschema(one, other, [root, otherRoot])
  if (found.is === 'yes') return safeJudgement(isRequest ? reason.allAccepted(sides) : reason.allExpected(sides))
  if (found.is === 'unknown') return unknownJudgement(isRequest ? reason.requestUndecided(sides) : reason.responseUndecided(sides))
  const { flaw, instance } = found
  if (flaw.kind === 'missing') return breakingJudgement(reason.memberOmitted(sides, flaw, isRequest))
  const value = reason.getValueAt(flaw, instance)
  return breakingJudgement(
    isRequest ? reason.valueRejected(sides, value, flaw.expected) : reason.valueUnexpected(sides, value, flaw.expected),
  )
}
const judgeValue = (flow) => (caller, server, sides) =>
  flow === 'request' ? judgeSchemas(caller, server, flow, sides) : judgeSchemas(server, caller, flow, sides)
/** Whether a schema has any value that can be found. */
const isInhabited = ({ schema, root }) => checkSubschema(schema, neverSchema, [root, neverSchema]).is === 'no'
/** A member that only the writer knows. */
function judgeWriterOnly(writer, reader, flow, sides) {
  if (reader.rest === false && isInhabited({ schema: writer.schema ?? {}, root: writer.root }))
    return breakingJudgement(flow === 'request' ? reason.memberRejected(sides) : reason.memberUnexpected(sides))
  if (typeof reader.rest === 'object' && !isAnySchema(reader.rest))
    return judgeSchemas({ schema: writer.schema ?? {}, root: writer.root }, { schema: reader.rest, root: reader.root }, flow, sides)
  return flow === 'request' ? unknownJudgement(reason.valueIgnored(sides)) : safeJudgement(reason.additionIgnored(sides))
}
/** A member that only the reader knows. */
function judgeReaderOnly(writer, reader, flow, sides) {
  const isRequest = flow === 'request'
  if (reader.isRequired) return breakingJudgement(isRequest ? reason.memberRequired(sides) : reason.partMissing(sides))
  if (writer.rest === undefined || writer.rest === false)
    return safeJudgement(isRequest ? reason.optionalOmitted(sides) : reason.absenceExpected(sides))
  const further = writer.rest === true ? {} : writer.rest
  return judgeSchemas({ schema: further, root: writer.root }, { schema: reader.schema ?? {}, root: reader.root }, flow, sides)
}
const judgeMember = (flow) => (caller, server, sides) => {
  const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
  if (reader.schema === undefined) return judgeWriterOnly(writer, reader, flow, sides)
  if (writer.schema === undefined) return judgeReaderOnly(writer, reader, flow, sides)
  if (!reader.isRequired || writer.isRequired)
    return safeJudgement(flow === 'request' ? reason.allAccepted(sides) : reason.allExpected(sides))
  return breakingJudgement(flow === 'request' ? reason.newlyRequired(sides) : reason.partOptional(sides))
}
/** Further members. Where a schema does not speak of them, the toolkit's own programs do not write any, and others may. */
const judgeRest = (flow) => (caller, server, sides) => {
  const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
  const isRequest = flow === 'request'
  const fine = safeJudgement(isRequest ? reason.allAccepted(sides) : reason.allExpected(sides))
  const isOpen = writer.rest === true || typeof writer.rest === 'object'
  if (!isOpen)
    return isRequest && writer.rest === undefined && reader.rest === false ? unknownJudgement(reason.undeclaredRejected(sides)) : fine
  const from = { schema: typeof writer.rest === 'object' ? writer.rest : {}, root: writer.root }
  if (reader.rest === false && isInhabited(from))
    return breakingJudgement(isRequest ? reason.undeclaredRejected(sides) : reason.undeclaredSent(sides))
  if (reader.rest === undefined) return isRequest ? unknownJudgement(reason.valueIgnored(sides)) : fine
  const to = typeof reader.rest === 'object' ? reader.rest : reader.rest ? {} : neverSchema
  return judgeSchemas(from, { schema: to, root: reader.root }, flow, sides)
}
const plainObjectKeywords = new Set(['$defs', 'additionalProperties', 'properties', 'required', 'type'])
const isPlainObjectSchema = (schema) => schema.type === 'object' && Object.keys(schema).every((keyword) => plainObjectKeywords.has(keyword))
const getListItems = ({ type, items, prefixItems }) =>
  type === 'array' && typeof items === 'object' && prefixItems === undefined ? items : undefined
const isSameMember = (one, other) => one.isRequired === other.isRequired && (one.schema === undefined) === (other.schema === undefined)
function compareObjects(old, now, walk) {
  const sides = [getMembers(old), getMembers(now)]
  const memberOf = (side, name) => {
    const { properties, required, rest } = sides[side]
    const schema = Object.hasOwn(properties, name) ? properties[name] : required.includes(name) ? {} : undefined
    return { schema, isRequired: required.includes(name), rest, root: walk.roots[side] }
  }
  const names = listNames(
    { ...sides[0].properties, ...toNameRecord(sides[0].required) },
    { ...sides[1].properties, ...toNameRecord(sides[1].required) },
  )
  const members = names.flatMap((name) => {
    const pointer = walk.pointer + encodePointerStep(name)
    const [one, other] = [memberOf(0, name), memberOf(1, name)]
    const change = one.schema === undefined ? 'added' : other.schema === undefined ? 'removed' : 'changed'
    const own = isSameMember(one, other)
      ? []
      : [createFinding(formatPlace({ ...walk, pointer }), change, one, other, judgeMember(walk.flow))]
    return one.schema === undefined || other.schema === undefined
      ? own
      : [...own, ...walkPair(one.schema, other.schema, { ...walk, pointer })]
  })
  const [one, other] = [memberOf(0, ''), memberOf(1, '')]
  const plainRest = ({ rest }) => (typeof rest === 'object' && isAnySchema(rest) ? true : (rest ?? null))
  const isSameRest = isEqualJson(plainRest(one), plainRest(other))
  return isSameRest
    ? members
    : [...members, createFinding(`${formatPlace(walk)} further members`, 'changed', one, other, judgeRest(walk.flow))]
}
const toNameRecord = (names) => Object.fromEntries(names.map((name) => [name, true]))
const formatPlace = ({ place, pointer }) => `${place} ${pointer}`.trim()
const judgeUnpaired = (flow) => (caller, server, sides) => {
  const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
  if (writer.alone.length === 0) return safeJudgement(flow === 'request' ? reason.allAccepted(sides) : reason.allExpected(sides))
  return judgeSchemas({ ...writer, schema: { anyOf: writer.alone } }, reader, flow, sides)
}
const unionKeywords = new Set(['$defs', 'anyOf', 'oneOf', 'type'])
/** The changes of the parts of two unions; undefined where nothing tells which of them stand for each other. */
function compareUnions(old, now, walk) {
  const isUnion =
    [old, now].every((schema) => Object.keys(schema).every((keyword) => unionKeywords.has(keyword))) && isEqualJson(old.type, now.type)
  const found = isUnion ? pairBranches(old, now, walk.roots) : undefined
  if (found?.pairs.every(({ parts }) => parts.every(isPlainObjectSchema)) !== true) return undefined
  const parts = found.pairs.flatMap(({ parts: [one, other], label }) => walkPair(one, other, { ...walk, pointer: walk.pointer + label }))
  if (found.alone.every((some) => some.length === 0)) return parts
  const [one, other] = [old, now].map((schema, side) => ({
    alone: found.alone[side],
    schema,
    root: walk.roots[side],
  }))
  return [...parts, createFinding(formatPlace(walk), 'changed', one, other, judgeUnpaired(walk.flow))]
}
function walkPair(one, other, walk) {
  const [old, now] = [unfoldSchema(one, walk.roots[0]), unfoldSchema(other, walk.roots[1])]
  if (walk.seen.some(([before, after]) => before === old && after === now)) return []
  walk.budget.left -= 1
  if (walk.budget.left < 0 || isTotalSpent() || walk.seen.length > maxWalkDepth) return compareWhole(old, now, walk)
  const down = { ...walk, seen: [...walk.seen, [old, now]] }
  if (isPlainObjectSchema(old) && isPlainObjectSchema(now)) return compareObjects(old, now, down)
  const [item, newItem] = [getListItems(old), getListItems(now)]
  if (item !== undefined && newItem !== undefined) {
    const [list, newList] = [omitKeywords(old, 'items', '$defs'), omitKeywords(now, 'items', '$defs')]
    return [...compareWhole(list, newList, down), ...walkPair(item, newItem, { ...down, pointer: `${walk.pointer}/*` })]
  }
  return compareUnions(old, now, down) ?? compareWhole(old, now, down)
}
function compareWhole(old, now, walk) {
  if (isEqualSchema(omitKeywords(old, '$defs'), omitKeywords(now, '$defs'), walk)) return []
  if (isNeverSchema(old) && isNeverSchema(now)) return []
  const [one, other] = [
    { schema: old, root: walk.roots[0] },
    { schema: now, root: walk.roots[1] },
  ]
  return [createFinding(formatPlace(walk), 'changed', one, other, judgeValue(walk.flow))].filter(isNotable)
}
/** Two ways to say the same thing are no change. */
const isNotable = ({ clients, servers }) => clients !== 'safe' || servers !== 'safe'
/** The changes from one schema to another, in the place where they stand. */
export const compareSchemas = (place, old, now, flow) =>
  walkPair(old, now, { place, pointer: '', flow, roots: [old, now], seen: [], budget: { left: maxWalkPairs } })
