/** What is almost a value of a JSON Schema: one thing about it is wrong, at a place that can be told. */
import { encodePointerStep, getMembers, isJsonObject, isValid, resolveSchema } from 'lapidary/internal'

/** One of each type. */
const otherTypeFaults = [
  { fault: 'null in its place', value: null },
  { fault: 'true in its place', value: true },
  { fault: 'a number in its place', value: 1.5 },
  { fault: 'a text in its place', value: 'no such value' },
  { fault: 'a list in its place', value: [] },
  { fault: 'an object in its place', value: {} },
]
/** Values of the right type beyond each bound. */
function listBoundFaults(schema, value) {
  const faults = []
  const add = (bound, fault, make) => {
    if (typeof bound === 'number') faults.push({ fault, value: make(bound) })
  }
  if (typeof value === 'number') {
    add(schema.minimum, 'too small', (bound) => bound - 1)
    add(schema.maximum, 'too large', (bound) => bound + 1)
    add(schema.exclusiveMinimum, 'too small', (bound) => bound)
    add(schema.exclusiveMaximum, 'too large', (bound) => bound)
    if (schema.type === 'integer') faults.push({ fault: 'not whole', value: value + 0.5 }, { fault: 'as text', value: String(value) })
  } else if (typeof value === 'string') {
    add(schema['minLength'], 'too short', (bound) => [...value].slice(0, Math.max(0, bound - 1)).join(''))
    add(schema['maxLength'], 'too long', (bound) => value.padEnd(bound + 1, 'x').slice(0, bound + 1))
    if (schema.format !== undefined || schema['pattern'] !== undefined) faults.push({ fault: 'of another form', value: '\u00a0?' })
  } else if (Array.isArray(value)) {
    add(schema.minItems, 'too short', (bound) => value.slice(0, Math.max(0, bound - 1)))
    add(schema.maxItems, 'too long', (bound) => Array.from({ length: bound + 1 }, (_, index) => value[index % Math.max(1, value.length)]))
  }
  return faults
}
function* walkFaults(schema, value, root, pointer) {
  const here = resolveSchema(schema, root)
  for (const { fault, value: wrong } of [...otherTypeFaults, ...listBoundFaults(here, value)]) {
    if (!isValid(here, wrong, root)) yield { pointer, fault, value: wrong }
  }
  if (Array.isArray(value)) {
    const item = here.prefixItems?.[0] ?? here.items
    if (value.length === 0 || typeof item !== 'object') return
    for (const { value: wrong, ...rest } of walkFaults(item, value[0], root, `${pointer}/0`))
      yield { ...rest, value: [wrong, ...value.slice(1)] }
  } else if (isJsonObject(value)) {
    const { properties, required, rest } = getMembers(here)
    for (const name of Object.keys(value)) {
      const { [name]: one, ...remaining } = value
      const at = pointer + encodePointerStep(name)
      if (required.includes(name)) yield { pointer: at, fault: 'left out', value: remaining }
      const member = Object.hasOwn(properties, name) ? properties[name] : rest
      if (typeof member !== 'object') continue
      for (const { value: wrong, ...others } of walkFaults(member, one, root, at)) yield { ...others, value: { ...value, [name]: wrong } }
    }
    if (rest === false) yield { pointer: `${pointer}/noSuchMember`, fault: 'added', value: { ...value, noSuchMember: 1 } }
  }
}
/** Each fault that a value of this schema can have, one at a time. Whether it is one for the schema itself as well, beyond its JSON Schema, it has to say. */
export const listInvalidValues = (schema, value) => [...walkFaults(schema, value, schema, '')]
