/** What a change of a JSON Schema does, member by member as far as both are objects. */
import { type JsonSchema, type Members, membersOf } from '../describe/jsonSchema.ts'
import { pointerStep } from '../describe/refusal.ts'
import { isSame } from './canonical.ts'
import { breaking, type Finding, finding, type Judge, type Judgement, namesOf, type Sides, safe, unknown } from './change.ts'
import * as reason from './reason.ts'
import { unfolded } from './unfolded.ts'
import { paired } from './unions.ts'
import { isAlike, isAnything, isNothing, nothing, type Way, without } from './way.ts'
import { within } from './within.ts'
import { isOver } from './work.ts'

/** Who writes: in a request the caller, in an answer the server. */
export type Flow = 'request' | 'answer'

/** A schema, and where its references start. */
interface Rooted {
  readonly schema: JsonSchema
  readonly root: JsonSchema
}

type Pair = Way['roots']

interface Walk {
  readonly place: string
  readonly pointer: string
  readonly flow: Flow
  readonly roots: Pair
  /** Pairs that are being compared: what contains itself is compared once. */
  readonly seen: readonly Pair[]
  /** How many more are compared member by member: those behind references may be met very often. */
  readonly budget: { left: number }
}

/** Those that are further down, likewise. */
const deepest = 100
/** Further ones are compared as wholes. */
const mostPairs = 2_000

function judged({ schema: one, root }: Rooted, { schema: other, root: otherRoot }: Rooted, flow: Flow, sides: Sides): Judgement {
  const isRequest = flow === 'request'
  const found = within(one, other, [root, otherRoot])
  if (found.is === 'yes') return safe(isRequest ? reason.readToo(sides) : reason.expectedToo(sides))
  if (found.is === 'unknown') return unknown(isRequest ? reason.untold(sides) : reason.untoldAnswer(sides))
  const { flaw, instance } = found
  if (flaw.kind === 'missing') return breaking(reason.missingWithin(sides, flaw, isRequest))
  const value = reason.faulty(flaw, instance)
  return breaking(isRequest ? reason.refused(sides, value, flaw.asked) : reason.unexpected(sides, value, flaw.asked))
}

const judgeValue =
  (flow: Flow): Judge<Rooted> =>
  (caller, server, sides) =>
    flow === 'request' ? judged(caller, server, flow, sides) : judged(server, caller, flow, sides)

/** A member in the one schema and in the other; undefined where it is declared in only one of them. */
interface Member {
  readonly schema: JsonSchema | undefined
  readonly isRequired: boolean
  /** What the members are that nobody declared. */
  readonly rest: Members['rest']
  readonly root: JsonSchema
}

/** Whether a schema has any value that can be found. */
const isInhabited = ({ schema, root }: Rooted): boolean => within(schema, nothing, [root, nothing]).is === 'no'

/** A member that only the writer knows. */
function spare(writer: Member, reader: Member, flow: Flow, sides: Sides): Judgement {
  if (reader.rest === false && isInhabited({ schema: writer.schema ?? {}, root: writer.root }))
    return breaking(flow === 'request' ? reason.strictServers(sides) : reason.strict(sides))
  if (typeof reader.rest === 'object' && !isAnything(reader.rest))
    return judged({ schema: writer.schema ?? {}, root: writer.root }, { schema: reader.rest, root: reader.root }, flow, sides)
  return flow === 'request' ? unknown(reason.unread(sides)) : safe(reason.leftAlone(sides))
}

/** A member that only the reader knows. */
function missing(writer: Member, reader: Member, flow: Flow, sides: Sides): Judgement {
  const isRequest = flow === 'request'
  if (reader.isRequired) return breaking(isRequest ? reason.memberNeeded(sides) : reason.neverSent(sides))
  if (writer.rest === undefined || writer.rest === false) return safe(isRequest ? reason.mayBeLeftOut(sides) : reason.notMissed(sides))
  const further = writer.rest === true ? {} : writer.rest
  return judged({ schema: further, root: writer.root }, { schema: reader.schema ?? {}, root: reader.root }, flow, sides)
}

