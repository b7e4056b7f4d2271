/** Fills in the defaults of a schema of zod, since its `encode` takes whole values alone. */
import { getZodInternals, listParts, type ZodInternals } from './zodSchema.ts'

/** Whether a value can be absent before it is decoded, and is there afterwards. */
const hasDefault = ({ optin, optout }: ZodInternals): boolean => optin !== undefined && optout !== 'optional'

/** Whether a schema of zod, or a part of it, has a default. */
export function containsDefault(schema: unknown, seen: Set<unknown> = new Set()): boolean {
  const zod = getZodInternals(schema)
  if (zod === undefined || seen.has(schema)) return false
  seen.add(schema)
  return hasDefault(zod) || listParts(zod.def, []).some(([, part]) => containsDefault(part, seen))
}

/** What a schema decodes an absent value to. */
function decodeAbsent({ run }: ZodInternals): unknown {
  const result = run({ value: undefined, issues: [] }, { async: false })
  return 'issues' in result && result.issues.length === 0 ? result.value : undefined
}

/** Whether a schema encodes a value. */
function canEncode(schema: unknown, value: unknown): boolean {
  try {
    const result = getZodInternals(schema)?.run({ value, issues: [] }, { async: false, direction: 'backward' })
    return result !== undefined && 'issues' in result && result.issues.length === 0
  } catch {
    return false
  }
}

/** What is filled in already, by schema and value: the options of nested unions would else be tried again for each option around them. */
type Memo = Map<unknown, WeakMap<object, unknown>>

/** Fills in the items of an array. @returns the array itself where none is filled in */
function fillItems(items: readonly unknown[], filled: readonly unknown[]): readonly unknown[] {
  return filled.length === items.length && filled.every((item, index) => item === items[index]) ? items : filled
}

/** Fills in a tuple: also the items at its end that are left out. */
function fillTuple(schemas: readonly unknown[], rest: unknown, items: readonly unknown[], memo: Memo): readonly unknown[] {
  const filled = items.map((item, index) => fillValue(index < schemas.length ? schemas[index] : rest, item, memo))
  for (const schema of schemas.slice(items.length)) {
    const item = fillValue(schema, undefined, memo)
    if (item === undefined) break
    filled.push(item)
  }
  return fillItems(items, filled)
}

/** Fills in members of an object. @returns the object itself where none is filled in */
function fillMembers(value: object, schemas: readonly (readonly [name: string, schema: unknown])[], memo: Memo): object {
  const members = schemas.map(([name, schema]) => {
    const given: unknown = Reflect.get(value, name)
    return { name, given, filled: fillValue(schema, given, memo) }
  })
  if (members.every(({ given, filled }) => filled === given)) return value
  // Members of an instance of a class may be getters, which are not its own.
  const present = members.filter(({ name, filled }) => filled !== undefined || name in value)
  return { ...value, ...Object.fromEntries(present.map(({ name, filled }) => [name, filled])) }
}

/**
 * Fills in what a value leaves out and its schema has a default for: what the schema decodes where it is absent. The value stays as it is.
 *
 * @param value an output of the schema, without members that have a default
 */
export const fillDefaults = (schema: unknown, value: unknown): unknown => fillValue(schema, value, new Map())

function fillValue(schema: unknown, value: unknown, memo: Memo): unknown {
  const zod = getZodInternals(schema)
  if (zod === undefined) return value
  if (value === undefined) return hasDefault(zod) ? decodeAbsent(zod) : undefined
  if (typeof value !== 'object' || value === null) return value
  const known = memo.get(schema) ?? new WeakMap<object, unknown>()
  memo.set(schema, known)
  if (!known.has(value)) known.set(value, fillObject(zod, value, memo))
  return known.get(value)
}

function fillObject(zod: ZodInternals, value: object, memo: Memo): unknown {
  const { type, getter, shape, innerType, out, left, right, options, element, items, rest, valueType, catchall } = zod.def
  // The value of a codec is that of its output.
  const whole = innerType ?? out ?? getter?.()
  if (whole !== undefined) return fillValue(whole, value, memo)
  if (left !== undefined) return fillValue(right, fillValue(left, value, memo), memo)
  if (Array.isArray(options)) {
    for (const option of options as readonly unknown[]) {
      const filled = fillValue(option, value, memo)
      if (canEncode(option, filled)) return filled
    }
    return value
  }
  if (Array.isArray(value)) {
    if (Array.isArray(items)) return fillTuple(items, rest, value, memo)
    return fillItems(
      value,
      value.map((item: unknown) => fillValue(element, item, memo)),
    )
  }
  if (shape !== undefined) {
    const others = catchall === undefined ? [] : Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
    return fillMembers(value, [...Object.entries(shape), ...others.map((name) => [name, catchall] as const)], memo)
  }
  return type === 'record'
    ? fillMembers(
        value,
        Object.keys(value).map((name) => [name, valueType] as const),
        memo,
      )
    : value
}
