/** The references of a JSON Schema (Core §8.2): by pointer, by anchor, and to parts that have an address of their own. */

import { getKeywordKind, isJsonObject, isSameJson, type JsonSchema, mapKeyword, neverSchema } from './jsonSchema.ts'
import { decodePointerStep } from './parseError.ts'

/** A document, or a part of one that has an `$id`: its references start there. */
interface SchemaResource {
  readonly schema: JsonSchema
  readonly address: string
  /** The parts that have a name. Of two parts with one name, a reference means neither. */
  readonly anchors: Map<string, JsonSchema | undefined>
}

interface DocumentIndex {
  /** Of two different parts with one address, a reference means neither. */
  readonly resources: ReadonlyMap<string, SchemaResource | undefined>
  /** The resource that each part stands in. */
  readonly resourceOf: ReadonlyMap<JsonSchema, SchemaResource>
  /** Whether a part of the document has an address of its own. */
  readonly isCompound: boolean
}

/** The base of a document without an address (RFC 2557 §5). */
const defaultBase = 'thismessage:/'

/** An address as seen from another one. */
function resolveAddress(address: string, base: string): string {
  try {
    return new URL(address, base).href
  } catch {
    return address
  }
}

/** The address that a schema states; undefined where it has none. A fragment alone is a name, as draft 7 has them. */
const getAddress = ({ $id }: JsonSchema): string | undefined => (typeof $id === 'string' && !$id.startsWith('#') ? $id : undefined)

function* listSubschemas(schema: JsonSchema): Generator<unknown, void, undefined> {
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = getKeywordKind(keyword)
    if (kind === 'array' || (keyword === 'items' && Array.isArray(value))) yield* value as Iterable<unknown>
    else if (kind === 'schema') yield value
    else if ((kind === 'members' || kind === 'definitions') && isJsonObject(value)) yield* Object.values(value)
  }
}

function createIndex(root: JsonSchema): DocumentIndex {
  const rootResource: SchemaResource = {
    schema: root,
    address: resolveAddress(getAddress(root) ?? '', defaultBase),
    anchors: new Map(),
  }
  const resources = new Map<string, SchemaResource | undefined>([[rootResource.address, rootResource]])
  const resourceOf = new Map<JsonSchema, SchemaResource>()
  const waiting: (readonly [part: unknown, around: SchemaResource])[] = [[root, rootResource]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, around] = next
    if (!isJsonObject(part) || resourceOf.has(part as JsonSchema)) continue
    const schema = part as JsonSchema
    const { $anchor, $dynamicAnchor } = schema
    const address = schema === root ? undefined : getAddress(schema)
    const resource: SchemaResource =
      address === undefined ? around : { schema, address: resolveAddress(address, around.address), anchors: new Map() }
    if (address !== undefined) {
      const other = resources.get(resource.address)
      const isClear = resources.has(resource.address) ? other !== undefined && isSameJson(other.schema, schema) : true
      resources.set(resource.address, isClear ? resource : undefined)
    }
    resourceOf.set(schema, resource)
    for (const name of new Set([$anchor, $dynamicAnchor]))
      if (typeof name === 'string') resource.anchors.set(name, resource.anchors.has(name) ? undefined : schema)
    for (const one of listSubschemas(schema)) waiting.push([one, resource])
  }
  return { resources, resourceOf, isCompound: new Set(resourceOf.values()).size > 1 }
}

const indexes = new WeakMap<JsonSchema, DocumentIndex>()

function getIndex(root: JsonSchema): DocumentIndex {
  const index = indexes.get(root) ?? createIndex(root)
  indexes.set(root, index)
  return index
}

/** Whether a part of a document has an address of its own: equal references may then lead to different schemas. */
export const isCompoundDocument = (root: JsonSchema): boolean => getIndex(root).isCompound

/** What a pointer leads to, such as `/$defs/User`; undefined where nothing is there. */
export function resolvePointer(pointer: string, root: unknown): unknown {
  let here: unknown = root
  for (const text of pointer.split('/').slice(1)) {
    const step = decodePointerStep(text)
    // An inherited property is no part of the document: `#/__proto__` points at nothing.
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = Reflect.get(here, step)
  }
  return here
}

