/** Which values programs write that are made from a schema: those without members that the schema does not declare. */
import { isJsonObject, type SchemaNode } from 'lapidary/internal'
import { listUncomparedKeywords } from './comparedKeywords.ts'
import { isNeverSchema, isUnresolved, unfold } from './unfold.ts'
import { getInstanceValidity } from './validateInstance.ts'

/** Deeper values and parts are taken to be written: a schema may contain itself. */
const maxDepth = 32

/** A schema and its parts that are about one value: of a union, the branches that the value fits. */
function listParts(node: SchemaNode, value: unknown, depth: number): readonly SchemaNode[] {
  const here = unfold(node)
  if (depth > maxDepth || isUnresolved(here)) return [here]
  const { allOf = [], anyOf = [], oneOf = [] } = here.raw
  const branches = [...anyOf, ...oneOf].map((branch) => here.parse(branch)).filter((branch) => getInstanceValidity(branch, value) !== 'no')
  return [here, ...[...allOf.map((part) => here.parse(part)), ...branches].flatMap((part) => listParts(part, value, depth + 1))]
}

const getOpenRest = ({ parts }: SchemaNode): SchemaNode | undefined =>
  parts.rest === undefined || isNeverSchema(parts.rest.raw) ? undefined : parts.rest

/** Whether members may be written that a part does not name: it says so, or has keywords that are not read here. */
const isOpen = (part: SchemaNode): boolean =>
  isUnresolved(part) || getOpenRest(part) !== undefined || listUncomparedKeywords(part.raw).length > 0

/** @param nodes the schemas that are all about this value */
function isWrittenBy(nodes: readonly SchemaNode[], value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return true
  const parts = nodes.flatMap((node) => listParts(node, value, 0))
  if (Array.isArray(value)) {
    const listItems = (index: number): readonly SchemaNode[] => parts.flatMap((part) => part.item(index) ?? [])
    return value.every((item, index) => isWrittenBy(listItems(index), item, depth + 1))
  }
  if (!isJsonObject(value)) return true
  const isClosed = parts.some(({ raw }) => raw.properties !== undefined) && !parts.some(isOpen)
  return Object.entries(value).every(([name, member]) => {
    const isNamed = parts.some((part) => part.parts.required.includes(name))
    const declared = parts.flatMap((part) => part.parts.properties.get(name) ?? getOpenRest(part) ?? [])
    return (declared.length > 0 || isNamed || !isClosed) && isWrittenBy(declared, member, depth + 1)
  })
}

/** Whether a program that is made from a schema writes this value of it. */
export const isWrittenValue = (node: SchemaNode, value: unknown): boolean => isWrittenBy([node], value, 0)
