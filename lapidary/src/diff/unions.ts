/** The parts of two unions, paired by the constant that tells them apart. */
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { isOneOf, spelled } from './canonical.ts'
import { unfolded } from './unfolded.ts'
import type { Way } from './way.ts'

type Pair = Way['roots']

/** Two unions, part by part. */
export interface Paired {
  /** Those that stand for each other, each with the constant that says so: `(kind "circle")`. Empty where none does. */
  readonly pairs: readonly { readonly parts: Pair; readonly label: string }[]
  /** Those that stand for themselves, of the one union and of the other. */
  readonly alone: readonly [readonly JsonSchema[], readonly JsonSchema[]]
}

const partsOf = ({ anyOf, oneOf = anyOf }: JsonSchema, root: JsonSchema): readonly JsonSchema[] =>
  (oneOf ?? []).map((part) => unfolded(part, root))

/** The constants of a member in all of the parts; undefined where some have none, or two have the same. */
function tagsOf(parts: readonly JsonSchema[], name: string): readonly unknown[] | undefined {
  const tags = parts.map(({ properties, required }) =>
    required?.includes(name) && properties !== undefined && Object.hasOwn(properties, name) ? properties[name]?.const : undefined,
  )
  return tags.includes(undefined) || new Set(tags).size < tags.length ? undefined : tags
}

/** Without the parts that the unions share, where each has one that is left: these two. */
function lastOnes([ours, theirs]: Paired['alone'], roots: Pair): Paired | undefined {
  const only = (these: readonly JsonSchema[], those: readonly JsonSchema[]): readonly JsonSchema[] =>
    these.filter((one) => !isOneOf(those, one))
  const [[one, ...more], [other, ...others]] = [only(ours, theirs), only(theirs, ours)]
  if (one === undefined || other === undefined || more.length > 0 || others.length > 0) return undefined
  const isReferring = ours.length > 1 && spelled(roots[0]) !== spelled(roots[1]) && spelled([ours, theirs]).includes('"$ref"')
  return isReferring ? undefined : { pairs: [{ parts: [one, other], label: '' }], alone: [[], []] }
}

/** Pairs the parts of two unions; undefined where nothing tells which of them stand for each other. */
export function paired(old: JsonSchema, now: JsonSchema, roots: Pair): Paired | undefined {
  const [ours, theirs] = [partsOf(old, roots[0]), partsOf(now, roots[1])]
  if (ours.length === 0 || theirs.length === 0) return undefined
  // Both at once are two unions, of which a value is a part of each.
  if ([old, now].some(({ anyOf, oneOf }) => anyOf !== undefined && oneOf !== undefined)) return undefined
  for (const name of Object.keys(ours[0]?.properties ?? {})) {
    const [tags, others] = [tagsOf(ours, name), tagsOf(theirs, name)]
    if (tags === undefined || others === undefined) continue
    const pairs = ours.flatMap((part, index): Paired['pairs'] => {
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
  return isAlone || (old.oneOf === undefined && now.oneOf === undefined) ? lastOnes([ours, theirs], roots) : undefined
}
