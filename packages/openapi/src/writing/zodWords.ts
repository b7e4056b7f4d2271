/** The words of zod 4, by the keywords and the formats of JSON Schema. */
import type { JsonSchema } from 'lapidary'
import { type Code, call, method, writeValue } from 'lapidary/internal'

/** The words of zod for formats, which check the text. Others stay annotations. */
export const formatWords: Readonly<Record<string, Code>> = {
  date: call('z.iso.date'),
  'date-time': call('z.iso.datetime', '{ offset: true }'),
  email: call('z.email'),
  ipv4: call('z.ipv4'),
  ipv6: call('z.ipv6'),
}

export const annotations: readonly string[] = ['description', 'title', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'default']
export const ownKeywords: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'minLength', 'maxLength', 'pattern', 'format'],
  number: ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: ['type'],
  null: ['type'],
  array: ['type', 'items', 'prefixItems', 'minItems', 'maxItems'],
  object: ['type', 'properties', 'required', 'additionalProperties'],
}

/** Checks of numbers and of lengths, by their keywords. */
const checkWords: Readonly<Record<string, string>> = {
  ...{ minLength: 'min', maxLength: 'max', minItems: 'min', maxItems: 'max', minimum: 'min', maximum: 'max' },
  ...{ exclusiveMinimum: 'gt', exclusiveMaximum: 'lt', multipleOf: 'multipleOf' },
}

/** A value of a document as code. */
export const requireValue = (value: unknown): Code => writeValue(value) ?? 'undefined'

const isSafeBound = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER

export function addChecks(code: Code, schema: JsonSchema, keywords: readonly string[]): Code {
  return keywords.reduce<Code>((checked, keyword) => {
    const value = schema[keyword]
    if (value === undefined || (schema.type === 'integer' && isSafeBound(value))) return checked
    return method(checked, checkWords[keyword] as string, requireValue(value))
  }, code)
}

export function writePattern(pattern: string): string | undefined {
  for (const flags of ['', 'u']) {
    try {
      return String(new RegExp(pattern, flags))
    } catch {}
  }
  return undefined
}