const judgeMember =
  (flow: Flow): Judge<Member> =>
  (caller, server, sides) => {
    const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
    if (reader.schema === undefined) return spare(writer, reader, flow, sides)
    if (writer.schema === undefined) return missing(writer, reader, flow, sides)
    if (!reader.isRequired || writer.isRequired) return safe(flow === 'request' ? reason.readToo(sides) : reason.expectedToo(sides))
    return breaking(flow === 'request' ? reason.neededNow(sides) : reason.seldomSent(sides))
  }

/** Further members. Where a schema does not speak of them, the toolkit's own programs do not write any, and others may. */
const judgeRest =
  (flow: Flow): Judge<Member> =>
  (caller, server, sides) => {
    const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
    const isRequest = flow === 'request'
    const fine = safe(isRequest ? reason.readToo(sides) : reason.expectedToo(sides))
    const isOpen = writer.rest === true || typeof writer.rest === 'object'
    if (!isOpen) return isRequest && writer.rest === undefined && reader.rest === false ? unknown(reason.further(sides)) : fine
    const from = { schema: typeof writer.rest === 'object' ? writer.rest : {}, root: writer.root }
    if (reader.rest === false && isInhabited(from)) return breaking(isRequest ? reason.further(sides) : reason.furtherAnswered(sides))
    if (reader.rest === undefined) return isRequest ? unknown(reason.unread(sides)) : fine
    const to = typeof reader.rest === 'object' ? reader.rest : reader.rest ? {} : nothing
    return judged(from, { schema: to, root: reader.root }, flow, sides)
  }

const plainKeywords: ReadonlySet<string> = new Set(['$defs', 'additionalProperties', 'properties', 'required', 'type'])
const isPlainObject = (schema: JsonSchema): boolean =>
  schema.type === 'object' && Object.keys(schema).every((keyword) => plainKeywords.has(keyword))

const itemsOf = ({ type, items, prefixItems }: JsonSchema): JsonSchema | undefined =>
  type === 'array' && typeof items === 'object' && prefixItems === undefined ? items : undefined

const isSameMember = (one: Member, other: Member): boolean =>
  one.isRequired === other.isRequired && (one.schema === undefined) === (other.schema === undefined)

function objectChanges(old: JsonSchema, now: JsonSchema, walk: Walk): readonly Finding[] {
  const sides = [membersOf(old), membersOf(now)] as const
  const memberOf = (side: 0 | 1, name: string): Member => {
    const { properties, required, rest } = sides[side]
    const schema = Object.hasOwn(properties, name) ? properties[name] : required.includes(name) ? {} : undefined
    return { schema, isRequired: required.includes(name), rest, root: walk.roots[side] }
  }
  const names = namesOf({ ...sides[0].properties, ...record(sides[0].required) }, { ...sides[1].properties, ...record(sides[1].required) })
  const members = names.flatMap((name) => {
    const pointer = walk.pointer + pointerStep(name)
    const [one, other] = [memberOf(0, name), memberOf(1, name)]
    const change = one.schema === undefined ? 'added' : other.schema === undefined ? 'removed' : 'changed'
    const own = isSameMember(one, other) ? [] : [finding(placeOf({ ...walk, pointer }), change, one, other, judgeMember(walk.flow))]
    return one.schema === undefined || other.schema === undefined
      ? own
      : [...own, ...walked(one.schema, other.schema, { ...walk, pointer })]
  })
  const [one, other] = [memberOf(0, ''), memberOf(1, '')]
  const plainRest = ({ rest }: Member): unknown => (typeof rest === 'object' && isAnything(rest) ? true : (rest ?? null))
  const isSameRest = isSame(plainRest(one), plainRest(other))
  return isSameRest ? members : [...members, finding(`${placeOf(walk)} further members`, 'changed', one, other, judgeRest(walk.flow))]
}

