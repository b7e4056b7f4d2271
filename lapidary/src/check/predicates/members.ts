/** That nothing leaves a server that nobody declared. */
import { getMembers, isJsonObject, type JsonSchema, resolveSchema } from '../../describe/jsonSchema.ts'
import { parseMediaType } from '../../describe/mediaType.ts'
import { encodePointerStep } from '../../describe/refusal.ts'
import { getJsonSchema } from '../../describe/schema.ts'
import { decodeUtf8 } from '../../describe/utf8.ts'
import type { Invariant } from '../predicate.ts'

/** The first member that the schema does not name, as a JSON Pointer; undefined where there is none, or its form is one of several. */
function findUndeclaredMember(schema: JsonSchema, value: unknown, root: JsonSchema, pointer = ''): string | undefined {
  const here = resolveSchema(schema, root)
  if (here.anyOf !== undefined || here.oneOf !== undefined || here.allOf !== undefined) return undefined
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const form = here.prefixItems?.[index] ?? here.items
      const found = typeof form === 'object' ? findUndeclaredMember(form, item, root, `${pointer}/${index}`) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isJsonObject(value) || here.properties === undefined) return undefined
  const { properties, rest } = getMembers(here)
  for (const [name, member] of Object.entries(value)) {
    const at = pointer + encodePointerStep(name)
    const form = Object.hasOwn(properties, name) ? properties[name] : rest
    if (form === undefined || form === false) return at
    const found = typeof form === 'object' ? findUndeclaredMember(form, member, root, at) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The values of a body that is JSON: one, or one a line. */
function parseJsonBodies(type: string | undefined, bytes: Uint8Array): readonly unknown[] {
  const essence = parseMediaType(type ?? '')?.essence ?? ''
  const text = decodeUtf8(bytes) ?? ''
  try {
    if (essence === 'application/x-ndjson')
      return text
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line))
    return essence === 'application/json' ? [JSON.parse(text)] : []
  } catch {
    // That it is no JSON is for others to say.
    return []
  }
}

export const membersRule: Invariant = {
  name: 'members',
  description: 'No body has a member that is not declared: what nobody meant to show does not leave.',
  check: ({ request: { method }, response: { status, header, body }, subject: { endpoint } }) => {
    if (method !== endpoint.method) return undefined
    const reply = [endpoint.response, ...endpoint.errors].find((one) => one.status === status)
    const schema = reply?.content?.schema
    if (schema === undefined) return undefined
    const form = getJsonSchema(schema)
    for (const value of parseJsonBodies(header('content-type'), body)) {
      const found = findUndeclaredMember(form, value, form)
      if (found !== undefined) return `the body has a member that is not declared, at "${found}"`
    }
    return undefined
  },
}
