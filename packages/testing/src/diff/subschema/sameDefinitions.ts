/** Which definitions two documents have in common, with all that these refer to: equal references to them lead to equal schemas. */
import type { JsonSchema } from 'lapidary'
import { isJsonObject } from 'lapidary/internal'
import { isEqualJson, toCanonicalText } from '../canonical.ts'
import { getDefinitionName } from '../sharedDefinitions.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

const anyReference = /"\$(?:ref|dynamicRef|recursiveRef)":("(?:[^"\\]|\\.)*")/g

/** The definitions that a part refers to, by its canonical text; undefined where a reference leads elsewhere. */
function listUsedDefinitions(text: string): readonly string[] | undefined {
  const names = [...text.matchAll(anyReference)].map(([, reference = '""']) => getDefinitionName(JSON.parse(reference) as string))
  return names.every((name) => name !== undefined) ? names : undefined
}

/** The names of the definitions that are equal in both, with all that they refer to. */
function findSameDefinitions(one: Definitions, other: Definitions): ReadonlySet<string> {
  const equal = Object.keys(one).filter((name) => Object.hasOwn(other, name) && isEqualJson(one[name], other[name]))
  const uses = new Map(equal.map((name) => [name, listUsedDefinitions(toCanonicalText(one[name]))] as const))
  const same = new Set(equal)
  for (let before = -1; before !== same.size; ) {
    before = same.size
    for (const name of same) if (uses.get(name)?.every((used) => same.has(used)) !== true) same.delete(name)
  }
  return same
}

const known = new WeakMap<Definitions, WeakMap<Definitions, ReadonlySet<string>>>()

function getSameDefinitions(one: Definitions, other: Definitions): ReadonlySet<string> {
  const found = known.get(one) ?? new WeakMap<Definitions, ReadonlySet<string>>()
  known.set(one, found)
  const same = found.get(other) ?? findSameDefinitions(one, other)
  found.set(other, same)
  return same
}

/** Whether all that an equal part of two documents refers to is equal too. `false`: a reference leads elsewhere, or something differs. */
export function hasSameDefinitions(part: unknown, root: JsonSchema, otherRoot: JsonSchema): boolean {
  const [one, other] = [root.$defs, otherRoot.$defs]
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const used = listUsedDefinitions(toCanonicalText(part))
  if (used === undefined) return false
  const same = getSameDefinitions(one as Definitions, other as Definitions)
  return used.every((name) => same.has(name))
}
