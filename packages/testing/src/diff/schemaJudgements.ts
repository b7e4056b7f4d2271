/** What a change of a schema does, or of one of its members, where one side writes and the other reads. */
import { neverSchema, parseSchema, type SchemaNode } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import { breakingJudgement, type Judge, type Judgement, type Sides, safeJudgement, unknownJudgement } from './change.ts'
import * as reason from './diffMessages.ts'
import { checkSubschema, type SubschemaResult } from './subschema/checkSubschema.ts'
import { isAnySchema, isEqualSchema } from './subschema/unfold.ts'

/** Who writes: in a request the caller, in a response the server. */
export type Flow = 'request' | 'response'

/** Compares what is written with what is read. */
export type SchemaCheck = (writer: SchemaNode, reader: SchemaNode) => SubschemaResult

/** Judges a change as safe in a request or a response. */
export const judgeSafe = (flow: Flow, sides: Sides): Judgement =>
  safeJudgement(flow === 'request' ? reason.allAccepted(sides) : reason.allExpected(sides))

/** Judges what one side writes and the other reads. */
export function judgeSchemas(
  writer: SchemaNode,
  reader: SchemaNode,
  flow: Flow,
  sides: Sides,
  check: SchemaCheck = checkSubschema,
): Judgement {
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

/** A member in one of the two schemas. */
export interface MemberSide {
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

/** Judges a member that one of two objects does not declare, or that only one of them requires. */
export const judgeMember =
  (flow: Flow): Judge<MemberSide> =>
  (caller, server, sides) => {
    const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
    if (reader.node === undefined) return judgeWriterOnly(writer, reader, flow, sides)
    if (writer.node === undefined) return judgeReaderOnly(writer, reader, flow, sides)
    if (!reader.isRequired || writer.isRequired) return judgeSafe(flow, sides)
    return breakingJudgement(flow === 'request' ? reason.newlyRequired(sides) : reason.partOptional(sides))
  }

/** Judges further members. Where a schema does not mention them, the toolkit's own programs do not write any, and others may. */
export const judgeRest =
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

/** Whether two objects declare a member alike. Its schemas may differ. */
export const isSameMember = (one: MemberSide, other: MemberSide): boolean =>
  one.isRequired === other.isRequired && (one.node === undefined) === (other.node === undefined)

/** A member of an object. */
export function getMemberSide(node: SchemaNode, name: string): MemberSide {
  const { properties, required } = node.parts
  const [any, isRequired] = [node.parse(true), required.includes(name)]
  // An object that declares no member is an open record.
  const rest = node.raw.properties === undefined ? (node.parts.rest ?? any) : node.parts.rest
  // A required member without a schema of its own has that of further members.
  return { node: properties.get(name) ?? (isRequired ? (rest ?? any) : undefined), isRequired, rest, any }
}

/** Further members as one JSON value: several schemas allow any of them. */
const toPlainRest = ({ rest }: MemberSide): unknown => {
  if (rest === undefined) return null
  return isForbidden(rest) ? false : isAnySchema(rest.raw) || rest.raw
}

/** Whether further members are the same, and so is what their schemas refer to. */
export const isSameRest = (one: MemberSide, other: MemberSide): boolean =>
  isEqualJson(toPlainRest(one), toPlainRest(other)) &&
  (one.rest === undefined || other.rest === undefined || isEqualSchema(one.rest, other.rest) || typeof toPlainRest(one) === 'boolean')
