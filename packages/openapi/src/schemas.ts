/** The Schema Objects of a document as JSON Schemas of draft 2020-12. */
import type { JsonSchema } from 'lapidary'
import { encodePointerStep, getKeywordKind, isJsonObject } from 'lapidary/internal'
import { SchemaCircles } from './circles.ts'
import { DefinitionNames, getDefinitionName } from './definitionNames.ts'
import { addDiscriminator } from './discriminators.ts'
import { type DocumentReader, type JsonObject, type Part, toPointer } from './document.ts'
import { addFormatBounds } from './formatBounds.ts'
import { checkEnum, checkKeyword, closeTuple, isUnreadKeyword, openObject, placementKeywords } from './keywords.ts'
import { PatternGuard } from './patterns/guardPattern.ts'
import { fromSchema30 } from './schemas30.ts'

/** What a schema describes: members that are only read stand in responses, those that are only written in requests. */
export type Direction = 'request' | 'response'

/** A schema that references lead to. */
interface Definition {
  readonly name: string
  readonly schema: JsonSchema
  /** The pointers of the definitions that it refers to. */
  readonly uses: Set<string>
}

const neverSchema: JsonSchema = { not: {} }

/** The definitions that whole schemas are. */
const definitionsOf = new WeakMap<JsonSchema, { readonly name: string; readonly schema: JsonSchema }>()

/** The definition that a schema of a document is; undefined for one that stands in place. */
export const getDefinition = (schema: JsonSchema): { readonly name: string; readonly schema: JsonSchema } | undefined =>
  definitionsOf.get(schema)

/** The schemas of one document. */
export class DocumentSchemas {
  private readonly reader: DocumentReader
  private readonly circles: SchemaCircles
  private readonly names = new DefinitionNames()
  private readonly patterns = new PatternGuard()
  private readonly schemas = new Map<string, JsonSchema>()
  private readonly definitions: Readonly<Record<Direction, Map<string, Definition>>> = { request: new Map(), response: new Map() }

  constructor(reader: DocumentReader) {
    this.reader = reader
    this.circles = new SchemaCircles(reader)
  }

  /** The JSON Schema of a Schema Object, with all definitions that it refers to: one object for each place, which several replies may have. */
  of(part: Part, direction: Direction): JsonSchema {
    const key = `${direction} ${part.pointer}`
    const schema = this.schemas.get(key) ?? this.create(part, direction)
    this.schemas.set(key, schema)
    return schema
  }

  private create(part: Part, direction: Direction): JsonSchema {
    const uses = new Set<string>()
    const schema = this.convert(part, direction, uses)
    const [only] = uses
    const definition = uses.size === 1 && only !== undefined ? this.definitions[direction].get(only) : undefined
    const complete = this.complete(this.unfold(schema, direction, uses), direction, uses)
    if (schema.$ref !== undefined && definition !== undefined)
      definitionsOf.set(complete, { name: definition.name, schema: definition.schema })
    return complete
  }

  /** The members of a Schema Object that is an object, those of its `allOf` included. */
  members(
    part: Part,
    direction: Direction,
  ): { readonly properties: ReadonlyMap<string, JsonSchema>; readonly required: ReadonlySet<string> } {
    const properties = new Map<string, JsonSchema>()
    const required = new Set<string>()
    const seen = new Set<JsonSchema>()
    const visit = (schema: JsonSchema, root: JsonSchema): void => {
      if (seen.has(schema)) return
      seen.add(schema)
      const target = typeof schema.$ref === 'string' ? root.$defs?.[getDefinitionName(schema.$ref)] : undefined
      if (target !== undefined) visit(target, root)
      for (const [name, member] of Object.entries(schema.properties ?? {}))
        properties.set(name, root.$defs === undefined ? member : { ...member, $defs: root.$defs })
      for (const name of schema.required ?? []) required.add(name)
      for (const one of schema.allOf ?? []) visit(one, root)
    }
    const whole = this.of(part, direction)
    visit(whole, whole)
    return { properties, required }
  }

