/** The JSON Schema of merge patches (RFC 7396): from that of a value, each member optional, and null where a member can be removed. */
import { getTypes, type JsonSchema } from './jsonSchema.ts'
import { deriveSchema, embedJsonSchema, isCompoundDocument, listReferences } from './references.ts'
import { parseSchema } from './schemaNode.ts'

const isNull = ({ type, const: constant }: JsonSchema): boolean => type === 'null' || constant === null

/** The same patch without null, which it cannot set: it removes. A patch has no `oneOf`. */
function excludeNull(schema: JsonSchema): JsonSchema {
  const { anyOf, enum: values, type } = schema
  return {
    ...schema,
    ...(Array.isArray(type) && { type: type.filter((one) => one !== 'null') }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(anyOf && { anyOf: anyOf.filter((branch) => !isNull(branch)).map(excludeNull) }),
  }
}

/** The same patch, or null. A scalar keeps its keywords, so that an error names its bounds. */
function includeNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, const: constant, $ref, anyOf, allOf } = schema
  if (type === undefined || ($ref ?? anyOf ?? allOf) !== undefined)
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
  const { const: _, ...rest } = schema
  const allowed = values ?? (constant === undefined ? undefined : [constant])
  return { ...rest, type: [...getTypes(schema), 'null'], ...(allowed && { enum: [...allowed, null] }) }
}

const wholeKeywords: ReadonlySet<string> = new Set(['minProperties', '$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$defs'])

/** Without what belongs to a whole value, or to the document. */
function omitKeywords(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !wholeKeywords.has(keyword)))
}

/** The definition of the whole value, where a part of it is not patched: an item of an array is replaced. */
const wholeName = 'whole'

/** Creates the schema of the merge patches of a document. */
export function createPatchSchema(document: JsonSchema): JsonSchema {
  const definitions: Record<string, JsonSchema> = {}
  // In most documents all references lead to definitions, which the patch has as well. Any other one leads into the whole document.
  const hasOwnDefinitions = listReferences(document).every((reference) => reference.startsWith('#/$defs/')) && !isCompoundDocument(document)
  /** The names of the definitions, by the schemas that they patch. */
  const names = new Map<JsonSchema, string>()

  function createReference(from: JsonSchema): JsonSchema {
    const { schema } = parseSchema(deriveSchema({ $ref: from.$ref as string }, from), document)
    const known = names.get(schema)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    const name = `patch${names.size + 1}`
    names.set(schema, name)
    definitions[name] = createPatch(schema)
    return { $ref: `#/$defs/${name}` }
  }

  const createMember = (member: JsonSchema, isRequired: boolean): JsonSchema => {
    // A default belongs to a whole value: a patch without the member leaves it as it is.
    const { default: _, ...patch } = excludeNull(createPatch(member))
    return isRequired ? patch : includeNull(patch)
  }

  function createPatch(schema: JsonSchema): JsonSchema {
    if (schema.$ref !== undefined) return createReference(schema)
    const {
      properties,
      required = [],
      patternProperties,
      additionalProperties: rest,
      anyOf,
      oneOf,
      allOf,
      ...others
    } = omitKeywords(schema)
    const alternatives = anyOf ?? oneOf
    return {
      ...(hasOwnDefinitions ? others : embedJsonSchema(deriveSchema(others, schema), `/$defs/${wholeName}`, document)),
      // Patches of two alternatives can be alike, which oneOf forbids.
      ...(alternatives && { anyOf: alternatives.map(createPatch) }),
      ...(allOf && { allOf: allOf.map(createPatch) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, createMember(member, required.includes(name))]),
        ),
      }),
      ...(patternProperties && {
        patternProperties: Object.fromEntries(
          Object.entries(patternProperties).map(([name, member]) => [
            name,
            typeof member === 'object' ? createMember(member, false) : member,
          ]),
        ),
      }),
      ...(rest !== undefined && { additionalProperties: typeof rest === 'object' ? createMember(rest, false) : rest }),
    }
  }

  const patch = createPatch(document)
  const whole = hasOwnDefinitions ? document.$defs : { [wholeName]: embedJsonSchema(document, `/$defs/${wholeName}`) }
  const all = { ...whole, ...definitions }
  return Object.keys(all).length > 0 ? { ...patch, $defs: all } : patch
}
