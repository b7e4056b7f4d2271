/**
 * Groups of parameters: one schema describes several of them as an object. `query: z.object({ … })` is one group; a member that is an object
 * itself is written as `filter[owner]=x`. Each parameter reads its own text; the schema then validates the object.
 */
import type { ProblemError } from '../../http/httpError.ts'
import { requireSync } from '../../http/promises.ts'
import { getCause, maxIssues } from '../../json-schema/parseError.ts'
import { flattenAllOf, parseSchema, type SchemaNode } from '../../json-schema/schemaNode.ts'
import {
  assertSchema,
  getEncoder,
  getIssuePath,
  getJsonSchema,
  type Schema,
  type StandardSchemaIssue,
  type StandardSchemaResult,
} from '../../json-schema/standardSchema.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'
import { type AnyParameter, defineValue, getValue, type ParameterRecord, type ParameterValues } from './parameter.ts'
import { acceptsAtOnce, createIssueDescriber, createMemberParameter, createSchemaParameter, isSchema } from './schemaParameter.ts'

/** Codecs and schemas by the names of their parameters. */
type ParameterDefinitions = Readonly<Record<string, AnyParameter | Schema>>

/** One parameter of a group. */
export interface GroupMember {
  /** The name of the parameter: `page`, `filter[owner]`. */
  readonly parameter: string
  /** The path to its value: `['page']`, `['filter', 'owner']`. */
  readonly path: readonly [string] | readonly [string, string]
  /** Whether its object always has it. */
  readonly isRequired: boolean
  /** Whether it is a list: one that its object always has is empty without a text. */
  readonly isList: boolean
}

/** Parameters that one schema describes. */
export interface ParameterGroup {
  readonly schema: Schema
  /** The member of the part that the schema describes; undefined where it describes the whole part. */
  readonly name: string | undefined
  readonly members: readonly GroupMember[]
  /** The names of the objects that are always there. */
  readonly requiredObjects: readonly string[]
}

/** One error of a request, as the server finds it. */
export interface InputError extends ProblemError {
  /** The error that a function of the application threw. It is reported, and not sent. */
  readonly cause?: unknown
}

/** One part of a definition: its parameters, and the schemas that describe several of them. */
export interface ParameterPart {
  readonly parameters: ParameterRecord
  readonly groups: readonly ParameterGroup[]
}

const isObjectNode = (node: SchemaNode): boolean =>
  flattenAllOf(node).some(({ types, parts }) => types.includes('object') || parts.properties.size > 0)

/** A member of an object schema. */
interface ObjectMember {
  readonly name: string
  readonly schema: SchemaNode
  readonly isRequired: boolean
}

/** @throws TypeError for an object whose members have no names, and for one that may be another value */
function listObjectMembers(node: SchemaNode): readonly ObjectMember[] {
  const all = flattenAllOf(node)
  if (all.some(({ types, parts }) => parts.branches !== undefined || types.length > 1))
    throw new TypeError(developerErrors.untextualValue('a union of objects'))
  const required = all.flatMap(({ parts }) => parts.required)
  const members = all.flatMap(({ parts }) => [...parts.properties])
  if (members.length === 0) throw new TypeError(developerErrors.untextualValue('an object whose members the schema does not name'))
  return members.map(([name, member]) => ({ name, schema: member, isRequired: required.includes(name) }))
}

/** Makes the parameters of one schema. */
function createGroup(schema: Schema, name: string | undefined, allowsObjects: boolean): ParameterPart {
  const parameters: Record<string, AnyParameter> = {}
  const members: GroupMember[] = []
  const requiredObjects: string[] = []
  const add = (path: GroupMember['path'], { schema: memberSchema, isRequired }: ObjectMember, isPresent: boolean): void => {
    const [outer, inner] = path
    const parameter = inner === undefined ? outer : `${outer}[${inner}]`
    const created = createMemberParameter(memberSchema, isRequired && isPresent)
    defineValue(parameters, parameter, created)
    members.push({ parameter, path, isRequired, isList: created.repeats })
  }
  const root = parseSchema(getJsonSchema(schema))
  for (const member of name === undefined
    ? listObjectMembers(root)
    : [{ name, schema: root, isRequired: !acceptsAtOnce(schema, undefined) }]) {
    if (!isObjectNode(member.schema)) {
      add([member.name], member, true)
      continue
    }
    if (!allowsObjects) throw new TypeError(developerErrors.untextualValue('an object inside another value'))
    if (member.isRequired) requiredObjects.push(member.name)
    for (const inner of listObjectMembers(member.schema)) add([member.name, inner.name], inner, member.isRequired)
  }
  return { parameters, groups: [{ schema, name, members, requiredObjects }] }
}

/**
 * The parameters of one part of a definition, as it is written: a record of codecs and schemas, or one schema of an object.
 *
 * @param allowsObjects whether a member can be an object, which is written as `filter[owner]=x`
 * @throws TypeError, which names the parameter, for a schema whose values no text holds
 */
