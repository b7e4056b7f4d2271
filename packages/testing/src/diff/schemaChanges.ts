/** What a change of a JSON Schema does, member by member as far as both are objects. */
import type { JsonSchema } from 'lapidary'
import { encodePointerStep, neverSchema, parseSchema, type SchemaNode } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import {
  breakingJudgement,
  createFinding,
  type Finding,
  type Judge,
  type Judgement,
  listNames,
  type Sides,
  safeJudgement,
  unknownJudgement,
} from './change.ts'
import * as reason from './diffMessages.ts'
import { isTotalSpent, limitSteps } from './subschema/budget.ts'
import { checkSubschema, type SubschemaResult } from './subschema/checkSubschema.ts'
import { isEmptySchema } from './subschema/disjoint.ts'
import { isAnySchema, isEqualPart, isEqualSchema, isNeverSchema, type NodePair, omitKeywords, unfold } from './subschema/unfold.ts'
import { pairBranches } from './subschema/unions.ts'

/** Who writes: in a request the caller, in a response the server. */
export type Flow = 'request' | 'response'

/** Compares what is written with what is read. */
type SchemaCheck = (writer: SchemaNode, reader: SchemaNode) => SubschemaResult

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

/** Judges a change as safe in a request or a response. */
export const judgeSafe = (flow: Flow, sides: Sides): Judgement =>
  safeJudgement(flow === 'request' ? reason.allAccepted(sides) : reason.allExpected(sides))

function judgeSchemas(writer: SchemaNode, reader: SchemaNode, flow: Flow, sides: Sides, check: SchemaCheck = checkSubschema): Judgement {
  const isRequest = flow === 'request'
  const found = check(writer, reader)
  if (found.is === 'yes') return judgeSafe(flow, sides)
  if (found.is === 'unknown') return unknownJudgement(isRequest ? reason.requestUndecided(sides) : reason.responseUndecided(sides))
  const { flaw, instance } = found
  if (flaw.kind === 'missing') return breakingJudgement(reason.memberOmitted(sides, flaw, isRequest), { value: instance })
  const value = reason.getValueAt(flaw, instance)
  return breakingJudgement(
    isRequest ? reason.valueRejected(sides, value, flaw.expected) : reason.valueUnexpected(sides, value, flaw.expected),
    { value: instance },
  )
}

const judgeValue =
  ({ flow, check }: SchemaWalk): Judge<SchemaNode> =>
  (caller, server, sides) =>
    flow === 'request' ? judgeSchemas(caller, server, flow, sides, check) : judgeSchemas(server, caller, flow, sides, check)

/** A member in one of the two schemas. */
interface MemberSide {
  /** Undefined where only the other schema declares it. */
  readonly node: SchemaNode | undefined
  readonly isRequired: boolean
  /** The members that are not declared; undefined where the schema does not mention them. */
  readonly rest: SchemaNode | undefined
  /** The schema that allows any value, in the same document. */
  readonly any: SchemaNode
}

const isForbidden = (rest: SchemaNode | undefined): boolean => rest?.raw === neverSchema

/** Whether a value of a schema can be found. */
const isInhabited = (node: SchemaNode): boolean => checkSubschema(node, parseSchema(neverSchema)).is === 'no'

/** A member that only the writer knows. */
function judgeWriterOnly(writer: MemberSide, reader: MemberSide, flow: Flow, sides: Sides): Judgement {
  const member = writer.node ?? writer.any
  if (isForbidden(reader.rest)) {
    if (isInhabited(member)) return breakingJudgement(flow === 'request' ? reason.memberRejected(sides) : reason.memberUnexpected(sides))
  } else if (reader.rest !== undefined && !isAnySchema(reader.rest.raw)) return judgeSchemas(member, reader.rest, flow, sides)
  return flow === 'request' ? unknownJudgement(reason.valueIgnored(sides)) : safeJudgement(reason.additionIgnored(sides))
}

/** A member that only the reader knows. */
function judgeReaderOnly(writer: MemberSide, reader: MemberSide, flow: Flow, sides: Sides): Judgement {
  const isRequest = flow === 'request'
  if (reader.isRequired) return breakingJudgement(isRequest ? reason.memberRequired(sides) : reason.partMissing(sides))
  if (writer.rest === undefined || isForbidden(writer.rest))
    return safeJudgement(isRequest ? reason.optionalOmitted(sides) : reason.absenceExpected(sides))
  return judgeSchemas(writer.rest, reader.node ?? reader.any, flow, sides)
}

const judgeMember =
  (flow: Flow): Judge<MemberSide> =>
  (caller, server, sides) => {
    const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
    if (reader.node === undefined) return judgeWriterOnly(writer, reader, flow, sides)
    if (writer.node === undefined) return judgeReaderOnly(writer, reader, flow, sides)
    if (!reader.isRequired || writer.isRequired) return judgeSafe(flow, sides)
    return breakingJudgement(flow === 'request' ? reason.newlyRequired(sides) : reason.partOptional(sides))
  }

