/** The parts of two unions, paired by the constant that tells them apart. */
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { isOneOf, toCanonicalText } from './canonical.ts'
import { unfoldSchema } from './unfolded.ts'
import type { CompareContext } from './way.ts'

type BranchPair = CompareContext['roots']

/** Two unions, part by part. */
export interface PairedBranches {
  /** Those that stand for each other, each with the constant that says so: `(kind "circle")`. Empty where none does. */
  readonly pairs: readonly { readonly parts: BranchPair; readonly label: string }[]
  /** Those that stand for themselves, of the one union and of the other. */
  readonly alone: readonly [readonly JsonSchema[], readonly JsonSchema[]]
}

const unfoldBranches = ({ anyOf, oneOf = anyOf }: JsonSchema, root: JsonSchema): readonly JsonSchema[] =>
  (oneOf ?? []).map((part) => unfoldSchema(part, root))

/** The constants of a member in all of the parts; undefined where some have none, or two have the same. */
function listTags(parts: readonly JsonSchema[], name: string): readonly unknown[] | undefined {
  const tags = parts.map(({ properties, required }) =>
    required?.includes(name) && properties !== undefined && Object.hasOwn(properties, name) ? properties[name]?.const : undefined,
  )
  return tags.includes(undefined) || new Set(tags).size < tags.length ? undefined : tags
}

/** Without the parts that the unions share, where each has one that is left: these two. */
function pairLastBranches([ours, theirs]: PairedBranches['alone'], roots: BranchPair): PairedBranches | undefined {
  const only = (these: readonly JsonSchema[], those: readonly JsonSchema[]): readonly JsonSchema[] =>
    these.filter((one) => !isOneOf(those, one))
  const [[one, ...more], [other, ...others]] = [only(ours, theirs), only(theirs, ours)]
  if (one === undefined || other === undefined || more.length > 0 || others.length > 0) return undefined
  const isReferring =
    ours.length > 1 && toCanonicalText(roots[0]) !== toCanonicalText(roots[1]) && toCanonicalText([ours, theirs]).includes('"$ref"')
  return isReferring ? undefined : { pairs: [{ parts: [one, other], label: '' }], alone: [[], []] }
}

/** Pairs the parts of two unions; undefined where nothing tells which of them stand for each other. */
export function pairBranches(old: JsonSchema, now: JsonSchema, roots: BranchPair): PairedBranches | undefined {
  const [ours, theirs] = [unfoldBranches(old, roots[0]), unfoldBranches(now, roots[1])]
  if (ours.length === 0 || theirs.length === 0) return undefined
  // Both at once are two unions, of which a value is a part of each.
  if ([old, now].some(({ anyOf, oneOf }) => anyOf !== undefined && oneOf !== undefined)) return undefined
  for (const name of Object.keys(ours[0]?.properties ?? {})) {
    const [tags, others] = [listTags(ours, name), listTags(theirs, name)]
    if (tags === undefined || others === undefined) continue
    const pairs = ours.flatMap((part, index): PairedBranches['pairs'] => {
      const other = theirs[others.indexOf(tags[index])]
      return other === undefined ? [] : [{ parts: [part, other], label: `(${name} ${JSON.stringify(tags[index])})` }]
    })
    const alone = [
      ours.filter((_, index) => !others.includes(tags[index])),
      theirs.filter((_, index) => !tags.includes(others[index])),
    ] as const
    return { pairs, alone }
  }
  // Of exactly one, what one part is depends on what the others are.
  const isAlone = ours.length === 1 && theirs.length === 1
  return isAlone || (old.oneOf === undefined && now.oneOf === undefined) ? pairLastBranches([ours, theirs], roots) : undefined
}
