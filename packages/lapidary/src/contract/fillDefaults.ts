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

/** Fills in the items of an array. @returns the array itself where none is filled in */
function fillItems(items: readonly unknown[], filled: readonly unknown[]): readonly unknown[] {
  return filled.length === items.length && filled.every((item, index) => item === items[index]) ? items : filled
}

/** Fills in a tuple: also the items at its end that are left out. */
function fillTuple(schemas: readonly unknown[], rest: unknown, items: readonly unknown[]): readonly unknown[] {
  const filled = items.map((item, index) => fillDefaults(index < schemas.length ? schemas[index] : rest, item))
  for (const schema of schemas.slice(items.length)) {
    const item = fillDefaults(schema, undefined)
    if (item === undefined) break
    filled.push(item)
  }
  return fillItems(items, filled)
}

/** Fills in members of an object. @returns the object itself where none is filled in */
function fillMembers(value: object, schemas: readonly (readonly [name: string, schema: unknown])[]): object {
  const members = schemas.map(([name, schema]) => {
    const given: unknown = Reflect.get(value, name)
    return { name, given, filled: fillDefaults(schema, given) }
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
export function fillDefaults(schema: unknown, value: unknown): unknown {
  const zod = getZodInternals(schema)
  if (zod === undefined) return value
  if (value === undefined) return hasDefault(zod) ? decodeAbsent(zod) : undefined
  if (typeof value !== 'object' || value === null) return value
  const { type, getter, shape, innerType, out, left, right, options, element, items, rest, valueType, catchall } = zod.def
  // The value of a codec is that of its output.
  const whole = innerType ?? out ?? getter?.()
  if (whole !== undefined) return fillDefaults(whole, value)
  if (left !== undefined) return fillDefaults(right, fillDefaults(left, value))
  if (Array.isArray(options)) {
    for (const option of options as readonly unknown[]) {
      const filled = fillDefaults(option, value)
      if (canEncode(option, filled)) return filled
    }
    return value
  }
  if (Array.isArray(value)) {
    if (Array.isArray(items)) return fillTuple(items, rest, value)
    return fillItems(
      value,
      value.map((item: unknown) => fillDefaults(element, item)),
    )
  }
  if (shape !== undefined) {
    const others = catchall === undefined ? [] : Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
    return fillMembers(value, [...Object.entries(shape), ...others.map((name) => [name, catchall] as const)])
  }
  return type === 'record'
    ? fillMembers(
        value,
        Object.keys(value).map((name) => [name, valueType] as const),
      )
    : value
}
