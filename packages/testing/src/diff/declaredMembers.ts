/**
 * The members that only one of two schemas declares. Where a schema is open, no value tells that a member is gone: it is allowed as before,
 * and no longer promised.
 */
import type { JsonSchema } from 'lapidary'
import { encodePointerStep, isJsonObject, type SchemaNode } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import { limitSteps, spendSteps } from './subschema/budget.ts'
import { isUnresolved, unfold } from './subschema/unfold.ts'

/** A member that only one of two schemas declares. */
export interface LoneMember {
  /** Its place within the value, with `*` for any item and for any further member. */
  readonly pointer: string
  readonly change: 'added' | 'removed'
}

/** What schemas of one value say of its parts. */
interface ValueParts {
  readonly members: ReadonlyMap<string, readonly SchemaNode[]>
  /** Parts without a name of their own, by their steps: `*` is any item, and any further member. */
  readonly items: ReadonlyMap<string, readonly SchemaNode[]>
  /** The branches of unions, unless they are read as parts. */
  readonly branches: readonly SchemaNode[]
}

/** The parts that are about the same value, except branches of unions. */
function listSameValueParts(node: SchemaNode): readonly SchemaNode[] {
  const { raw } = node
  const dependent = isJsonObject(raw['dependentSchemas']) ? Object.values(raw['dependentSchemas']) : []
  const conditional = [raw['then'], raw['else'], ...dependent].filter(isJsonObject)
  return [...(raw.allOf ?? []), ...(conditional as readonly JsonSchema[])].map((part) => node.parse(part))
}

const addPart = (record: Map<string, SchemaNode[]>, step: string, part: SchemaNode): unknown =>
  record.set(step, [...(record.get(step) ?? []), part])

function readParts(nodes: readonly SchemaNode[], areBranchesParts: boolean): ValueParts {
  const members = new Map<string, SchemaNode[]>()
  const items = new Map<string, SchemaNode[]>()
  const branches: SchemaNode[] = []
  const seen = new Set<SchemaNode>()
  const read = (node: SchemaNode): void => {
    spendSteps()
    const here = unfold(node)
    if (seen.has(here) || isUnresolved(here)) return
    seen.add(here)
    const { properties, rest, patterns, prefixItems, items: item } = here.parts
    for (const [name, member] of properties) addPart(members, name, member)
    for (const part of [rest, item, ...patterns.map(([, member]) => member)]) if (part !== undefined) addPart(items, '*', part)
    for (const [index, part] of prefixItems.entries()) addPart(items, String(index), part)
    const own = [...(here.raw.anyOf ?? []), ...(here.raw.oneOf ?? [])].map((branch) => here.parse(branch))
    if (areBranchesParts) own.forEach(read)
    else branches.push(...own)
    listSameValueParts(here).forEach(read)
  }
  nodes.forEach(read)
  return { members, items, branches }
}

/** Branches that stand for each other: those of the same text, then the others in their order; undefined where their numbers differ. */
function pairInOrder(old: readonly SchemaNode[], now: readonly SchemaNode[]): readonly (readonly [SchemaNode, SchemaNode])[] | undefined {
  if (old.length !== now.length) return undefined
  const left = [...now]
  const take = (branch: SchemaNode): SchemaNode | undefined => {
    const index = left.findIndex(({ raw }) => isEqualJson(raw, branch.raw))
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const equal = old.map((branch) => [branch, take(branch)] as const)
  return equal.map(([branch, other]) => [branch, other ?? (left.shift() as SchemaNode)] as const)
}

/** The most steps of one search. */
const maxDeclaredSteps = 20_000

/** Searches two schemas side by side. Each pair is searched once, so that a schema that contains itself has an end. */
class MemberSearch {
  readonly found: LoneMember[] = []
  private readonly seen = new Set<string>()
  private readonly ids = new Map<SchemaNode, number>()

  private key(nodes: readonly SchemaNode[]): string {
    const ids = nodes.map((node) => {
      const here = unfold(node)
      const id = this.ids.get(here) ?? this.ids.size
      this.ids.set(here, id)
      return id
    })
    return [...new Set(ids)].sort().join()
  }

  search(old: readonly SchemaNode[], now: readonly SchemaNode[], pointer: string): void {
    spendSteps()
    const key = `${this.key(old)} ${this.key(now)}`
    if (this.seen.has(key)) return
    this.seen.add(key)
    const [one, other] = [readParts(old, false), readParts(now, false)]
    const pairs = pairInOrder(one.branches, other.branches)
    if (pairs === undefined) this.searchParts(readParts(old, true), readParts(now, true), pointer)
    else {
      this.searchParts(one, other, pointer)
      for (const [branch, counterpart] of pairs) this.search([branch], [counterpart], pointer)
    }
  }

  private searchParts(one: ValueParts, other: ValueParts, pointer: string): void {
    for (const name of [...new Set([...one.members.keys(), ...other.members.keys()])].sort()) {
      const [member, counterpart] = [one.members.get(name), other.members.get(name)]
      const place = pointer + encodePointerStep(name)
      if (member !== undefined && counterpart !== undefined) this.search(member, counterpart, place)
      else this.found.push({ pointer: place, change: member === undefined ? 'added' : 'removed' })
    }
    for (const [step, parts] of one.items) {
      const others = other.items.get(step)
      if (others !== undefined) this.search(parts, others, `${pointer}/${step}`)
    }
  }
}

/** The members that only one of two schemas declares. None where there are too many parts to search. */
export const findLoneMembers = (old: SchemaNode, now: SchemaNode): readonly LoneMember[] =>
  limitSteps(maxDeclaredSteps, () => {
    const search = new MemberSearch()
    search.search([old], [now], '')
    // Two branches of a union may declare the same member.
    return search.found.filter(
      ({ pointer, change }, index) => search.found.findIndex((one) => one.pointer === pointer && one.change === change) === index,
    )
  }, [])