/** What a fragment leads to within its resource. */
function resolveFragment(fragment: string, { schema, anchors }: SchemaResource): unknown {
  try {
    const text = decodeURIComponent(fragment)
    return text === '' || text.startsWith('/') ? resolvePointer(text, schema) : anchors.get(text)
  } catch {
    // The percent-encoding is malformed.
    return undefined
  }
}

/** Schemas that are made of another one, by that one: their references start where its references start. */
const origins = new WeakMap<JsonSchema, JsonSchema>()

/** Notes that the references of a schema start where those of another one do. @returns the schema */
export function deriveSchema(schema: JsonSchema, from: JsonSchema): JsonSchema {
  origins.set(schema, origins.get(from) ?? from)
  return schema
}

/**
 * The schema that a reference leads to, within its document: `#`, `#/$defs/User`, `#user`, `User`.
 *
 * @param from the schema that has the reference
 * @returns undefined for another document, and where nothing is there
 */
export function resolveReference(reference: string, from: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { resources, resourceOf, isCompound } = getIndex(root)
  // Where a part has an address of its own, references of an unknown place lead nowhere.
  const around = resourceOf.get(origins.get(from) ?? from) ?? (isCompound ? undefined : resourceOf.get(root))
  if (around === undefined) return undefined
  const hash = reference.indexOf('#')
  const [address, fragment] = hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)]
  const resource = address === '' ? around : resources.get(resolveAddress(address, around.address))
  const target = resource && resolveFragment(fragment, resource)
  return target === true ? {} : target === false ? neverSchema : isJsonObject(target) ? (target as JsonSchema) : undefined
}

/**
 * The same document with its references percent-encoded: libraries write the names of definitions into them as they are, such as `100%`.
 */
export function encodeReferences(root: JsonSchema): JsonSchema {
  const encoded = new Map<unknown, string>(
    ['$defs', 'definitions'].flatMap((keyword) =>
      Object.keys(Object(root[keyword]) as object).map((name) => {
        const step = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
        return [`#/${keyword}/${name}`, `#/${keyword}/${step}`] as const
      }),
    ),
  )
  if ([...encoded].every(([text, reference]) => text === reference)) return root
  return JSON.parse(JSON.stringify(root), (keyword, value: unknown) => (keyword === '$ref' ? (encoded.get(value) ?? value) : value))
}

/** The references of a document, in all of its parts. */
export const listReferences = (root: JsonSchema): readonly string[] =>
  [...getIndex(root).resourceOf.keys()].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))

/** Whether a reference leads to a schema, and not in a circle. */
function isFollowed(start: JsonSchema, root: JsonSchema): boolean {
  let here = start
  const seen = new Set<JsonSchema>()
  while (here.$ref !== undefined) {
    const target = resolveReference(here.$ref, here, root)
    if (target === undefined || seen.has(here)) return false
    seen.add(here)
    here = target
  }
  return true
}

/** A reference of a document that leads nowhere, in a circle, or where only a program finds it; undefined where there is none. */
export function findDanglingReference(root: JsonSchema): string | undefined {
  for (const schema of getIndex(root).resourceOf.keys()) {
    const dynamic = schema['$dynamicRef'] ?? schema['$recursiveRef']
    if (typeof dynamic === 'string') return dynamic
    if (typeof schema.$ref === 'string' && !isFollowed(schema, root)) return schema.$ref
  }
  return undefined
}

/**
 * A JSON Schema, or a part of it, as a part of another document, which has the whole schema at `pointer`: its references lead where they led.
 * Those of a part with an address stay.
 *
 * @param root the whole schema
 */
export function embedJsonSchema(schema: JsonSchema, pointer: string, root: JsonSchema = schema): JsonSchema {
  const base = getIndex(root).resourceOf.get(origins.get(schema) ?? schema)?.address ?? defaultBase
  const embedReference = (reference: string): string =>
    base === defaultBase && reference.startsWith('#')
      ? reference.replace(/^#(?=\/|$)/, () => `#${pointer}`)
      : resolveAddress(reference, base).replace(defaultBase, '')
  const embedPart = (part: JsonSchema): JsonSchema =>
    getAddress(part) !== undefined
      ? part
      : Object.fromEntries(
          Object.entries(part).map(([keyword, value]) => [
            keyword,
            keyword === '$ref' && typeof value === 'string' ? embedReference(value) : mapKeyword(keyword, value, embedPart),
          ]),
        )
  return embedPart(schema)
}
