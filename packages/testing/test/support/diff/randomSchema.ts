/** JSON Schemas with every keyword that the judge of changes looks into, and values near them; from one number, so that a run can be repeated. */
import type { JsonSchema } from '../../../../lapidary/src/json-schema/jsonSchema.ts'

/** Numbers from 0 to 1 (mulberry32). */
export type Random = () => number

export function random(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const below = (next: Random, count: number): number => Math.floor(next() * count)
const one = <Value>(next: Random, values: readonly Value[]): Value => values[below(next, values.length)] as Value
const some = <Value>(next: Random, values: readonly Value[], part = 0.5): readonly Value[] => values.filter(() => next() < part)
const list = <Value>(next: Random, least: number, most: number, make: () => Value): readonly Value[] =>
  Array.from({ length: least + below(next, most - least + 1) }, make)

const names = ['a', 'b', 'c'] as const
const numbers = [-3, -1, 0, 1, 2, 2.5, 3, 4, 4.5, 6]
const steps = [0.1, 0.3, 0.5, 1, 1.5, 2, 3, 6]
export const patterns = ['^a', 'b$', '^[a-c]+$', '^$']
export const formats = ['date', 'email', 'uuid', 'no-such-format']
const scalars: readonly unknown[] = [null, true, false, 0, 1, 2, 2.5, 3, '', 'a', 'ab', '2024-02-29', '2023-02-30']
const composite: readonly unknown[] = [{}, { a: 1 }, { a: 'x', b: 1 }, [], [1], [1, 1], ['a', null]]

type Loose = Record<string, unknown>

/** Each of these keywords in one of two cases, or in fewer. */
const pickKeywords = (next: Random, keywords: Readonly<Record<string, () => unknown>>, part = 0.3): Loose =>
  Object.fromEntries(some(next, Object.entries(keywords), part).map(([keyword, make]) => [keyword, make()]))

function ofNumbers(next: Random): Loose {
  const number = (): number => one(next, numbers)
  const bounds = {
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: () => one(next, steps),
  }
  return { type: one(next, ['integer', 'number']), ...pickKeywords(next, bounds) }
}

const ofTexts = (next: Random): Loose => ({
  type: 'string',
  ...pickKeywords(next, {
    minLength: () => below(next, 3),
    maxLength: () => below(next, 4),
    pattern: () => one(next, patterns),
    format: () => one(next, formats),
  }),
})

function ofLists(next: Random, depth: number): Loose {
  const make = (): JsonSchema => schema(next, depth + 1)
  return {
    type: 'array',
    ...pickKeywords(
      next,
      {
        prefixItems: () => list(next, 1, 2, make),
        items: () => (next() < 0.3 ? next() < 0.5 : make()),
        minItems: () => below(next, 3),
        maxItems: () => below(next, 4),
        uniqueItems: () => true,
      },
      0.45,
    ),
  }
}

function ofObjects(next: Random, depth: number): Loose {
  const make = (): JsonSchema => schema(next, depth + 1)
  const properties = next() < 0.85 ? { properties: Object.fromEntries(some(next, names, 0.6).map((name) => [name, make()])) } : {}
  return {
    type: 'object',
    ...properties,
    ...pickKeywords(next, {
      required: () => some(next, names, 0.4),
      additionalProperties: () => (next() < 0.6 ? next() < 0.4 : make()),
      minProperties: () => below(next, 3),
      maxProperties: () => below(next, 4),
      propertyNames: () => one(next, [{ enum: ['a', 'b'] }, { maxLength: 1 }, { pattern: '^[a-c]+$' }]),
    }),
  }
}

/** One of two constants tells which it is. */
function tagged(next: Random, depth: number): Loose {
  const part = (kind: number): Loose => {
    const { properties = {}, required = [], ...rest } = ofObjects(next, depth + 1) as { properties?: object; required?: readonly string[] }
    return { ...rest, properties: { ...properties, kind: { const: kind } }, required: [...required, 'kind'] }
  }
  return { [one(next, ['anyOf', 'oneOf'])]: [part(1), part(2)] }
}

/** A schema; within `depth` of the whole. */
export function schema(next: Random, depth = 0): JsonSchema {
  const parts = (least: number): readonly JsonSchema[] => list(next, least, 2, () => schema(next, depth + 1))
  const kinds: readonly (() => Loose)[] = [
    () => ofNumbers(next),
    () => ofNumbers(next),
    () => ofTexts(next),
    () => ({ enum: list(next, 1, 3, () => one(next, next() < 0.8 ? scalars : composite)) }),
    () => ({ const: one(next, next() < 0.8 ? scalars : composite) }),
    () =>
      one(next, [
        {},
        { type: 'boolean' },
        { type: 'null' },
        { not: {} },
        { type: ['string', 'null'] },
        { type: ['integer', 'null'], minimum: 2 },
      ]),
    ...(depth > 1
      ? []
      : [
          () => ofObjects(next, depth),
          () => ofObjects(next, depth),
          () => ofObjects(next, depth),
          () => ofLists(next, depth),
          () => ({ anyOf: parts(1) }),
          () => ({ oneOf: parts(1) }),
          () => ({ oneOf: parts(2) }),
          () => ({ allOf: parts(1) }),
          () => tagged(next, depth),
          () => ({ not: schema(next, depth + 1) }),
          () => ({ ...ofObjects(next, depth), [one(next, ['anyOf', 'oneOf', 'allOf'])]: parts(1) }),
          () => ({ ...ofObjects(next, depth), not: schema(next, depth + 1) }),
          () => ({ anyOf: parts(1), oneOf: parts(1) }),
        ]),
    // Only below a member or an item: a schema that is a part of itself there would have no end.
    ...(depth === 0 ? [] : [() => ({ $ref: '#/$defs/node' })]),
  ]
  return one(next, kinds)() as JsonSchema
}

/** Whether a reference is met without a member or an item in between, by which it might lead in a circle. */
function isFlat(part: unknown): boolean {
  const { $ref, anyOf = [], oneOf = [], allOf = [], not } = Object(part) as JsonSchema
  return $ref !== undefined || [...anyOf, ...oneOf, ...allOf, ...(not === undefined ? [] : [not])].some(isFlat)
}

/** A schema with what its references lead to: a tree, or anything that is no reference itself. */
export function whole(next: Random): JsonSchema {
  let node = schema(next, 1)
  while (isFlat(node)) node = schema(next, 1)
  const tree: Loose = {
    type: 'object',
    properties: { a: ofNumbers(next), b: { type: 'array', items: { $ref: '#/$defs/node' } } },
    required: some(next, ['a', 'b']),
  }
  const top = schema(next)
  return {
    ...(next() < 0.1 && !isFlat(top) ? { $ref: '#/$defs/node', ...top } : top),
    $defs: { node: next() < 0.5 ? tree : node },
  } as JsonSchema
}

const nested = new Set(['properties', '$defs'])

/** The same schema, but for one keyword or one part of it; the same one where that would lead in a circle. */
export function changed(next: Random, whole_: JsonSchema): JsonSchema {
  let left = below(next, 8)
  const walk = (part: unknown, isSchema: boolean): unknown => {
    if (Array.isArray(part)) return part.map((item) => walk(item, true))
    if (typeof part !== 'object' || part === null) return part
    let members = Object.entries(part)
    if (isSchema && left-- === 0) {
      if (next() < 0.3) return { ...schema(next, 3), ...('$defs' in part ? { $defs: part.$defs } : {}) }
      const [gone] = some(
        next,
        members.filter(([keyword]) => keyword !== '$defs'),
        0.5,
      )
      members = members.filter((member) => member !== gone)
      const further = next() < 0.5 ? one(next, [ofNumbers, ofTexts])(next) : {}
      const { type: _, ...bounds } = further
      if (next() < 0.7) members = Object.entries({ ...bounds, ...Object.fromEntries(members) })
      const swap = members.find(([keyword]) => keyword === 'oneOf' || keyword === 'anyOf')
      if (swap !== undefined && next() < 0.5)
        members = [...members.filter((member) => member !== swap), [swap[0] === 'oneOf' ? 'anyOf' : 'oneOf', swap[1]]]
    }
    return Object.fromEntries(
      members.map(([keyword, value]) => {
        if (isSchema && ['enum', 'const', 'required', 'type'].includes(keyword)) return [keyword, value]
        return [keyword, walk(value, !isSchema || !nested.has(keyword))]
      }),
    )
  }
  const result = walk(whole_, true) as JsonSchema
  return isFlat(result.$defs?.['node']) ? whole_ : result
}

const numbersNear = [-4, -3, -1, -0.5, 0, 0.1, 0.2, 0.3, 0.5, 0.6, 0.9, 1, 1.5, 2, 2.5, 3, 4, 4.5, 5, 6, 7, 9, 12, 1e6]
const textsNear = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'cba',
  'x',
  '\u{1f48e}',
  'a\u{1f48e}',
  'abcd',
  '2024-02-29',
  '2023-02-30',
  'ann@example.org',
  '00000000-0000-4000-8000-000000000000',
]

