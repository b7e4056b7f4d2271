/** Writes a JSON Schema in the words of zod 4. */
import type { JsonSchema } from 'lapidary'
import {
  type Code,
  call,
  getter,
  isJsonObject,
  isValid,
  listCode,
  member,
  method,
  parseSchema,
  record,
  writeName,
  writeText,
} from 'lapidary/internal'

import { getDefinitionName } from '../definitionNames.ts'
import { addChecks, annotations, formatWords, ownKeywords, requireValue, writePattern } from './zodWords.ts'

/** What the schemas of a file share. */
export interface ZodContext {
  /**
   * Returns the constant of a definition, and whether it is still without its value.
   *
   * @param root the document that has the definition
   */
  readonly refer: (name: string, root: JsonSchema) => { readonly name: string; readonly isPending: boolean }
  /** Whether the value of a constant is being written. */
  readonly isPending: (name: string, root: JsonSchema) => boolean
  /** Collects the schemas that are written as objects, and may be of any type. */
  readonly withoutType: Set<JsonSchema>
  /** The definitions that a schema refers to. */
  readonly listReferences: (schema: JsonSchema) => readonly string[]
}

/** Writes the schemas of one document. */
export class ZodWriter {
  private readonly context: ZodContext
  private readonly root: JsonSchema
  /** Whether the code stands in a getter, which runs when all constants have their values. */
  private isLater = false

  constructor(context: ZodContext, root: JsonSchema) {
    this.context = context
    this.root = root
  }

  /**
   * The code of a schema, with its annotations and its default.
   *
   * @param isRequired whether a value is always there: its default is for readers alone then
   */
  write(schema: JsonSchema, isRequired = false): Code {
    const { code, read } = this.writeForm(schema)
    const rest = Object.entries(schema).filter(([keyword, value]) => !read.includes(keyword) && keyword !== '$defs' && value !== undefined)
    const meta = Object.fromEntries(
      rest.filter(
        ([keyword, value]) =>
          keyword !== 'description' &&
          (keyword !== 'default' || isRequired || !this.hasDefault(schema)) &&
          // A reference leads nowhere in another document.
          !JSON.stringify(value).includes('"$ref"'),
      ),
    )
    const { description } = schema
    const fallback = isRequired || !this.hasDefault(schema) ? undefined : this.findDefault(schema)
    const described = typeof description === 'string' ? method(code, 'describe', writeText(description)) : code
    const annotated = Object.keys(meta).length > 0 ? method(described, 'meta', requireValue(meta)) : described
    if (fallback === undefined) return annotated
    // What zod returns for a default has all of its own defaults, which that of the document need not have.
    const { default: _, ...parts } = schema
    const word = typeof fallback === 'object' && this.containsDefault(parts) ? 'prefault' : 'default'
    return method(annotated, word, requireValue(fallback))
  }

  /** Whether a schema, or a definition that it refers to, has a default somewhere. */
  private containsDefault(schema: JsonSchema, seen: Set<string> = new Set()): boolean {
    const { $defs: _, ...parts } = schema
    if (JSON.stringify(parts).includes('"default":')) return true
    return this.context.listReferences(parts).some((name) => {
      const definition = seen.has(name) ? undefined : this.root.$defs?.[name]
      seen.add(name)
      return definition !== undefined && this.containsDefault(definition, seen)
    })
  }

  /** Whether a schema has a default that it allows. */
  hasDefault(schema: JsonSchema): boolean {
    const fallback = this.findDefault(schema)
    return fallback !== undefined && isValid(parseSchema(schema, this.root), fallback)
  }

  /** The default of a schema, or of the definition that it refers to. */
  private findDefault({ default: fallback, $ref }: JsonSchema): unknown {
    const definition = $ref === undefined ? undefined : this.root.$defs?.[getDefinitionName($ref)]
    return fallback ?? definition?.default
  }

