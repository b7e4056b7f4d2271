/** Compares the manifests of a written module with those of its document. */
import type { ApiManifest } from '@lapidary/testing'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Formats whose texts zod checks by a pattern of its own. */
const checkedFormats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'email', 'ipv4', 'ipv6'])
const isSafeBound = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER

const follow = (value: unknown, root: Json): unknown => {
  if (!isObject(value) || typeof value['$ref'] !== 'string') return value
  const reference = value['$ref']
  const name = decodeURIComponent(reference.replace('#/$defs/', ''))
  return reference === '#' ? root : (root['$defs'] as Json | undefined)?.[name]
}

/** Objects that hold together as one, as zod writes them; undefined where a part says more. */
function mergeObjects(parts: readonly unknown[], root: Json): Json | undefined {
  const objects = parts.map((part) => follow(part, root)).filter(isObject)
  const isPlain = objects.every(
    (part) => part['type'] === 'object' && Object.keys(part).every((name) => /^(type|properties|required|\$defs)$/.test(name)),
  )
  if (!isPlain || objects.length < parts.length) return undefined
  const required = objects.flatMap((part) => (part['required'] ?? []) as readonly string[]).sort()
  const properties = Object.assign({}, ...objects.map((part) => part['properties'])) as Json
  return { type: 'object', properties: Object.fromEntries(Object.entries(properties).sort()), ...(required.length > 0 && { required }) }
}

/**
 * A schema without what zod writes in another way: the bounds of integers and the patterns of formats, which it always has; the parts of
 * `allOf`, which it has one by one or as one object; and `null` beside a type.
 */
function normalize(given: unknown, root: Json): unknown {
  if (Array.isArray(given)) return given.map((item) => normalize(item, root))
  if (!isObject(given)) return given
  const { enum: values, ...schema } = given
  if (Array.isArray(values)) return normalize({ ...schema, ...(values.length === 1 ? { const: values[0] } : { listed: values }) }, root)
  const { pattern, minimum, maximum, allOf, type, format, items, prefixItems, additionalProperties, propertyNames, ...others } = schema
  // No item comes after a closed tuple anyway.
  if (items === false && Array.isArray(prefixItems) && schema['maxItems'] === prefixItems.length) {
    const { maxItems: _, ...open } = schema
    return normalize(open, root)
  }
  const isUnion = Array.isArray(type)
  const isInteger = type === 'integer'
  const isChecked = checkedFormats.has(format)
  const own: Json = {
    ...others,
    ...(type !== undefined && !isUnion && others['const'] === undefined && others['listed'] === undefined && { type }),
    ...(format !== undefined && { format }),
    ...(pattern !== undefined && !isChecked && { pattern }),
    ...(minimum !== undefined && !(isInteger && isSafeBound(minimum)) && { minimum }),
    ...(maximum !== undefined && !(isInteger && isSafeBound(maximum)) && { maximum }),
    ...(items !== undefined && !(isObject(items) && Object.keys(items).length === 0) && { items }),
    ...(prefixItems !== undefined && { prefixItems }),
    ...(additionalProperties !== undefined && { additionalProperties: additionalProperties === true ? {} : additionalProperties }),
  }
  if (isUnion) {
    const types = (type as readonly string[]).filter((one) => one !== 'null')
    const branches = types.map((one) => ({ ...schema, type: one }))
    const nothing = (type as readonly string[]).includes('null') ? [{ type: 'null' }] : []
    return normalize({ anyOf: [...branches, ...nothing] }, root)
  }
  if (!Array.isArray(allOf)) return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, normalize(value, root)]))
  const flatten = (part: unknown): readonly unknown[] =>
    isObject(part) && Array.isArray(part['allOf']) && Object.keys(part).length === 1 ? part['allOf'].flatMap(flatten) : [part]
  const parts = [...(Object.keys(own).length > 0 ? [own] : []), ...allOf.flatMap(flatten)]
  const merged = mergeObjects(parts, root)
  if (merged !== undefined) return normalize(merged, root)
  return parts.length === 1 ? normalize(parts[0], root) : { allOf: parts.map((part) => normalize(part, root)) }
}

/** The first place where two values differ, with the references of their schemas followed; undefined where none does. */
export function findDifference(one: unknown, other: unknown): string | undefined {
  const compare = (
    first: unknown,
    second: unknown,
    roots: readonly [Json, Json],
    path: string,
    open: readonly string[],
  ): string | undefined => {
    const isSchemaRoot = path.endsWith('/schema')
    const next: readonly [Json, Json] = isSchemaRoot && isObject(first) && isObject(second) ? [first, second] : roots
    const [left, right] = [normalize(follow(first, next[0]), next[0]), normalize(follow(second, next[1]), next[1])]
    if (JSON.stringify(left) === JSON.stringify(right)) return undefined
    if (
      typeof left !== 'object' ||
      typeof right !== 'object' ||
      left === null ||
      right === null ||
      Array.isArray(left) !== Array.isArray(right)
    )
      return `${path}: ${JSON.stringify(left)?.slice(0, 200)} and ${JSON.stringify(right)?.slice(0, 200)}`
    const key = JSON.stringify([left, right])
    if (open.includes(key)) return undefined
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      if (name === '$defs') continue
      const found = compare(Reflect.get(left, name), Reflect.get(right, name), next, `${path}/${name}`, [...open, key])
      if (found !== undefined) return found
    }
    return undefined
  }
  return compare(one, other, [{}, {}], '', [])
}

/** The endpoints of a manifest, each body with the definitions of its table. */
export function getWholeEndpoints({ endpoints, definitions = {} }: ApiManifest): ApiManifest['endpoints'] {
  const addDefinitions = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const { definitions: table, ...body } = value
    if (typeof table !== 'string') return value
    return { ...body, schema: { ...Object(body['schema']), $defs: definitions[table] } }
  }
  return JSON.parse(JSON.stringify(endpoints, (_, value) => addDefinitions(value)))
}

/** The endpoints of a manifest whose written forms differ, each with the first place. */
export function listDifferences(one: ApiManifest, other: ApiManifest): readonly string[] {
  const [first, second] = [getWholeEndpoints(one), getWholeEndpoints(other)]
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].flatMap((name) => {
    const found = findDifference(first[name], second[name])
    return found === undefined ? [] : [`${name}${found}`]
  })
}
