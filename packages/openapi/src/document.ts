/** The parts of an OpenAPI document: values with their places, whose references are followed. */
import { describeKind, encodePointerStep, isJsonObject, resolvePointer } from 'lapidary/internal'
import type { LimitList } from './limits.ts'

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A value of a document, and its place as a JSON Pointer. */
export interface Part<Value = unknown> {
  readonly value: Value
  readonly pointer: string
}

/** The versions of OpenAPI whose schemas differ: those of 3.0 are no JSON Schemas. */
export type SchemaDialect = '3.0' | '2020-12'

/** The fragment of a reference within its document as a pointer; undefined for a reference to anywhere else. */
export function toPointer(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !(reference === '#' || reference.startsWith('#/'))) return undefined
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return reference.slice(1)
  }
}

/** A document, whose parts are read by their places. */
export class DocumentReader {
  readonly root: JsonObject
  readonly dialect: SchemaDialect
  readonly limits: LimitList

  constructor(root: JsonObject, limits: LimitList) {
    this.root = root
    this.limits = limits
    this.dialect = String(root['openapi']).startsWith('3.0') ? '3.0' : '2020-12'
  }

  /** The part at a pointer; its value is undefined where nothing is there. */
  at(pointer: string): Part {
    return { value: resolvePointer(pointer, this.root), pointer }
  }

  /** A member of a part, with its references followed; undefined where there is none. */
  member(part: Part, name: string): Part | undefined {
    const value = isJsonObject(part.value) && Object.hasOwn(part.value, name) ? part.value[name] : undefined
    return value === undefined ? undefined : this.follow({ value, pointer: part.pointer + encodePointerStep(name) })
  }

  /** A member that is an object; undefined for any other. */
  object(part: Part, name: string): Part<JsonObject> | undefined {
    const member = this.member(part, name)
    return member === undefined ? undefined : this.toObject(member)
  }

  /** A part that is an object; undefined for any other, which is a limit. */
  toObject(part: Part): Part<JsonObject> | undefined {
    return isJsonObject(part.value) ? (part as Part<JsonObject>) : this.leaveOut(part, 'an object')
  }

  /** A member that is a text; undefined for an empty one, and for any other value, which is a limit. */
  text(part: Part, name: string): string | undefined {
    const member = isJsonObject(part.value) && Object.hasOwn(part.value, name) ? part.value[name] : undefined
    if (member === undefined || typeof member === 'string') return toText(member)
    return this.leaveOut({ value: member, pointer: part.pointer + encodePointerStep(name) }, 'a text')
  }

  /** The texts of a list, without empty ones; any other value is a limit. */
  texts(part: Part, name: string): readonly string[] {
    return this.list(part, name).flatMap((item) => {
      if (typeof item.value !== 'string') this.leaveOut(item, 'a text')
      return toText(item.value) ?? []
    })
  }

  /** The items of a list; none for any other value, which is a limit. */
  list(part: Part, name: string): readonly Part[] {
    const member = this.member(part, name)
    if (member === undefined) return []
    if (!Array.isArray(member.value)) return this.leaveOut(member, 'an array') ?? []
    return member.value.map((value: unknown, index) => ({ value, pointer: `${member.pointer}/${index}` }))
  }

  /** Notes that a part has a value that it cannot have. @param expected such as `an object` */
  leaveOut({ value, pointer }: Part, expected: string): undefined {
    this.limits.add('malformed-part', pointer, `Expected ${expected}, got ${describeKind(value)}. It is left out.`)
  }

  /** The members of an object, or the items of an array, that are objects. Any other is a limit, but for extensions. */
  objects(part: Part | undefined): readonly (readonly [name: string, Part<JsonObject>])[] {
    return this.entries(part).flatMap(([name, member]) => {
      const found = name.startsWith('x-') && !isJsonObject(member.value) ? undefined : this.toObject(member)
      return found === undefined ? [] : [[name, found] as const]
    })
  }

  /** The members of an object, or the items of an array, with their references followed. */
  entries(part: Part | undefined): readonly (readonly [name: string, Part])[] {
    const { value, pointer } = part ?? { value: undefined, pointer: '' }
    if (part === undefined || value === undefined) return []
    if (typeof value !== 'object' || value === null) return this.leaveOut(part, 'an object or an array') ?? []
    return Object.entries(value).flatMap(([name, one]) => {
      const member = this.follow({ value: one as unknown, pointer: pointer + encodePointerStep(name) })
      return member === undefined ? [] : [[name, member] as const]
    })
  }

  /** The part that a Reference Object leads to, the part itself where it is none; undefined where nothing is there. */
  follow(part: Part): Part | undefined {
    let here = part
    let beside: JsonObject = {}
    const seen = new Set<unknown>()
    while (isJsonObject(here.value) && typeof here.value['$ref'] === 'string') {
      const { $ref: reference, summary, description } = here.value
      const pointer = toPointer(reference)
      const target = pointer === undefined ? undefined : this.at(pointer)
      if (target === undefined || target.value === undefined || seen.has(target.value)) {
        this.limits.add(
          'reference',
          part.pointer,
          `The reference ${JSON.stringify(reference)} leads nowhere, or in a circle. What it stands for is left out.`,
        )
        return undefined
      }
      seen.add(target.value)
      // OpenAPI 3.1 lets a reference replace these two.
      beside = { ...(summary !== undefined && { summary }), ...(description !== undefined && { description }), ...beside }
      here = target
    }
    return Object.keys(beside).length > 0 && isJsonObject(here.value) ? { ...here, value: { ...here.value, ...beside } } : here
  }
}

/** A text; undefined for any other value, and for an empty one. */
export const toText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
