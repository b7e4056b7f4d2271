/** The constants of a written module: one for each definition of its schemas. */
import type { JsonSchema } from 'lapidary'
import { prefixCode, toCanonicalJson, write } from 'lapidary/internal'
import { getDefinitionName } from '../definitionNames.ts'
import { writeAlias, writeMembers } from './writeType.ts'
import { ZodWriter } from './writeZod.ts'

/** A definition, and the document that its references start from. */
interface Known {
  readonly name: string
  readonly schema: JsonSchema
  readonly root: JsonSchema
  isPending: boolean
  /** Whether it contains itself: it is referred to before it has its value. */
  isCircular: boolean
}

/** The texts of definitions, and the names that they refer to: each is compared with many. */
const texts = new WeakMap<JsonSchema, string>()
const references = new WeakMap<JsonSchema, readonly string[]>()

function getText(schema: JsonSchema): string {
  const text = texts.get(schema) ?? toCanonicalJson(schema) ?? ''
  texts.set(schema, text)
  return text
}

/** The definitions that a schema refers to. */
function listReferences(schema: JsonSchema): readonly string[] {
  const known = references.get(schema)
  if (known !== undefined) return known
  const found = [...getText(schema).matchAll(/"\$ref":"(#\/\$defs\/[^"]+)"/g)].map(([, reference = '']) => getDefinitionName(reference))
  references.set(schema, found)
  return found
}

/** Whether two definitions are equal, with those that they refer to. */
function isSameDefinition(
  one: JsonSchema,
  oneRoot: JsonSchema,
  other: JsonSchema,
  otherRoot: JsonSchema,
  seen = new Set<JsonSchema>(),
): boolean {
  if (one === other || seen.has(one)) return true
  if (getText(one) !== getText(other)) return false
  seen.add(one)
  return listReferences(one).every((name) => {
    const [first, second] = [oneRoot.$defs?.[name], otherRoot.$defs?.[name]]
    return first !== undefined && second !== undefined && isSameDefinition(first, oneRoot, second, otherRoot, seen)
  })
}

const toPascalCase = (text: string): string =>
  (text.match(/[A-Za-z0-9]+/g) ?? ['Schema']).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')

/** Writes the definitions of a module, each before those that use it. */
export class DefinitionWriter {
  private readonly known = new Map<JsonSchema, Known>()
  /** The same by their texts. */
  private readonly byText = new Map<string, Known[]>()
  private readonly taken: Set<string>
  /** The constants, in the order of their values. */
  readonly constants: string[] = []
  /** What the name of a schema ends with, if requests and responses have it in two forms. */
  suffix: 'Input' | 'Output' = 'Input'

  /** @param taken names that the module has besides */
  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken)
  }

  private findName(name: string): string {
    const pascal = toPascalCase(name)
    const wanted = /^[0-9]/.test(pascal) || pascal in globalThis ? `${pascal.replace(/^(?=[0-9])/, '_')}Schema` : pascal
    return this.takeName(this.taken.has(wanted) ? wanted + this.suffix : wanted, wanted)
  }

  /** Takes a name for a constant: the wanted one, or one with a number. */
  takeName(wanted: string, stem: string = wanted): string {
    let free = wanted
    for (let index = 2; this.taken.has(free); index += 1) free = `${stem}${index}`
    this.taken.add(free)
    return free
  }

  readonly withoutType: Set<JsonSchema> = new Set<JsonSchema>()

  readonly listReferences: (schema: JsonSchema) => readonly string[] = listReferences

  readonly isPending = (name: string, root: JsonSchema): boolean => {
    const schema = root.$defs?.[name]
    return schema !== undefined && this.known.get(schema)?.isPending === true
  }

  readonly refer = (name: string, root: JsonSchema): Known => this.define(name, root.$defs?.[name] ?? {}, root)

  /** The constant of a definition, which is written where it is first met. */
  define(name: string, schema: JsonSchema, root: JsonSchema): Known {
    const text = getText(schema)
    const alike = this.byText.get(text) ?? []
    const found = this.known.get(schema) ?? alike.find((one) => isSameDefinition(schema, root, one.schema, one.root))
    if (found !== undefined) {
      found.isCircular ||= found.isPending
      this.known.set(schema, found)
      return found
    }
    const known: Known = { name: this.findName(name), schema, root, isPending: true, isCircular: false }
    this.known.set(schema, known)
    this.byText.set(text, [...alike, known])
    // Its default stands where a member that can be left out refers to it.
    const code = this.writer(root).write(schema, true)
    known.isPending = false
    const type = known.isCircular ? `: z.ZodType<${known.name}, ${known.name}>` : ''
    const constant = write(prefixCode(`export const ${known.name}${type} = `, code))
    this.constants.push(known.isCircular ? `${this.writeType(known)}\n\n${constant}` : constant)
    return known
  }

  /** The type of a definition that contains itself: TypeScript infers none of its constant in every case. */
  private writeType({ name, schema, root }: Known): string {
    const nameType = (definition: string): string => {
      const found = this.define(definition, root.$defs?.[definition] ?? {}, root)
      return found.isCircular ? found.name : `z.input<typeof ${found.name}>`
    }
    if (this.isOwnAlternative(schema, root)) return `export type ${name} = unknown`
    const isPlain =
      schema.type === 'object' && Object.keys(schema).every((keyword) => !/^(?:allOf|anyOf|oneOf|\$ref|enum|const)$/.test(keyword))
    const members = isPlain ? writeMembers(schema, nameType) : undefined
    return members === undefined ? writeAlias(name, schema, nameType) : `export interface ${name} ${members}`
  }

  /** Whether a value of a schema is one of the same schema at once: `anyOf` of itself and a text. No type says that. */
  private isOwnAlternative(schema: JsonSchema, root: JsonSchema, open: readonly JsonSchema[] = []): boolean {
    if (open.includes(schema)) return true
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema
    const referred = $ref === undefined ? undefined : root.$defs?.[getDefinitionName($ref)]
    const next = [...(referred === undefined ? [] : [referred]), ...allOf, ...anyOf, ...oneOf]
    return next.some((one) => this.isOwnAlternative(one, root, [...open, schema]))
  }

  /** Writes the schemas of one document. */
  writer(root: JsonSchema): ZodWriter {
    return new ZodWriter(this, root)
  }
}
