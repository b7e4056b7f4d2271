/** The references of a document: where they stand, and where they stand not. */
import { encodePointerStep, isJsonObject } from 'lapidary/internal'

/** Keywords whose values are values of an API, and no parts of the document: of schemas, and of Example Objects. */
const valueKeys: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const', 'value', 'dataValue'])

/** Keywords whose members have names: none of these names is a keyword. A response can have the name `default`, and a schema `value`. */
const nameKeys: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions', 'schemas', 'responses', 'parameters'],
  ...['examples', 'requestBodies', 'headers', 'securitySchemes', 'securityDefinitions', 'links', 'callbacks', 'pathItems', 'mediaTypes'],
  ...['paths', 'webhooks', 'additionalOperations', 'content', 'encoding', 'variables'],
])

/** Whether a member of a discriminator refers to a schema: it is a path or a pointer, and not the name of a component. */
const isMappedReference = (value: string): boolean => /[#/]|\.(?:ya?ml|json)$/i.test(value)

/** A document with each reference replaced. @param change gets the reference, and the place of its object */
export function mapReferences(document: unknown, change: (reference: string, pointer: string) => string): unknown {
  const visit = (value: unknown, pointer: string, namesMembers: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown, index) => visit(item, `${pointer}/${index}`, false))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const place = pointer + encodePointerStep(name)
        if (name === '$ref' && typeof member === 'string') return [name, change(member, pointer)]
        if (namesMembers) return [name, visit(member, place, false)]
        if (name === 'mapping' && isJsonObject(member) && value['propertyName'] !== undefined) return [name, visitMapping(member, place)]
        const isValue = valueKeys.has(name) || (name === 'examples' && Array.isArray(member))
        return [name, isValue ? member : visit(member, place, nameKeys.has(name))]
      }),
    )
  }
  const visitMapping = (mapping: Readonly<Record<string, unknown>>, pointer: string): unknown =>
    Object.fromEntries(
      Object.entries(mapping).map(([value, target]) => [
        value,
        typeof target === 'string' && isMappedReference(target) ? change(target, pointer) : target,
      ]),
    )
  return visit(document, '', false)
}
