/** What a change of a JSON Schema does, member by member as far as both are objects. */
import type { JsonSchema } from 'lapidary'
import { encodePointerStep, type SchemaNode } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import { createFinding, type Finding, type Judge, listNames } from './change.ts'
import { findLoneMembers } from './declaredMembers.ts'
import {
  type Flow,
  getMemberSide,
  isSameMember,
  isSameRest,
  judgeMember,
  judgeRest,
  judgeSafe,
  judgeSchemas,
  type MemberSide,
  type SchemaCheck,
} from './schemaJudgements.ts'
import { parseBodySchema } from './sharedDefinitions.ts'
import { isTotalSpent, limitSteps } from './subschema/budget.ts'
import { checkSubschema } from './subschema/checkSubschema.ts'
import { isEmptySchema } from './subschema/disjoint.ts'
import { mergeAllOf } from './subschema/mergeSchemas.ts'
import { isEqualPart, isEqualSchema, isNeverSchema, type NodePair, omitKeywords, unfold } from './subschema/unfold.ts'
import { pairBranches } from './subschema/unions.ts'

interface SchemaWalk {
  readonly place: string
  readonly pointer: string
  readonly flow: Flow
  /** Compares two schemas as wholes. */
  readonly check: SchemaCheck
  /** Pairs that are being compared: a schema that contains itself is compared once. */
  readonly seen: readonly NodePair[]
  /** How many more pairs are compared member by member: those behind references may be met very often. */
  readonly budget: { left: number }
}

/** Deeper pairs are compared as wholes. */
const maxWalkDepth = 100
/** Further pairs are compared as wholes. */
const maxWalkPairs = 2_000
/** The most steps of finding out that a schema has no value. */
const maxEmptySteps = 200

const judgeValue =
  ({ flow, check }: SchemaWalk): Judge<SchemaNode> =>
  (caller, server, sides) =>
    flow === 'request' ? judgeSchemas(caller, server, flow, sides, check) : judgeSchemas(server, caller, flow, sides, check)

const plainObjectKeywords: ReadonlySet<string> = new Set(['$anchor', '$defs', 'additionalProperties', 'properties', 'required', 'type'])
const isPlainObjectSchema = ({ raw, types }: SchemaNode): boolean =>
  types.length === 1 && types[0] === 'object' && Object.keys(raw).every((keyword) => plainObjectKeywords.has(keyword))

/** The objects of a schema that allows values of other types too, and says nothing else of these; undefined for any other schema. */
function getPlainObjects(node: SchemaNode): SchemaNode | undefined {
  const { raw, types } = node
  const isMixed = types.length === 0 || (types.length > 1 && types.includes('object'))
  const declares = raw.properties !== undefined || raw.required !== undefined || raw.additionalProperties !== undefined
  if (!isMixed || !declares || !Object.keys(raw).every((keyword) => plainObjectKeywords.has(keyword))) return undefined
  return node.parse({ ...raw, type: 'object' })
}

/** A schema of the types alone. */
const toTypes = (node: SchemaNode): SchemaNode => node.parse(node.raw.type === undefined ? true : { type: node.raw.type })

/** The items of an array whose items are all alike, if it may have some. */
const getListItems = ({ raw, parts }: SchemaNode): SchemaNode | undefined =>
  raw.type === 'array' && typeof raw.items === 'object' && raw.prefixItems === undefined && raw.maxItems !== 0 ? parts.items : undefined

const toNameRecord = ({ parts }: SchemaNode): object =>
  Object.fromEntries([...parts.properties.keys(), ...parts.required].map((name) => [name, true]))

function compareObjects(old: SchemaNode, now: SchemaNode, walk: SchemaWalk): readonly Finding[] {
  const members = listNames(toNameRecord(old), toNameRecord(now)).flatMap((name) => {
    const pointer = walk.pointer + encodePointerStep(name)
    const [one, other] = [getMemberSide(old, name), getMemberSide(now, name)]
    const change = one.node === undefined ? 'added' : other.node === undefined ? 'removed' : 'changed'
    const own = isSameMember(one, other)
      ? []
      : [createFinding(formatPlace({ ...walk, pointer }), change, one, other, judgeMember(walk.flow))]
    return one.node === undefined || other.node === undefined ? own : [...own, ...walkPair(one.node, other.node, { ...walk, pointer })]
  })
  const [one, other] = [getMemberSide(old, ''), getMemberSide(now, '')]
  if (isSameRest(one, other)) return members
  const place = `${formatPlace(walk)} further members`
  const rest = createFinding(place, 'changed', one, other, judgeRest(walk.flow))
  if (one.rest === undefined || other.rest === undefined || isNotable(rest)) return [...members, rest]
  return [...members, ...judgeLoneMembers(one.rest, other.rest, { ...walk, place, pointer: '' })]
}

/** The members that only one of two schemas declares, where each allows all that the other does. */
const judgeLoneMembers = (old: SchemaNode, now: SchemaNode, walk: SchemaWalk): readonly Finding[] =>
  findLoneMembers(old, now).map(({ pointer, change }) => {
    const [one, other] = [old, now].map((node, index): MemberSide => {
      const isDeclared = (change === 'removed') === (index === 0)
      return { node: isDeclared ? node.parse(true) : undefined, isRequired: false, rest: undefined, any: node.parse(true) }
    }) as [MemberSide, MemberSide]
    return createFinding(formatPlace({ ...walk, pointer: walk.pointer + pointer }), change, one, other, judgeMember(walk.flow))
  })

