/** The parts of a form (`multipart/form-data`): texts and files. */
import type { JsonSchema } from 'lapidary'
import { annotationKeywords, createTextFormat, encodePointerStep, isJsonObject, parseSchema } from 'lapidary/internal'
import { dropUselessDefault } from './defaults.ts'
import type { DocumentReader, JsonObject, Part } from './document.ts'
import { inlineDefinitions } from './inline.ts'

/** One part. */
export interface FormPartPlan {
  readonly name: string
  readonly kind: 'file' | 'files' | 'text'
  readonly schema: JsonSchema
  readonly isRequired: boolean
  /** Of files: their media types; none: any. */
  readonly types: readonly string[]
}

/** The members of the schema of a form. */
interface FormMembers {
  readonly properties: ReadonlyMap<string, JsonSchema>
  readonly required: ReadonlySet<string>
}

/** A schema without keywords that forbid anything: a part without a type is bytes (OpenAPI 3.1, "Encoding Object"). */
const isAnything = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((keyword) => keyword === '$defs' || annotationKeywords.has(keyword))

const isFile = (schema: JsonSchema): boolean => {
  const { type, format, contentMediaType, contentEncoding } = schema
  if (isAnything(schema)) return true
  return (
    (type === 'string' || type === undefined) && contentEncoding === undefined && (format === 'binary' || contentMediaType !== undefined)
  )
}

/** The media types of an encoding: `image/png, image/jpeg`. */
const listTypes = (contentType: unknown): readonly string[] =>
  typeof contentType !== 'string'
    ? []
    : contentType
        .split(',')
        .map((type) => type.trim())
        .filter((type) => type !== '' && type !== 'application/octet-stream' && type !== '*/*')

/** The parts of a form, in the order of its schema. */
export function planFormParts(
  form: Part<JsonObject>,
  { properties, required }: FormMembers,
  reader: DocumentReader,
): readonly FormPartPlan[] {
  const encodings = reader.object(form, 'encoding')
  const dropDefaults = (member: JsonSchema, name: string, isRequired: boolean): JsonSchema => {
    const pointer = `${form.pointer}/schema/properties${encodePointerStep(name)}`
    const { items } = member
    const schema = dropUselessDefault(member, isRequired, pointer, reader.limits)
    // No text of a list is missing.
    return isJsonObject(items) ? { ...schema, items: dropUselessDefault(items, true, `${pointer}/items`, reader.limits) } : schema
  }
  return [...properties].map(([name, member]): FormPartPlan => {
    const { schema, parts } = parseSchema(member)
    const encoding = encodings?.value[name]
    const contentType = isJsonObject(encoding) ? encoding['contentType'] : undefined
    const plan = { name, schema: member, isRequired: required.has(name), types: listTypes(contentType ?? schema['contentMediaType']) }
    if (isFile(schema)) return { ...plan, schema: inlineDefinitions(member), kind: 'file' }
    const item = parts.items?.schema
    if (schema.type === 'array' && item !== undefined && isFile(item))
      return { ...plan, schema: inlineDefinitions(member), kind: 'files', types: listTypes(contentType ?? item['contentMediaType']) }
    try {
      createTextFormat(parseSchema(member))
      return { ...plan, schema: dropDefaults(inlineDefinitions(member), name, plan.isRequired), kind: 'text' }
    } catch (error) {
      reader.limits.add(
        'form-part',
        `${form.pointer}/schema`,
        `The part "${name}" is neither a file nor a text (${(error as Error).message}). It is read as a text.`,
      )
      return { ...plan, kind: 'text', schema: { type: 'string' } }
    }
  })
}