  /** The code of what a schema allows, and the keywords that it says. */
  private writeForm(schema: JsonSchema): { readonly code: Code; readonly read: readonly string[] } {
    const { $ref, const: value, enum: values, allOf, anyOf, oneOf, type } = schema
    const restricting = Object.keys(schema).filter((keyword) => !annotations.includes(keyword) && keyword !== '$defs')
    if (schema['not'] !== undefined && restricting.length === 1 && isJsonObject(schema['not']) && Object.keys(schema['not']).length === 0)
      return { code: call('z.never'), read: ['not'] }
    const wholes = [$ref, allOf, anyOf, oneOf].filter((whole) => whole !== undefined)
    const hasForm = type !== undefined || schema.properties !== undefined || values !== undefined || value !== undefined
    // Several parts about one value.
    if (wholes.length > 1 || (wholes.length === 1 && hasForm) || (allOf !== undefined && allOf.length > 0)) return this.writeParts(schema)
    if ($ref !== undefined) return { code: this.refer($ref), read: ['$ref'] }
    if (anyOf !== undefined) return { code: this.writeUnion(anyOf), read: ['anyOf'] }
    if (oneOf !== undefined) return { code: this.writeExclusive(oneOf), read: ['oneOf'] }
    if (value !== undefined) return { code: this.writeLiterals([value], type), read: ['const', 'type'] }
    if (values !== undefined) return { code: this.writeLiterals(values, type), read: ['enum', 'type'] }
    if (Array.isArray(type)) return this.writeTypes(schema, type as readonly string[])
    if (type === undefined && schema.properties !== undefined) this.context.withoutType.add(schema)
    return this.writeType(schema, typeof type === 'string' ? type : schema.properties === undefined ? undefined : 'object')
  }