const formatPlace = ({ place, pointer }: SchemaWalk): string => `${place} ${pointer}`.trim()

/** A union, and its branches without a counterpart. */
interface UnpairedBranches {
  readonly node: SchemaNode
  readonly alone: readonly SchemaNode[]
}

const judgeUnpaired =
  (flow: Flow): Judge<UnpairedBranches> =>
  (caller, server, sides) => {
    const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
    if (writer.alone.length === 0) return judgeSafe(flow, sides)
    return judgeSchemas(writer.node.parse({ anyOf: writer.alone.map(({ raw }) => raw) }), reader.node, flow, sides)
  }

const unionKeywords: ReadonlySet<string> = new Set(['$defs', 'anyOf', 'oneOf', 'type'])
const isUnion = ({ raw }: SchemaNode): boolean => Object.keys(raw).every((keyword) => unionKeywords.has(keyword))

/** The changes of the branches of two unions; undefined where nothing tells which of them stand for each other. */
function compareUnions(old: SchemaNode, now: SchemaNode, walk: SchemaWalk): readonly Finding[] | undefined {
  const found = isUnion(old) && isUnion(now) && isEqualJson(old.raw.type, now.raw.type) ? pairBranches(old, now) : undefined
  if (found?.pairs.every(({ branches }) => branches.every(isPlainObjectSchema)) !== true) return undefined
  const changes = found.pairs.flatMap(({ branches: [one, other], label }) =>
    walkPair(one, other, { ...walk, pointer: walk.pointer + label }),
  )
  const [oldAlone, newAlone] = found.alone
  if (oldAlone.length === 0 && newAlone.length === 0) return changes
  const [one, other]: readonly [UnpairedBranches, UnpairedBranches] = [
    { node: old, alone: oldAlone },
    { node: now, alone: newAlone },
  ]
  return [...changes, createFinding(formatPlace(walk), 'changed', one, other, judgeUnpaired(walk.flow))]
}

function walkPair(one: SchemaNode, other: SchemaNode, walk: SchemaWalk): readonly Finding[] {
  // Large documents refer to the same definitions again and again.
  if (one.raw.$ref !== undefined && isEqualSchema(one, other)) return []
  const [old, now] = [unfold(one), unfold(other)]
  if (walk.seen.some(([before, after]) => before === old && after === now)) return []
  walk.budget.left -= 1
  if (walk.budget.left < 0 || isTotalSpent() || walk.seen.length > maxWalkDepth) return compareWhole(old, now, walk)
  const down: SchemaWalk = { ...walk, seen: [...walk.seen, [old, now]] }
  // A schema without any value is within all others, however its members compare.
  if ([old, now].some((node) => limitSteps(maxEmptySteps, () => isEmptySchema(node), false))) return compareWhole(old, now, down)
  const [a, b] = [mergeAllOf(old), mergeAllOf(now)]
  if (isPlainObjectSchema(a) && isPlainObjectSchema(b)) return compareObjects(a, b, down)
  const [objects, newObjects] = [getPlainObjects(a), getPlainObjects(b)]
  if (objects !== undefined && newObjects !== undefined)
    return [...compareWhole(toTypes(a), toTypes(b), down), ...walkPair(objects, newObjects, down)]
  const [item, newItem] = [getListItems(a), getListItems(b)]
  if (item !== undefined && newItem !== undefined) {
    const [list, newList] = [a, b].map((node) => node.parse(omitKeywords(node.raw, 'items', '$defs'))) as [SchemaNode, SchemaNode]
    return [...compareWhole(list, newList, down), ...walkPair(item, newItem, { ...down, pointer: `${walk.pointer}/*` })]
  }
  return compareUnions(a, b, down) ?? compareWhole(old, now, down)
}

function compareWhole(old: SchemaNode, now: SchemaNode, walk: SchemaWalk): readonly Finding[] {
  if (isEqualPart(omitKeywords(old.raw, '$defs'), omitKeywords(now.raw, '$defs'), [old.root, now.root])) return []
  if (isNeverSchema(old.raw) && isNeverSchema(now.raw)) return []
  const whole = createFinding(formatPlace(walk), 'changed', old, now, judgeValue(walk))
  return isNotable(whole) ? [whole] : judgeLoneMembers(old, now, walk)
}

/** Two spellings of the same schema are no change. */
const isNotable = ({ clients, servers }: Finding): boolean => clients !== 'safe' || servers !== 'safe'

/** The changes from one schema to another, at the place where they stand. */
export const compareSchemas = (
  place: string,
  old: JsonSchema,
  now: JsonSchema,
  flow: Flow,
  check: SchemaCheck = checkSubschema,
): readonly Finding[] =>
  walkPair(parseBodySchema(old), parseBodySchema(now), { place, pointer: '', flow, check, seen: [], budget: { left: maxWalkPairs } })