/** A value that may be one of the schema, and is near it where it is not. */
export function near(next: Random, part: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const here =
    part.$ref === undefined
      ? part
      : (Object.fromEntries(Object.entries({ ...root.$defs?.['node'], ...part }).filter(([keyword]) => keyword !== '$ref')) as JsonSchema)
  const deeper = (of: unknown): unknown => near(next, (typeof of === 'object' && of !== null ? of : {}) as JsonSchema, root, depth + 1)
  if (here.const !== undefined && next() < 0.9) return here.const
  if (here.enum !== undefined && next() < 0.9) return one(next, here.enum)
  const branches = depth > 3 ? [] : [...(here.anyOf ?? []), ...(here.oneOf ?? []), ...(here.allOf ?? [])]
  if (branches.length > 0) {
    const chosen = some(next, branches, 0.6).map((branch) => near(next, branch, root, depth + 1))
    const own =
      here.properties === undefined
        ? []
        : [near(next, { ...here, anyOf: undefined, oneOf: undefined, allOf: undefined } as never, root, depth + 1)]
    const all = [...own, ...chosen]
    if (all.every((value) => typeof value === 'object' && value !== null && !Array.isArray(value)) && all.length > 0)
      return Object.assign({}, ...all)
    if (all.length > 0) return one(next, all)
  }
  const types = here.type === undefined ? ['null', 'boolean', 'number', 'string', 'array', 'object'] : [here.type].flat()
  const type = one(next, here.type === undefined && here.properties !== undefined ? ['object'] : types)
  if (type === 'null') return null
  if (type === 'boolean') return next() < 0.5
  if (type === 'integer') return one(next, numbersNear.filter(Number.isInteger))
  if (type === 'number') return one(next, numbersNear)
  if (type === 'string') return one(next, textsNear)
  if (depth > 3) return type === 'array' ? [] : {}
  if (type === 'array') {
    const length = Math.max(next() < 0.5 ? Number(here.minItems ?? 0) : 0, below(next, 4))
    const items = Array.from({ length }, (_, index) => deeper(here.prefixItems?.[index] ?? here.items))
    return next() < 0.2 && items.length > 1 ? [items[0], ...items.slice(0, -1)] : items
  }
  const declared = Object.entries(here.properties ?? {}).filter(([name]) => (here.required?.includes(name) ? next() < 0.97 : next() < 0.6))
  const further = [...some(next, names, 0.15), ...(here.required ?? [])].filter((name) => !Object.hasOwn(here.properties ?? {}, name))
  return Object.fromEntries([
    ...declared.map(([name, of]) => [name, deeper(of)]),
    ...further.map((name) => [name, deeper(here.additionalProperties)]),
  ])
}