  /** A schema whose parts hold together. */
  private writeParts({ allOf = [], anyOf, oneOf, $ref, $defs: _, ...schema }: JsonSchema): {
    readonly code: Code
    readonly read: readonly string[]
  } {
    const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword)))
    const parts: JsonSchema[] = [
      ...(Object.keys(own).length > 0 ? [own as JsonSchema] : []),
      ...($ref === undefined ? [] : [{ $ref }]),
      ...allOf,
      ...(anyOf === undefined ? [] : [{ anyOf }]),
      ...(oneOf === undefined ? [] : [{ oneOf }]),
    ]
    const [first = {}, ...others] = parts
    const code = others.reduce<Code>((whole, part) => call('z.intersection', whole, this.write(part)), this.write(first))
    return { code, read: [...Object.keys(own), '$ref', 'allOf', 'anyOf', 'oneOf'] }
  }

  private refer(reference: string): Code {
    const found = this.context.refer(getDefinitionName(reference), this.root)
    return found.isPending && !this.isLater ? call('z.lazy', `() => ${found.name}`) : found.name
  }

  private writeUnion(branches: readonly JsonSchema[]): Code {
    const isNull = ({ type, ...rest }: JsonSchema): boolean => type === 'null' && Object.keys(rest).length === 0
    const [first, second] = branches
    if (branches.length === 2 && first !== undefined && second !== undefined && isNull(second) && !isNull(first))
      return method(this.write(first), 'nullable')
    return call('z.union', listCode(branches.map((branch) => this.write(branch))))
  }

  private writeExclusive(branches: readonly JsonSchema[]): Code {
    return branches.length < 2 ? this.writeUnion(branches) : call('z.xor', listCode(branches.map((branch) => this.write(branch))))
  }

  /** @param type values of other types are none */
  private writeLiterals(listed: readonly unknown[], type: JsonSchema['type']): Code {
    const values = type === undefined ? listed : listed.filter((value) => isValid(parseSchema({ type }), value))
    if (values.length === 0) return call('z.never')
    if (values.length > 1 && values.every((value) => typeof value === 'string') && new Set(values).size === values.length)
      return call('z.enum', listCode(values.map(requireValue)))
    const scalars = values.filter((value) => typeof value !== 'object' || value === null)
    const [only] = scalars
    if (scalars.length < values.length) return method(call('z.unknown'), 'meta', requireValue({ enum: values }))
    return values.length === 1 ? call('z.literal', requireValue(only)) : call('z.literal', listCode(values.map(requireValue)))
  }

  private writeTypes(schema: JsonSchema, types: readonly string[]): { readonly code: Code; readonly read: readonly string[] } {
    const others = types.filter((type) => type !== 'null')
    const forms = others.map((type) => this.writeType({ ...schema, type }, type))
    const [first] = forms
    const read = ['type', ...forms.flatMap((form) => form.read)]
    if (first === undefined) return { code: call('z.null'), read }
    const union = forms.length === 1 ? first.code : call('z.union', listCode(forms.map(({ code }) => code)))
    return { code: others.length < types.length ? method(union, 'nullable') : union, read }
  }

  private writeType(schema: JsonSchema, type: string | undefined): { readonly code: Code; readonly read: readonly string[] } {
    const read = ownKeywords[type === 'integer' ? 'number' : (type ?? '')] ?? []
    switch (type) {
      case 'string':
        return this.writeString(schema)
      case 'integer':
        return { code: addChecks(call('z.int'), schema, read.slice(1)), read }
      case 'number':
        return { code: addChecks(call('z.number'), schema, read.slice(1)), read }
      case 'boolean':
        return { code: call('z.boolean'), read }
      case 'null':
        return { code: call('z.null'), read }
      case 'array': {
        // A tuple of zod has all of its positions.
        const isShort = schema.prefixItems !== undefined && schema.minItems !== schema.prefixItems.length
        const code = isShort ? addChecks(call('z.array', call('z.unknown')), schema, ['minItems', 'maxItems']) : this.writeArray(schema)
        return { code, read: isShort ? ['type', 'minItems', 'maxItems'] : read }
      }
      case 'object':
        return { code: this.writeObject(schema), read }
      default:
        return { code: call('z.unknown'), read: [] }
    }
  }

  private writeString(schema: JsonSchema): { readonly code: Code; readonly read: readonly string[] } {
    const { format, pattern } = schema
    const word = format === undefined ? undefined : formatWords[format]
    // The pattern of a format is its own: zod writes it again.
    const regex = pattern === undefined || word !== undefined ? undefined : writePattern(pattern as string)
    const start: Code = word ?? call('z.string')
    const checked = addChecks(start, schema, ['minLength', 'maxLength'])
    const code = regex === undefined ? checked : method(checked, 'regex', regex)
    const isPatternRead = regex !== undefined || word !== undefined
    return {
      code,
      read: ['type', 'minLength', 'maxLength', ...(isPatternRead ? ['pattern'] : []), ...(word === undefined ? [] : ['format'])],
    }
  }

  private writeArray(schema: JsonSchema): Code {
    const { prefixItems, items } = schema
    if (prefixItems !== undefined) {
      const rest = items === undefined ? [call('z.unknown')] : typeof items === 'object' ? [this.write(items)] : []
      return call('z.tuple', listCode(prefixItems.map((item) => this.write(item))), ...rest)
    }
    const item = typeof items === 'object' ? this.write(items) : items === false ? call('z.never') : call('z.unknown')
    return addChecks(call('z.array', item), schema, ['minItems', 'maxItems'])
  }

  private writeObject({ properties = {}, required = [], additionalProperties: rest }: JsonSchema): Code {
    const names = [...new Set([...Object.keys(properties), ...required])]
    if (names.length === 0 && rest !== false)
      return call(
        'z.record',
        call('z.string'),
        typeof rest === 'object' && Object.keys(rest).length > 0 ? this.write(rest) : call('z.unknown'),
      )
    const members = names.map((name) =>
      this.writeMember(name, Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {}, required.includes(name)),
    )
    const isClosed = rest === false
    const isLoose = rest === true || (typeof rest === 'object' && Object.keys(rest).length === 0)
    const code = call(isClosed ? 'z.strictObject' : isLoose ? 'z.looseObject' : 'z.object', record(members, members.length > 1))
    return typeof rest === 'object' && !isLoose ? method(code, 'catchall', this.write(rest)) : code
  }

  private writeMember(name: string, schema: JsonSchema, isRequired: boolean): Code {
    const before = this.isLater
    const isRecursive = !before && this.refersToPending(schema)
    this.isLater = before || isRecursive
    const code = this.write(schema, isRequired)
    const value = isRequired || this.hasDefault(schema) ? code : method(code, 'optional')
    this.isLater = before
    return isRecursive ? getter(writeName(name), value) : member(writeName(name), value)
  }

  /** Whether a part refers to a constant that is still without its value. */
  private refersToPending(schema: JsonSchema): boolean {
    return this.context.listReferences(schema).some((name) => this.context.isPending(name, this.root))
  }
}