const record = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, true]))

const placeOf = ({ place, pointer }: Walk): string => `${place} ${pointer}`.trim()

/** What only one of two unions has, and what the other has in all. */
interface Alone extends Rooted {
  readonly alone: readonly JsonSchema[]
}

const judgeAlone =
  (flow: Flow): Judge<Alone> =>
  (caller, server, sides) => {
    const [writer, reader] = flow === 'request' ? [caller, server] : [server, caller]
    if (writer.alone.length === 0) return safe(flow === 'request' ? reason.readToo(sides) : reason.expectedToo(sides))
    return judged({ ...writer, schema: { anyOf: writer.alone } }, reader, flow, sides)
  }

const unionKeywords: ReadonlySet<string> = new Set(['$defs', 'anyOf', 'oneOf', 'type'])

/** The changes of the parts of two unions; undefined where nothing tells which of them stand for each other. */
function unionChanges(old: JsonSchema, now: JsonSchema, walk: Walk): readonly Finding[] | undefined {
  const isUnion =
    [old, now].every((schema) => Object.keys(schema).every((keyword) => unionKeywords.has(keyword))) && isSame(old.type, now.type)
  const found = isUnion ? paired(old, now, walk.roots) : undefined
  if (found?.pairs.every(({ parts }) => parts.every(isPlainObject)) !== true) return undefined
  const parts = found.pairs.flatMap(({ parts: [one, other], label }) => walked(one, other, { ...walk, pointer: walk.pointer + label }))
  if (found.alone.every((some) => some.length === 0)) return parts
  const [one, other] = [old, now].map(
    (schema, side): Alone => ({
      alone: found.alone[side as 0 | 1],
      schema,
      root: walk.roots[side as 0 | 1],
    }),
  ) as [Alone, Alone]
  return [...parts, finding(placeOf(walk), 'changed', one, other, judgeAlone(walk.flow))]
}

function walked(one: JsonSchema, other: JsonSchema, walk: Walk): readonly Finding[] {
  const [old, now] = [unfolded(one, walk.roots[0]), unfolded(other, walk.roots[1])]
  if (walk.seen.some(([before, after]) => before === old && after === now)) return []
  walk.budget.left -= 1
  if (walk.budget.left < 0 || isOver() || walk.seen.length > deepest) return compared(old, now, walk)
  const down: Walk = { ...walk, seen: [...walk.seen, [old, now]] }
  if (isPlainObject(old) && isPlainObject(now)) return objectChanges(old, now, down)
  const [item, newItem] = [itemsOf(old), itemsOf(now)]
  if (item !== undefined && newItem !== undefined) {
    const [list, newList] = [without(old, 'items', '$defs'), without(now, 'items', '$defs')]
    return [...compared(list, newList, down), ...walked(item, newItem, { ...down, pointer: `${walk.pointer}/*` })]
  }
  return unionChanges(old, now, down) ?? compared(old, now, down)
}

function compared(old: JsonSchema, now: JsonSchema, walk: Walk): readonly Finding[] {
  if (isAlike(without(old, '$defs'), without(now, '$defs'), walk)) return []
  if (isNothing(old) && isNothing(now)) return []
  const [one, other] = [
    { schema: old, root: walk.roots[0] },
    { schema: now, root: walk.roots[1] },
  ]
  return [finding(placeOf(walk), 'changed', one, other, judgeValue(walk.flow))].filter(isTelling)
}

/** Two ways to say the same thing are no change. */
const isTelling = ({ clients, servers }: Finding): boolean => clients !== 'safe' || servers !== 'safe'

/** The changes from one schema to another, in the place where they stand. */
export const schemaChanges = (place: string, old: JsonSchema, now: JsonSchema, flow: Flow): readonly Finding[] =>
  walked(old, now, { place, pointer: '', flow, roots: [old, now], seen: [], budget: { left: mostPairs } })