export function createParameterPart(place: string, declared: Schema | ParameterDefinitions, allowsObjects: boolean): ParameterPart {
  const locate = <T>(name: string, create: () => T): T => {
    try {
      return create()
    } catch (error) {
      throw new TypeError(developerErrors.invalidParameterSchema(name, (error as Error).message), { cause: error })
    }
  }
  if (isSchema(declared)) return locate(place, () => createGroup(declared, undefined, allowsObjects))
  const parts = Object.entries(declared).map(([name, definition]): ParameterPart => {
    if (!isSchema(definition)) return { parameters: { [name]: definition }, groups: [] }
    return locate(`${place}.${name}`, () => {
      assertSchema(definition)
      if (isObjectNode(parseSchema(getJsonSchema(definition)))) return createGroup(definition, name, allowsObjects)
      return { parameters: { [name]: createSchemaParameter(definition) }, groups: [] }
    })
  })
  return {
    parameters: Object.fromEntries(parts.flatMap(({ parameters }) => Object.entries(parameters))),
    groups: parts.flatMap(({ groups }) => groups),
  }
}

/** The object that the members of a group make. */
function buildObject({ members, requiredObjects }: ParameterGroup, values: ParameterValues): ParameterValues {
  const object = new Map<string, unknown>()
  const nested = new Map<string, Map<string, unknown>>(requiredObjects.map((name) => [name, new Map()]))
  for (const { parameter, path } of members)
    if (path.length === 2 && values[parameter] !== undefined && !nested.has(path[0])) nested.set(path[0], new Map())
  for (const { parameter, path, isRequired, isList } of members) {
    const [outer, inner] = path
    const value = values[parameter] ?? (isRequired && isList ? [] : undefined)
    if (value === undefined) continue
    if (inner === undefined) object.set(outer, value)
    else nested.get(outer)?.set(inner, value)
  }
  for (const [name, inner] of nested) object.set(name, Object.fromEntries(inner))
  // Entries define members, so that `__proto__` is a name like any other.
  return Object.fromEntries(object)
}

/** The values of the parameters that are in no group. */
function omitGrouped(groups: readonly ParameterGroup[], values: ParameterValues): Record<string, unknown> {
  const isGrouped = (name: string): boolean => groups.some(({ members }) => members.some(({ parameter }) => parameter === name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isGrouped(name)))
}

/** The value of a part as a caller writes it, of the values of its parameters: the inverse of `splitValues`. */
export const joinValues = (groups: readonly ParameterGroup[], values: ParameterValues): ParameterValues =>
  Object.fromEntries(
    [omitGrouped(groups, values), ...groups.map((group) => buildObject(group, values))].flatMap((part) => Object.entries(part ?? {})),
  )

/** The name of the parameter that an issue is about; undefined where it is about several. */
function findParameter({ name, members }: ParameterGroup, issue: StandardSchemaIssue): string | undefined {
  const path = [...(name === undefined ? [] : [name]), ...getIssuePath(issue)]
  return members.find((member) => member.path.every((key, index) => key === path[index]))?.parameter
}

/**
 * The values of a part: those of its groups as their schemas return them, and all others as they are.
 *
 * @returns the values, or what the schemas report
 * @throws TypeError for an asynchronous schema
 */
export function combineValues(
  place: ProblemError['in'],
  groups: readonly ParameterGroup[],
  values: ParameterValues,
): ParameterValues | readonly InputError[] {
  let combined = omitGrouped(groups, values)
  const errors: InputError[] = []
  for (const group of groups) {
    const { schema, name } = group
    const object = buildObject(group, values)
    const value = name === undefined ? object : object[name]
    const validated = schema['~standard'].validate(value)
    const result = requireSync(validated as StandardSchemaResult<unknown>, `The schema of the ${place}`)
    if (result.issues) {
      const describe = createIssueDescriber(schema, value)
      for (const issue of result.issues.slice(0, maxIssues)) {
        const parameter = findParameter(group, issue)
        const isMissing = parameter !== undefined && values[parameter] === undefined
        const detail = isMissing ? `expected ${expectation.present()}` : describe(issue)
        errors.push({ in: place, ...(parameter === undefined ? {} : { name: parameter }), detail, ...getCause(issue) })
      }
    } else if (name === undefined) combined = { ...combined, ...(result.value as object) }
    else defineValue(combined, name, result.value)
  }
  return errors.length > 0 ? errors : combined
}

/** The value of a part, with that of a group as it is on the wire. */
function encodeGroup({ schema, name, members }: ParameterGroup, values: ParameterValues): ParameterValues {
  const encode = getEncoder(schema)
  if (encode === undefined) return values
  if (name === undefined) {
    // A strict schema refuses the parameters beside it, such as the Idempotency-Key.
    const own = new Map(members.map(({ path: [outer] }) => [outer, getValue(values, outer)]))
    return encode(Object.fromEntries([...own].filter(([, value]) => value !== undefined))) as ParameterValues
  }
  const value = getValue(values, name)
  return value === undefined ? values : { ...values, [name]: encode(value) }
}

/** The values of the parameters of a part, of the value that a caller gives. */
export function splitValues(groups: readonly ParameterGroup[], values: ParameterValues): ParameterValues {
  if (groups.length === 0) return values
  const split: Record<string, unknown> = { ...values }
  for (const group of groups) {
    const encoded = encodeGroup(group, values)
    for (const { parameter, path } of group.members)
      defineValue(
        split,
        parameter,
        path.reduce<unknown>((value, key) => getValue(Object(value) as ParameterValues, key), encoded),
      )
  }
  return split
}