  /** A schema that is only a reference, as what it leads to. */
  private unfold(schema: JsonSchema, direction: Direction, uses: Set<string>): JsonSchema {
    let here = schema
    const seen = new Set<JsonSchema>()
    while (typeof here.$ref === 'string' && Object.keys(here).length === 1 && !seen.has(here)) {
      seen.add(here)
      const [pointer] = uses
      const definition = pointer === undefined ? undefined : this.definitions[direction].get(pointer)
      if (definition === undefined) break
      here = definition.schema
      uses.clear()
      for (const one of definition.uses) uses.add(one)
    }
    return here
  }

  /** Adds the definitions that a schema refers to, directly or through others. */
  private complete(schema: JsonSchema, direction: Direction, uses: ReadonlySet<string>): JsonSchema {
    if (uses.size === 0) return schema
    const all = new Map<string, Definition>()
    const waiting = [...uses]
    for (let pointer = waiting.pop(); pointer !== undefined; pointer = waiting.pop()) {
      const definition = this.definitions[direction].get(pointer)
      if (definition === undefined || all.has(definition.name)) continue
      all.set(definition.name, definition)
      waiting.push(...definition.uses)
    }
    const $defs = Object.fromEntries(
      [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, { schema: one }]) => [name, one]),
    )
    return { ...schema, $defs }
  }

  /** A reference to a definition, which is converted when it is first met. */
  private refer(reference: string, pointer: string, direction: Direction, uses: Set<string>): JsonSchema {
    const target = toPointer(reference)
    const value = target === undefined ? undefined : this.reader.at(target).value
    if (target === undefined || value === undefined || this.circles.isClosedBy(target, pointer.slice(0, -'/$ref'.length))) {
      this.reader.limits.add(
        'reference',
        pointer,
        `The reference ${JSON.stringify(reference)} leads to no schema, or in a circle. Any value is allowed here.`,
      )
      return {}
    }
    uses.add(target)
    const definitions = this.definitions[direction]
    if (!definitions.has(target)) {
      const definition: { name: string; schema: JsonSchema; uses: Set<string> } = {
        name: this.names.of(target),
        schema: {},
        uses: new Set(),
      }
      definitions.set(target, definition)
      definition.schema = this.convert({ value, pointer: target }, direction, definition.uses)
    }
    return { $ref: `#/$defs/${encodeURIComponent(this.names.of(target))}` }
  }

  /** Whether a member of an object does not stand in messages of this direction. */
  private isHidden(member: unknown, direction: Direction): boolean {
    const keyword = direction === 'request' ? 'readOnly' : 'writeOnly'
    return this.listReferred(member).some((schema) => schema[keyword] === true)
  }

  /** A schema, and those that its reference leads to. */
  private listReferred(schema: unknown): readonly JsonObject[] {
    const found = new Set<JsonObject>()
    let here = schema
    while (isJsonObject(here) && !found.has(here)) {
      found.add(here)
      const pointer = toPointer(here['$ref'])
      here = pointer === undefined ? undefined : this.reader.at(pointer).value
    }
    return [...found]
  }

  /** Whether a member has a default, which a complete response always has. */
  private hasDefault(member: unknown): boolean {
    return this.listReferred(member).some((schema) => schema['default'] !== undefined)
  }

  private convert({ value, pointer }: Part, direction: Direction, uses: Set<string>): JsonSchema {
    if (value === true) return {}
    if (value === false) return neverSchema
    if (!isJsonObject(value)) {
      this.reader.limits.add('malformed-schema', pointer, 'A schema is an object, or true or false. Any value is allowed here.')
      return {}
    }
    const isOld = this.reader.dialect === '3.0'
    const { $ref: reference, ...beside } = value
    if (typeof reference === 'string') {
      const target = this.refer(reference, `${pointer}/$ref`, direction, uses)
      // Nothing beside a reference counts in 3.0.
      if (isOld || target.$ref === undefined) return target
      return { ...this.convertKeywords(beside, pointer, direction, uses), ...target }
    }
    return this.convertKeywords(addFormatBounds(isOld ? fromSchema30(value) : value), pointer, direction, uses)
  }

  private convertKeywords(schema: JsonObject, pointer: string, direction: Direction, uses: Set<string>): JsonSchema {
    const converted: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      // A member of this name would be the prototype, and no schema has such a keyword.
      if (keyword === '__proto__' || placementKeywords.has(keyword) || keyword.startsWith('x-') || value === undefined) continue
      const place = pointer + encodePointerStep(keyword)
      const problem = checkKeyword(keyword, value) ?? (keyword === 'enum' ? checkEnum(schema) : undefined)
      if (problem !== undefined) {
        this.reader.limits.add('malformed-schema', place, `${problem} The keyword is left out.`)
        continue
      }
      if (isUnreadKeyword(keyword)) {
        this.reader.limits.add(
          'schema-keyword',
          place,
          `The keyword "${keyword}" is not read. Every value is allowed that the others allow.`,
        )
        continue
      }
      if (keyword === 'pattern' && this.isSlowPattern(String(value), place)) continue
      converted[keyword] = this.convertKeyword(keyword, value, place, direction, uses)
    }
    const readable = this.omitSlowMembers(converted as JsonSchema, pointer)
    const complete = addDiscriminator(openObject(closeTuple(readable)), schema, pointer, this.reader)
    return this.direct(complete, schema, pointer, direction)
  }

  /** Whether a pattern may take too long; it is then a limit. */
  private isSlowPattern(pattern: string, place: string): boolean {
    if (this.patterns.admits(pattern)) return false
    const shown = pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern
    this.reader.limits.add('slow-pattern', place, `To match a text with ${shown} may take years. Any text is allowed here.`)
    return true
  }

  /** Which members a pattern names that is left out is unknown, and so are all others that are not declared. */
  private omitSlowMembers(schema: JsonSchema, pointer: string): JsonSchema {
    const members = schema['patternProperties'] as Readonly<Record<string, unknown>> | undefined
    const place = `${pointer}/patternProperties`
    const names = Object.keys(members ?? {})
    const kept = names.filter((pattern) => !this.isSlowPattern(pattern, place + encodePointerStep(pattern)))
    if (members === undefined || kept.length === names.length) return schema
    const { additionalProperties: _, unevaluatedProperties: __, ...rest } = schema
    const patternProperties = Object.fromEntries(kept.map((pattern) => [pattern, members[pattern]]))
    return { ...rest, patternProperties, additionalProperties: {} } as JsonSchema
  }

  private convertKeyword(keyword: string, value: unknown, place: string, direction: Direction, uses: Set<string>): unknown {
    const kind = getKeywordKind(keyword)
    const convertPart = (part: unknown, step: string): unknown =>
      typeof part === 'boolean' ? part : this.convert({ value: part, pointer: place + step }, direction, uses)
    if (kind === 'schema') return convertPart(value, '')
    const toObject = (part: unknown): unknown => (part === true ? {} : part === false ? neverSchema : part)
    if (kind === 'array' && Array.isArray(value)) return value.map((part: unknown, index) => toObject(convertPart(part, `/${index}`)))
    if (kind !== 'members' || !isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toObject(convertPart(part, encodePointerStep(name)))]))
  }

  /** The members that messages of a direction have, and the defaults that responses are read with. */
  private direct(schema: JsonSchema, source: JsonObject, pointer: string, direction: Direction): JsonSchema {
    const members = source['properties']
    if (!isJsonObject(members) || schema.properties === undefined) return schema
    const hidden = new Set(Object.keys(members).filter((name) => this.isHidden(members[name], direction)))
    const required = (schema.required ?? []).filter((name) => !hidden.has(name))
    const properties: [string, JsonSchema][] = []
    const filled = new Set<string>()
    for (const [name, member] of Object.entries(schema.properties)) {
      if (hidden.has(name)) continue
      if (direction === 'response' && this.hasDefault(members[name])) {
        if (required.includes(name)) filled.add(name)
        else if (member.default !== undefined) {
          const place = `${pointer}/properties${encodePointerStep(name)}/default`
          this.reader.limits.add('response-default', place, 'A response need not have this member. It is not filled in.')
          const { default: _, ...rest } = member
          properties.push([name, rest])
          continue
        }
      }
      properties.push([name, member])
    }
    const { required: _, ...rest } = schema
    const still = required.filter((name) => !filled.has(name))
    return { ...rest, properties: Object.fromEntries(properties), ...(still.length > 0 && { required: still }) }
  }
}
