/** The branches of unions: what a writer writes for each of them, and which branches of two unions stand for each other. */
import type { JsonSchema } from 'lapidary'
import type { SchemaNode } from 'lapidary/internal'
import { isOneOf, toCanonicalText } from '../canonical.ts'
import { spendSteps } from './budget.ts'
import { listUncomparedKeywords } from './comparedKeywords.ts'
import { areDisjoint } from './disjoint.ts'
import { mergeAllOf } from './mergeSchemas.ts'
import { isEqualPart, isUnresolved, type NodePair, omitKeywords, unfold } from './unfold.ts'

/** Deeper parts may declare any name. */
const maxDeclaredDepth = 12

/** The names that a schema declares for the value itself, by any of its parts; undefined where any name is declared. */
function listDeclaredNames(node: SchemaNode, depth = 0): ReadonlySet<string> | undefined {
  spendSteps()
  const here = unfold(node)
  const { additionalProperties, properties = {}, anyOf = [], oneOf = [], allOf = [] } = here.raw
  if (depth > maxDeclaredDepth || isUnresolved(here) || listUncomparedKeywords(here.raw).length > 0) return undefined
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined
  const names = new Set(Object.keys(properties))
  for (const part of [...anyOf, ...oneOf, ...allOf]) {
    const further = listDeclaredNames(here.parse(part), depth + 1)
    if (further === undefined) return undefined
    for (const name of further) names.add(name)
  }
  return names
}

/** What else may be written beside one branch of a union, since a value may fit several branches. */
function getBesideBranch(branch: SchemaNode, others: readonly SchemaNode[], rest: JsonSchema): JsonSchema | undefined {
  const own = listDeclaredNames(branch.parse({ allOf: [rest, branch.raw] }))
  // A branch that declares nothing at all writes any member.
  if (own === undefined || own.size === 0 || unfold(branch).raw.additionalProperties === false) return undefined
  const further: Record<string, JsonSchema> = Object.create(null)
  for (const other of others) {
    const names = listDeclaredNames(other)
    if (names !== undefined && [...names].every((name) => own.has(name))) continue
    if (areDisjoint(branch, other)) continue
    if (names === undefined) return { additionalProperties: true }
    for (const name of names) if (!own.has(name)) further[name] = {}
  }
  return Object.keys(further).length === 0 ? undefined : { properties: further }
}

/** The branches of a union that is written, each with what the schema says besides. Every value of the schema is a value of one of them. */
export function expandBranches(node: SchemaNode, branches: readonly JsonSchema[]): readonly SchemaNode[] {
  const rest = omitKeywords(node.raw, 'anyOf', 'oneOf')
  const nodes = branches.map((branch) => node.parse(branch))
  return nodes.map((branch, index) => {
    const others = nodes.filter((_, place) => place !== index)
    const further = getBesideBranch(branch, others, rest)
    const all = [...(Object.keys(rest).length === 0 ? [] : [rest]), ...(further === undefined ? [] : [further]), branch.raw]
    return all.length === 1 ? branch : node.parse({ allOf: all })
  })
}

/** The branches of two unions. */
interface PairedBranches {
  /** Those that stand for each other, each with the constant that tells: `(kind "circle")`. Empty where none does. */
  readonly pairs: readonly { readonly branches: NodePair; readonly label: string }[]
  /** Those without a counterpart, of the one union and of the other. */
  readonly alone: readonly [readonly SchemaNode[], readonly SchemaNode[]]
}

const unfoldBranches = (node: SchemaNode): readonly SchemaNode[] =>
  (node.raw.oneOf ?? node.raw.anyOf ?? []).map((branch) => mergeAllOf(node.parse(branch)))

/** The constants of a member in all branches; undefined where one has none, or two have the same. */
function listTags(branches: readonly SchemaNode[], name: string): readonly unknown[] | undefined {
  const getConstant = ({ parts }: SchemaNode): unknown => {
    const member = parts.required.includes(name) ? parts.properties.get(name) : undefined
    return member && mergeAllOf(member).raw.const
  }
  const tags = branches.map(getConstant)
  return tags.includes(undefined) || new Set(tags).size < tags.length ? undefined : tags
}

/** The one branch of each union that the other does not have, where each has exactly one. */
function pairLastBranches([ours, theirs]: PairedBranches['alone'], old: SchemaNode, now: SchemaNode): PairedBranches | undefined {
  const raw = (branches: readonly SchemaNode[]): readonly JsonSchema[] => branches.map((branch) => branch.raw)
  const [oldSchemas, newSchemas] = [raw(ours), raw(theirs)]
  const onlyIn = (these: readonly SchemaNode[], those: readonly JsonSchema[]): readonly SchemaNode[] =>
    these.filter((one) => !isOneOf(those, one.raw))
  const [[one, ...more], [other, ...others]] = [onlyIn(ours, newSchemas), onlyIn(theirs, oldSchemas)]
  if (one === undefined || other === undefined || more.length > 0 || others.length > 0) return undefined
  const isReferring =
    ours.length > 1 &&
    toCanonicalText([oldSchemas, newSchemas]).includes('"$ref"') &&
    !isEqualPart([oldSchemas, newSchemas], [oldSchemas, newSchemas], [old.root, now.root])
  return isReferring ? undefined : { pairs: [{ branches: [one, other], label: '' }], alone: [[], []] }
}

/** Pairs the branches of two unions; undefined where nothing tells which of them stand for each other. */
export function pairBranches(old: SchemaNode, now: SchemaNode): PairedBranches | undefined {
  const [ours, theirs] = [unfoldBranches(old), unfoldBranches(now)]
  if (ours.length === 0 || theirs.length === 0) return undefined
  // With both keywords, a value has to fit a branch of each.
  if ([old, now].some(({ raw }) => raw.anyOf !== undefined && raw.oneOf !== undefined)) return undefined
  for (const name of Object.keys(ours[0]?.raw.properties ?? {})) {
    const [tags, others] = [listTags(ours, name), listTags(theirs, name)]
    if (tags === undefined || others === undefined) continue
    const pairs = ours.flatMap((branch, index): PairedBranches['pairs'] => {
      const other = theirs[others.indexOf(tags[index])]
      return other === undefined ? [] : [{ branches: [branch, other], label: `(${name} ${JSON.stringify(tags[index])})` }]
    })
    const alone = [
      ours.filter((_, index) => !others.includes(tags[index])),
      theirs.filter((_, index) => !tags.includes(others[index])),
    ] as const
    return { pairs, alone }
  }
  // What one branch of `oneOf` allows depends on the others.
  const isSingle = ours.length === 1 && theirs.length === 1
  return isSingle || (old.raw.oneOf === undefined && now.raw.oneOf === undefined) ? pairLastBranches([ours, theirs], old, now) : undefined
}
