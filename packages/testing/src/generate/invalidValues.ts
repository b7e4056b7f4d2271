/** Values that break a JSON Schema at exactly one place. */
import type { JsonSchema } from 'lapidary'
import { encodePointerStep, isJsonObject, isValid, neverSchema, parseSchema, type SchemaNode } from 'lapidary/internal'

/** A value with one fault. */
interface InvalidValue {
  /** The JSON Pointer of the fault; `''` is the whole value. */
  readonly pointer: string
  /** What was changed: `left out`, `null instead`. */
  readonly fault: string
  readonly value: unknown
}

interface ValueFault {
  readonly fault: string
  readonly value: unknown
}

/** One value of each type. */
const otherTypeFaults: readonly ValueFault[] = [
  { fault: 'null instead', value: null },
  { fault: 'true instead', value: true },
  { fault: 'a number instead', value: 1.5 },
  { fault: 'a string instead', value: 'no such value' },
  { fault: 'an array instead', value: [] },
  { fault: 'an object instead', value: {} },
]

/** The same in place of a string: the type of the other string is right, and an `enum`, a `pattern` or a `format` does not allow it. */
const faultsOfString = otherTypeFaults.map((one) => (typeof one.value === 'string' ? { ...one, fault: 'another string instead' } : one))

/** Lists values of the right type that exceed each bound. */
function listBoundFaults(schema: JsonSchema, value: unknown): readonly ValueFault[] {
  const faults: ValueFault[] = []
  const add = (bound: unknown, fault: string, createValue: (bound: number) => unknown): void => {
    if (typeof bound === 'number') faults.push({ fault, value: createValue(bound) })
  }
  if (typeof value === 'number') {
    add(schema.minimum, 'too small', (bound) => bound - 1)
    add(schema.maximum, 'too large', (bound) => bound + 1)
    add(schema.exclusiveMinimum, 'too small', (bound) => bound)
    add(schema.exclusiveMaximum, 'too large', (bound) => bound)
    if (schema.type === 'integer')
      faults.push({ fault: 'not an integer', value: value + 0.5 }, { fault: 'as a string', value: String(value) })
  } else if (typeof value === 'string') {
    add(schema['minLength'], 'too short', (bound) => [...value].slice(0, Math.max(0, bound - 1)).join(''))
    add(schema['maxLength'], 'too long', (bound) => value.padEnd(bound + 1, 'x').slice(0, bound + 1))
    if (schema.format !== undefined || schema['pattern'] !== undefined) faults.push({ fault: 'in another format', value: '\u00a0?' })
  } else if (Array.isArray(value)) {
    add(schema.minItems, 'too short', (bound) => value.slice(0, Math.max(0, bound - 1)))
    add(schema.maxItems, 'too long', (bound) => Array.from({ length: bound + 1 }, (_, index) => value[index % Math.max(1, value.length)]))
  }
  return faults
}

function* walkFaults(node: SchemaNode, value: unknown, pointer: string): Generator<InvalidValue> {
  const otherTypes = typeof value === 'string' ? faultsOfString : otherTypeFaults
  for (const { fault, value: invalid } of [...otherTypes, ...listBoundFaults(node.schema, value)]) {
    if (!isValid(node, invalid)) yield { pointer, fault, value: invalid }
  }
  if (Array.isArray(value)) {
    const item = node.item(0)
    if (value.length === 0 || item === undefined) return
    for (const { value: invalid, ...rest } of walkFaults(item, value[0], `${pointer}/0`))
      yield { ...rest, value: [invalid, ...value.slice(1)] }
  } else if (isJsonObject(value)) {
    const { required, rest } = node.parts
    for (const name of Object.keys(value)) {
      const { [name]: current, ...remaining } = value
      const at = pointer + encodePointerStep(name)
      if (required.includes(name)) yield { pointer: at, fault: 'left out', value: remaining }
      const member = node.member(name)
      if (member === undefined) continue
      for (const { value: invalid, ...others } of walkFaults(member, current, at)) yield { ...others, value: { ...value, [name]: invalid } }
    }
    if (rest?.schema === neverSchema) yield { pointer: `${pointer}/noSuchMember`, fault: 'added', value: { ...value, noSuchMember: 1 } }
  }
}

/** Lists variants of a value, each with one fault under the JSON Schema. The Standard Schema behind it may still accept some of them. */
export const listInvalidValues = (schema: JsonSchema, value: unknown): readonly InvalidValue[] => [
  ...walkFaults(parseSchema(schema), value, ''),
]
