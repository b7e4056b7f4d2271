/** The families of items that an API can create: the endpoints that create, list, read, change and delete the same items. */
import type { AnyEndpoint, Schema } from 'lapidary'
import { flattenAllOf, getJsonSchema, getPathShape, isSameSchema, parseSchema, type SchemaNode } from 'lapidary/internal'
import { findIdentifierMember } from '../../mock/detectCollections.ts'
import type { EndpointUnderTest } from '../rule.ts'

/** The endpoints of the same items, which sequences of requests are about. */
export interface ItemFamily {
  /** The endpoint that creates an item. */
  readonly create: EndpointUnderTest
  /** The endpoint that reads an item. */
  readonly item: EndpointUnderTest
  readonly list: EndpointUnderTest | undefined
  readonly replace: EndpointUnderTest | undefined
  readonly change: EndpointUnderTest | undefined
  readonly remove: EndpointUnderTest | undefined
  /** The capture that identifies an item. */
  readonly capture: string
  /** The member of an item that identifies it. */
  readonly identifier: string
  /** The members of an item that requests write: their schemas in a body and in a response are the same. */
  readonly writable: ReadonlySet<string>
  /** The members with few values: on such a one, as on a type, it may depend which other members a response shows. */
  readonly choices: ReadonlySet<string>
  /**
   * Members that may change without a request. An item whose state no request writes, such as `running` or `done`, moves on by itself: then
   * these are all members that no request writes.
   */
  readonly movable: readonly string[]
  /** The members of an item that the response of another endpoint has as well: those of its body, or of the entries of its list. */
  readonly shared: ReadonlyMap<EndpointUnderTest, ReadonlySet<string>>
  /** The members that the response of an endpoint always has: those of its body, or of each entry of its list. */
  readonly required: ReadonlyMap<EndpointUnderTest, ReadonlySet<string>>
  /** The family of the items that the path names first: `/orgs/:org/tickets` needs an organization. */
  readonly parent: ItemFamily | undefined
}

type Properties = ReadonlyMap<string, SchemaNode>

/** The members of an object that a schema names, those of `allOf` included. */
const getMembers = (node: SchemaNode | undefined): Properties =>
  new Map(node === undefined ? [] : flattenAllOf(node).flatMap(({ parts }) => [...parts.properties]))

const getRequired = (node: SchemaNode | undefined): ReadonlySet<string> =>
  new Set(node === undefined ? [] : flattenAllOf(node).flatMap(({ parts }) => parts.required))

const parse = (schema: Schema | undefined): SchemaNode | undefined =>
  schema === undefined ? undefined : parseSchema(getJsonSchema(schema))

/** Whether a schema means the same in another document: a reference depends on its document. */
const isSelfContained = ({ schema }: SchemaNode): boolean => !JSON.stringify(schema).includes('"$ref"')

const scalarTypes: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])

/** Whether two members hold the same value: by the same schema, or as scalars that may have other limits. */
function isSharedMember(node: SchemaNode, other: SchemaNode): boolean {
  if (isSelfContained(node) && isSameSchema(node.schema, other.schema)) return true
  const isScalar = [node, other].every(
    ({ types, values }) => values === undefined && types.length === 1 && types.every((type) => scalarTypes.has(type)),
  )
  return isScalar && node.types[0] === other.types[0] && node.schema.format === other.schema.format
}

const isChoice = ({ values, types }: SchemaNode): boolean => values !== undefined || types.includes('boolean')

/** Whether a member is one of several named states. */
const isState = (node: SchemaNode | undefined): boolean =>
  node?.values !== undefined && node.values.length > 1 && node.values.every((value) => typeof value === 'string')

/** Lists the members that two objects have in common. */
const listShared = (some: Properties, others: Properties): readonly string[] =>
  [...some].flatMap(([name, node]) => {
    const other = others.get(name)
    return other !== undefined && isSharedMember(node, other) ? [name] : []
  })

