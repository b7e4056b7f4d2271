/** Discriminators: a member whose value says which of several schemas a value has. */
import type { JsonSchema } from 'lapidary'
import { decodePointerStep, isJsonObject } from 'lapidary/internal'
import { type DocumentReader, type JsonObject, toPointer } from './document.ts'

/** The values of the member that lead to a schema: those of the mapping, else the name of the schema. */
function listValues(reference: string, mapping: JsonObject): readonly string[] {
  const name = reference.split('/').at(-1) ?? reference
  const mapped = Object.entries(mapping).flatMap(([value, target]) => (target === reference || target === name ? [value] : []))
  return mapped.length > 0 ? mapped : [decodePointerStep((toPointer(`#/${name}`) ?? '').slice(1))]
}

/** Whether a schema lists the values of a member itself. */
function hasOwnValues(reference: string, name: string, reader: DocumentReader): boolean {
  const pointer = toPointer(reference)
  const visit = (schema: unknown, depth: number): boolean => {
    if (!isJsonObject(schema) || depth > 8) return false
    const target = toPointer(schema['$ref'])
    if (target !== undefined) return visit(reader.at(target).value, depth + 1)
    const member = isJsonObject(schema['properties']) ? schema['properties'][name] : undefined
    const values = isJsonObject(member) ? (member['const'] ?? member['enum']) : undefined
    if (values !== undefined) return true
    return Array.isArray(schema['allOf']) && schema['allOf'].some((one) => visit(one, depth + 1))
  }
  return pointer !== undefined && visit(reader.at(pointer).value, 0)
}

/**
 * Adds to each alternative the values of the member that lead to it. A discriminator of a schema without alternatives names its subtypes, of
 * which the schema says nothing.
 */
export function addDiscriminator(converted: JsonSchema, source: JsonObject, pointer: string, reader: DocumentReader): JsonSchema {
  const { discriminator } = source
  if (discriminator === undefined) return converted
  const { propertyName, mapping = {} } = isJsonObject(discriminator) ? discriminator : { propertyName: discriminator, mapping: {} }
  const place = `${pointer}/discriminator`
  const keyword = converted.oneOf !== undefined ? 'oneOf' : converted.anyOf !== undefined ? 'anyOf' : undefined
  if (typeof propertyName !== 'string') {
    reader.limits.add('malformed-schema', place, 'The discriminator has no propertyName. It is left out.')
    return converted
  }
  if (keyword === undefined) {
    reader.limits.add(
      'discriminator',
      place,
      `The member "${propertyName}" names a subtype, and the schema does not list the subtypes. A value is read as the base alone.`,
    )
    return converted
  }
  const sources = source[keyword] as readonly unknown[]
  const alternatives = (converted[keyword] as readonly JsonSchema[]).map((alternative, index) => {
    const original = sources[index]
    const reference = isJsonObject(original) ? original['$ref'] : undefined
    if (typeof reference !== 'string' || alternative.$ref === undefined || hasOwnValues(reference, propertyName, reader)) return alternative
    const values = listValues(reference, isJsonObject(mapping) ? mapping : {})
    const only = values.length === 1 ? { const: values[0] } : { enum: values }
    return { ...alternative, type: 'object', properties: { [propertyName]: only }, required: [propertyName] }
  })
  return { ...converted, [keyword]: alternatives }
}
