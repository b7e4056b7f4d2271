/** Values that are sent as text, in a URL, a header, a cookie or a form: the receiver's schema says which value a text stands for. */
import { isParseError, type JsonSchema } from 'lapidary'
import { createTextFormat, parseSchema, type SchemaNode } from 'lapidary/internal'
import { checkSubschema, createCandidates, type SubschemaResult, sampleSchema } from './subschema/checkSubschema.ts'
import { isSubschema } from './subschema/isSubschema.ts'
import { getInstanceValidity, validateInstance } from './subschema/validateInstance.ts'

type TextKind = 'text' | 'number' | 'boolean' | 'mixed'

function getTextKind({ raw, types: named }: SchemaNode): TextKind {
  const values = raw.enum ?? (raw.const === undefined ? [] : [raw.const])
  const types = new Set([...named, ...values.map((value) => typeof value)])
  const [type, ...others] = [...types].map((one) => (one === 'integer' ? 'number' : one === 'string' ? 'text' : one))
  if (others.some((other) => other !== type)) return 'mixed'
  return type === 'text' || type === 'number' || type === 'boolean' ? type : 'mixed'
}

type TextFormat = ReturnType<typeof createTextFormat>

const textFormats = new WeakMap<SchemaNode, TextFormat | null>()

/** How a server reads the texts of a schema; null where no parameter has such a schema. */
function getTextFormat(node: SchemaNode): TextFormat | null {
  const known = textFormats.get(node)
  if (known !== undefined) return known
  let format: TextFormat | null
  try {
    format = createTextFormat(node)
  } catch {
    format = null
  }
  textFormats.set(node, format)
  return format
}

/** The value that a text stands for in a schema; the text itself where it stands for none. */
function parseTextValue(text: string, node: SchemaNode): unknown {
  const value = getTextFormat(node)?.read([text])
  return value === undefined || isParseError(value) ? text : value
}

/** Whether a schema reads a text, as far as it tells. */
export const isTextValid = (node: SchemaNode, text: string): boolean => getInstanceValidity(node, parseTextValue(text, node)) === 'yes'

/** Whether a schema reads a text, as far as it tells. */
export const canReadText = (schema: JsonSchema, text: string): boolean => isTextValid(parseSchema(schema), text)

/** A text of at least one character. */
const someText = parseSchema({ type: 'string', minLength: 1 })
const anyText = parseSchema({ type: 'string' })

/** Compares values that are sent as text: an integer is a text, too, and some texts are integers. */
export function checkTextSubschema(one: SchemaNode, other: SchemaNode): SubschemaResult {
  const [from, to] = [getTextKind(one), getTextKind(other)]
  if (from === to && from !== 'mixed') return checkSubschema(one, other)
  if (to === 'text' && isSubschema(from === 'mixed' ? anyText : someText, other)) return { is: 'yes' }
  // Each text stands for one value: a value that both allow is read as it was written.
  if (to === 'mixed' && getTextFormat(other) !== null && isSubschema(one, other)) return { is: 'yes' }
  let best: { readonly instance: unknown; readonly text: string } | undefined
  for (const instance of [...createCandidates(one, other), ...sampleSchema(one)]) {
    const text = String(instance)
    if (typeof instance === 'object' || text === '' || getInstanceValidity(one, instance) !== 'yes' || isTextValid(other, text)) continue
    if (best === undefined || text.length < best.text.length) best = { instance, text }
  }
  const flaw = best && validateInstance(other, parseTextValue(best.text, other))
  if (best !== undefined && typeof flaw === 'object') return { is: 'no', instance: best.instance, flaw }
  const few = one.raw.enum ?? (from === 'boolean' ? [true, false] : undefined)
  return few?.every((value) => isTextValid(other, String(value))) ? { is: 'yes' } : { is: 'unknown' }
}

/** Whether a value of a schema may contain a comma, as far as it tells. */
export function mayContainComma(node: SchemaNode): boolean {
  const values = node.raw.enum ?? (node.raw.const === undefined ? undefined : [node.raw.const])
  if (values !== undefined) return values.some((value) => String(value).includes(','))
  const kind = getTextKind(node)
  return kind === 'text' || kind === 'mixed'
}

/**
 * Compares values that are written as fields of a form. What differs only as JSON, such as 1 and "1", is the same text there.
 */
export function checkFormSubschema(one: SchemaNode, other: SchemaNode): SubschemaResult {
  const found = checkSubschema(one, other)
  if (found.is !== 'no' || found.flaw.kind === 'missing') return found
  const { instance } = found
  const values = Array.isArray(instance) ? instance : [instance]
  const isList = other.types.includes('array')
  // Of a whole object nothing says which of its fields is meant.
  if (values.some((value) => typeof value === 'object')) return { is: 'unknown' }
  const isRead = isList
    ? checkSubschema(parseSchema({ const: values.map((value) => parseFormText(`${value}`, other.parts.items)) }), other).is !== 'no'
    : values.length === 1 && isFormTextValid(`${values[0]}`, other)
  return isRead ? { is: 'unknown' } : found
}

/** The value of a field. A schema that allows texts reads a text. */
function parseFormText(text: string, node: SchemaNode | undefined): unknown {
  return node === undefined || node.types.includes('string') ? text : parseTextValue(text, node)
}

const isFormTextValid = (text: string, node: SchemaNode): boolean => getInstanceValidity(node, parseFormText(text, node)) === 'yes'