/** The member of a page that has its items; `undefined` for a list that is the body itself, `null` for a body without a list. */
export function getListMember({ response, pagination }: AnyEndpoint): string | undefined | null {
  if (pagination?.body !== undefined) return pagination.body.items
  const node = parse(response.content?.schema)
  if (node === undefined) return null
  if (node.types.includes('array')) return undefined
  const arrays = [...getMembers(node)].flatMap(([name, member]) => (member.types.includes('array') ? [name] : []))
  return arrays.length === 1 ? (arrays[0] ?? null) : null
}

/** The schema of an entry of a list. */
function getEntryNode({ endpoint }: EndpointUnderTest): SchemaNode | undefined {
  const node = parse(endpoint.response.content?.schema)
  const member = getListMember(endpoint)
  if (node === undefined || member === null) return undefined
  return (member === undefined ? node : getMembers(node).get(member))?.item(0)
}

const getShape = ({ endpoint }: EndpointUnderTest): string => getPathShape(endpoint.segments)

/** Finds the endpoint of a method at a path shape. */
const findAt = (endpoints: readonly EndpointUnderTest[], method: string, path: string): EndpointUnderTest | undefined =>
  endpoints.find((subject) => subject.endpoint.method === method && getShape(subject) === path)

function findFamily(create: EndpointUnderTest, endpoints: readonly EndpointUnderTest[]): Omit<ItemFamily, 'parent'> | undefined {
  const path = getShape(create)
  const item = findAt(endpoints, 'GET', `${path}/:`)
  const last = item?.endpoint.segments.at(-1)
  const schema = item?.endpoint.response.content?.schema
  if (create.endpoint.method !== 'POST' || item === undefined || schema === undefined || last === undefined || !('capture' in last))
    return undefined
  const found = findAt(endpoints, 'GET', path)
  const list = found !== undefined && getListMember(found.endpoint) !== null ? found : undefined
  const [replace, change] = [findAt(endpoints, 'PUT', `${path}/:`), findAt(endpoints, 'PATCH', `${path}/:`)]
  const members = getMembers(parse(schema))
  const identifier = findIdentifierMember(schema, item.endpoint.segments, last.capture)
  const bodies = [create, replace, change].map((one) => getMembers(parse(one?.endpoint.body?.schema)))
  const writable = new Set(bodies.flatMap((body) => listShared(body, members)).filter((name) => name !== identifier))
  const choices = [members, ...bodies].flatMap((one) => [...one].flatMap(([name, node]) => (isChoice(node) ? [name] : [])))
  const own = [...members.keys()].filter((name) => name !== identifier && !writable.has(name))
  const hasState = own.some((name) => isState(members.get(name)))
  const shown = [
    ...[create, replace, change].flatMap((one) =>
      one === undefined ? [] : [[one, parse(one.endpoint.response.content?.schema)] as const],
    ),
    ...(list === undefined ? [] : [[list, getEntryNode(list)] as const]),
  ]
  return {
    ...{ create, item, list, replace, change, identifier, writable },
    choices: new Set(choices),
    movable: hasState ? own : [],
    remove: findAt(endpoints, 'DELETE', `${path}/:`),
    capture: last.capture,
    shared: new Map(shown.map(([one, node]) => [one, new Set(listShared(getMembers(node), members))])),
    required: new Map([[item, parse(schema)] as const, ...shown].map(([one, node]) => [one, getRequired(node)])),
  }
}

/** Finds the families of these endpoints. Those that others are below come first. */
export function findItemFamilies(endpoints: readonly EndpointUnderTest[]): readonly ItemFamily[] {
  const families: ItemFamily[] = []
  const byDepth = endpoints.toSorted((a, b) => a.endpoint.segments.length - b.endpoint.segments.length)
  for (const create of byDepth) {
    const family = findFamily(create, endpoints)
    if (family === undefined) continue
    const path = getShape(create)
    // The nearest one: the items of `/orgs/:org/teams/:team/members` are below a team.
    const parent = families.toReversed().find((other) => path.startsWith(`${getShape(other.item)}/`))
    families.push({ ...family, parent })
  }
  return families
}