/** Judges further members. Where a schema does not mention them, the toolkit's own programs do not write any, and others may. */
const judgeRest =
  (flow: Flow): Judge<MemberSide> =>
  (caller, server, sides) => {
    const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
    const isRequest = flow === 'request'
    if (writer.rest === undefined)
      return isRequest && isForbidden(reader.rest) ? unknownJudgement(reason.undeclaredRejected(sides)) : judgeSafe(flow, sides)
    if (isForbidden(writer.rest)) return judgeSafe(flow, sides)
    if (isForbidden(reader.rest) && isInhabited(writer.rest))
      return breakingJudgement(isRequest ? reason.undeclaredRejected(sides) : reason.undeclaredSent(sides))
    if (reader.rest === undefined) return isRequest ? unknownJudgement(reason.valueIgnored(sides)) : judgeSafe(flow, sides)
    return judgeSchemas(writer.rest, reader.rest, flow, sides)
  }

const plainObjectKeywords: ReadonlySet<string> = new Set(['$anchor', '$defs', 'additionalProperties', 'properties', 'required', 'type'])
const isPlainObjectSchema = ({ raw }: SchemaNode): boolean =>
  raw.type === 'object' && Object.keys(raw).every((keyword) => plainObjectKeywords.has(keyword))

/** The items of an array whose items are all alike, if it may have some. */
const getListItems = ({ raw, parts }: SchemaNode): SchemaNode | undefined =>
  raw.type === 'array' && typeof raw.items === 'object' && raw.prefixItems === undefined && raw.maxItems !== 0 ? parts.items : undefined

const isSameMember = (one: MemberSide, other: MemberSide): boolean =>
  one.isRequired === other.isRequired && (one.node === undefined) === (other.node === undefined)

function getMemberSide(node: SchemaNode, name: string): MemberSide {
  const { properties, required } = node.parts
  const [any, isRequired] = [node.parse(true), required.includes(name)]
  // An object that declares no member is an open record.
  const rest = node.raw.properties === undefined ? (node.parts.rest ?? any) : node.parts.rest
  return { node: properties.get(name) ?? (isRequired ? any : undefined), isRequired, rest, any }
}

/** Further members as one JSON value: several schemas allow any of them. */
const toPlainRest = ({ rest }: MemberSide): unknown => {
  if (rest === undefined) return null
  return isForbidden(rest) ? false : isAnySchema(rest.raw) || rest.raw
}

/** Whether further members are the same, and so is what their schemas refer to. */
const isSameRest = (one: MemberSide, other: MemberSide): boolean =>
  isEqualJson(toPlainRest(one), toPlainRest(other)) &&
  (one.rest === undefined || other.rest === undefined || isEqualSchema(one.rest, other.rest) || typeof toPlainRest(one) === 'boolean')

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
  return [...members, createFinding(`${formatPlace(walk)} further members`, 'changed', one, other, judgeRest(walk.flow))]
}

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
  const [old, now] = [unfold(one), unfold(other)]
  if (walk.seen.some(([before, after]) => before === old && after === now)) return []
  walk.budget.left -= 1
  if (walk.budget.left < 0 || isTotalSpent() || walk.seen.length > maxWalkDepth) return compareWhole(old, now, walk)
  const down: SchemaWalk = { ...walk, seen: [...walk.seen, [old, now]] }
  // A schema without any value is within all others, however its members compare.
  if ([old, now].some((node) => limitSteps(maxEmptySteps, () => isEmptySchema(node), false))) return compareWhole(old, now, down)
  if (isPlainObjectSchema(old) && isPlainObjectSchema(now)) return compareObjects(old, now, down)
  const [item, newItem] = [getListItems(old), getListItems(now)]
  if (item !== undefined && newItem !== undefined) {
    const [list, newList] = [old, now].map((node) => node.parse(omitKeywords(node.raw, 'items', '$defs'))) as [SchemaNode, SchemaNode]
    return [...compareWhole(list, newList, down), ...walkPair(item, newItem, { ...down, pointer: `${walk.pointer}/*` })]
  }
  return compareUnions(old, now, down) ?? compareWhole(old, now, down)
}

function compareWhole(old: SchemaNode, now: SchemaNode, walk: SchemaWalk): readonly Finding[] {
  if (isEqualPart(omitKeywords(old.raw, '$defs'), omitKeywords(now.raw, '$defs'), [old.root, now.root])) return []
  if (isNeverSchema(old.raw) && isNeverSchema(now.raw)) return []
  return [createFinding(formatPlace(walk), 'changed', old, now, judgeValue(walk))].filter(isNotable)
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
  walkPair(parseSchema(old), parseSchema(now), { place, pointer: '', flow, check, seen: [], budget: { left: maxWalkPairs } })
