/** The constants of a written module: one for each definition of its schemas. */
import type { JsonSchema } from 'lapidary'
import { prefixCode, toCanonicalJson, write } from 'lapidary/internal'
import { ZodWriter } from './writeZod.ts'

/** A definition, and the document that its references start from. */
interface Known {
  readonly name: string
  readonly schema: JsonSchema
  readonly root: JsonSchema
  isPending: boolean
}

const listReferences = (schema: JsonSchema): readonly string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name = '']) => decodeURIComponent(name))

/** Whether two definitions are equal, with those that they refer to. */
function isSameDefinition(
  one: JsonSchema,
  oneRoot: JsonSchema,
  other: JsonSchema,
  otherRoot: JsonSchema,
  seen = new Set<JsonSchema>(),
): boolean {
  if (one === other || seen.has(one)) return true
  if (toCanonicalJson(one) !== toCanonicalJson(other)) return false
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
    let free = wanted
    for (let index = 2; this.taken.has(free); index += 1) free = index === 2 ? wanted + this.suffix : `${wanted}${index}`
    this.taken.add(free)
    return free
  }

  readonly isPending = (name: string, root: JsonSchema): boolean => {
    const schema = root.$defs?.[name]
    return schema !== undefined && this.known.get(schema)?.isPending === true
  }

  readonly refer = (name: string, root: JsonSchema): Known => this.define(name, root.$defs?.[name] ?? {}, root)

  /** The constant of a definition, which is written where it is first met. */
  define(name: string, schema: JsonSchema, root: JsonSchema): Known {
    const found = this.known.get(schema) ?? [...this.known.values()].find((one) => isSameDefinition(schema, root, one.schema, one.root))
    if (found !== undefined) {
      this.known.set(schema, found)
      return found
    }
    const known: Known = { name: this.findName(name), schema, root, isPending: true }
    this.known.set(schema, known)
    const code = this.writer(root).write(schema)
    known.isPending = false
    const text = write(prefixCode(`export const ${known.name} = `, code))
    // TypeScript infers no type of a schema that is its own alternative.
    const isCircular = text.includes(`z.lazy(() => ${known.name})`) || /z\.lazy\(/.test(text)
    this.constants.push(isCircular ? text.replace(`export const ${known.name} = `, `export const ${known.name}: z.ZodType = `) : text)
    return known
  }

  /** Writes the schemas of one document. */
  writer(root: JsonSchema): ZodWriter {
    return new ZodWriter(this, root)
  }
}
