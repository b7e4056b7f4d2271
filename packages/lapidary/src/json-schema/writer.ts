/** Writes a value as JSON by its JSON Schema: declared members only, and never a value of the wrong type. Created once, called often. */
import { findDefault } from './defaults.ts'
import { findFirstIssue } from './invalidPlaces.ts'
import { annotationKeywords, isJsonObject, type JsonSchema, neverSchema } from './jsonSchema.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'
import { isListed, isRuledOut, typeTests, Validator } from './validator.ts'

/** Thrown for a value that does not have the form of its schema. One object is enough: `createWriter` catches it, and finds the place. */
const writeMismatch = new TypeError()

/** Writes a value as JSON text. */
export type JsonWriter = (value: unknown) => string

/** Creates the writer of a schema's values. @param root the document that the schema's references start from; by default the schema itself */
export type CreateJsonWriter = (schema: JsonSchema, root?: JsonSchema) => JsonWriter

/** What one call of a writer remembers of the unions that it chose branches of. */
class WriteWalk {
  private strictValidator: Validator | undefined
  private formValidator: Validator | undefined

  get strict(): Validator {
    this.strictValidator ??= new Validator(true, true)
    return this.strictValidator
  }

  get form(): Validator {
    this.formValidator ??= new Validator(false, true)
    return this.formValidator
  }
}

/** How values are written. */
interface WriteMode {
  /** Its writers, by the first of their schemas. */
  readonly trees: WeakMap<SchemaNode, WriterTree>
  /** Finds what is written for an absent member. Without it, the member stays absent. */
  readonly findDefault?: (nodes: readonly SchemaNode[]) => unknown
}

/** Writes a value of one schema. @param walk that of the union around it */
type PartWriter = (value: unknown, walk?: WriteWalk) => string

/** A control character, a quote, a backslash or half of a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these (RFC 8259 §7).
export const jsonEscapePattern: RegExp = /[\u0000-\u001f"\\\ud800-\udfff]/

const writeString: JsonWriter = (value) => {
  if (typeof value !== 'string') throw writeMismatch
  return jsonEscapePattern.test(value) ? JSON.stringify(value) : `"${value}"`
}

const writeAny: JsonWriter = (value) => {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw writeMismatch
  return text
}

/** Writes numbers, truth values and null, which JSON spells as JavaScript does. */
const createScalarWriter =
  (isRight: (value: unknown) => boolean): JsonWriter =>
  (value) => {
    if (!isRight(value)) throw writeMismatch
    return `${value}`
  }

/** Writes an array by all schemas that apply to it. */
function createArrayWriter(views: readonly SchemaNode[], mode: WriteMode): PartWriter {
  const places = Math.max(...views.map(({ parts }) => parts.prefixItems.length))
  const getItemWriter = (index: number): PartWriter =>
    getWriter(
      views.map((view) => view.item(index)).filter((node) => node !== undefined),
      mode,
    )
  const first = Array.from({ length: places }, (_, index) => getItemWriter(index))
  const rest = getItemWriter(places)
  const minLength = Math.max(...views.map(({ schema, parts }) => Math.min(schema.minItems ?? 0, parts.prefixItems.length)))
  return (value, walk) => {
    if (!Array.isArray(value) || value.length < minLength) throw writeMismatch
    if (value.length === 0) return '[]'
    let text = `[${(first[0] ?? rest)(value[0], walk)}`
    for (let index = 1; index < value.length; index += 1) text += `,${(first[index] ?? rest)(value[index], walk)}`
    return `${text}]`
  }
}

/** Writes an object whose schema says nothing of its members. */
const writeAnyObject: JsonWriter = (value) => {
  const text = isJsonObject(value) ? writeAny(value) : ''
  // A `toJSON` may make another value of it, as that of a Date does.
  if (!text.startsWith('{')) throw writeMismatch
  return text
}

/** Writes an object by all schemas that apply to it: a member that one of them declares is written, by each that declares it. */
function createObjectWriter(views: readonly SchemaNode[], mode: WriteMode): PartWriter {
  // A schema that says nothing allows every member. Beside one that declares members, `{ type: 'object' }` and `required` say nothing of others.
  const isOpen = views.some(isAnyNode) || !views.some(declaresMembers)
  /** What the schemas say of a member; undefined where none declares it. */
  function selectNodes(select: (view: SchemaNode) => readonly SchemaNode[]): readonly SchemaNode[] | undefined {
    const direct = views.flatMap(select)
    const allowed = isPlainList(views) ? direct : direct.filter(isAllowed)
    const nodes = allowed.length > 0 ? allowed : views.flatMap(listUnevaluated).filter(isAllowed)
    return nodes.length === 0 && !isOpen ? undefined : nodes
  }
  function selectWriter(select: (view: SchemaNode) => readonly SchemaNode[]): PartWriter | undefined {
    const nodes = selectNodes(select)
    return nodes && getWriter(nodes, mode)
  }
  const names = new Set(views.flatMap(({ parts }) => [...parts.properties.keys()]))
  const required = new Set(views.flatMap(({ parts }) => parts.required))
  const members = [...names].flatMap((name) => {
    const nodes = selectNodes((view) => view.members(name))
    if (nodes === undefined) return []
    const isRequired = required.has(name)
    // Names that `propertyNames` lists are those that may be there.
    const isDeclared = views.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, name))
    const absent = isDeclared && !isRequired ? mode.findDefault?.(nodes) : undefined
    return [{ name, prefix: `${JSON.stringify(name)}:`, write: getWriter(nodes, mode), isRequired, absent }]
  })
  /** The texts of defaults, each written when it is first needed: before, the writer of a schema that contains itself is not complete. */
  const defaults = new Map<string, string>()
  function writeAbsent(name: string, write: PartWriter, value: unknown): string {
    const text = defaults.get(name) ?? write(value)
    defaults.set(name, text)
    return text
  }
  const further = isPlainList(views) ? [] : [...required].filter((name) => !members.some((member) => member.name === name))
  // Members that a schema allows without naming them: `z.record`, `z.looseObject`.
  const rest = selectWriter(({ parts }) => (parts.rest === undefined ? [] : [parts.rest]).filter(isAllowed))
  const hasPatterns = views.some(({ parts }) => parts.patterns.length > 0)
  return (value, walk) => {
    if (!isJsonObject(value)) throw writeMismatch
    for (const name of further) if (!Object.hasOwn(value, name) || value[name] === undefined) throw writeMismatch
    let text = ''
    for (const { name, prefix, write, isRequired, absent } of members) {
      const member = value[name]
      if (member === undefined && isRequired) throw writeMismatch
      // An inherited property (`constructor`, say) is not a member.
      if (member === undefined || (!isRequired && !Object.hasOwn(value, name))) {
        if (absent !== undefined) text += (text === '' ? prefix : `,${prefix}`) + writeAbsent(name, write, absent)
        continue
      }
      text += (text === '' ? prefix : `,${prefix}`) + write(member, walk)
    }
    if (rest === undefined && !hasPatterns) return `{${text}}`
    for (const name of Object.keys(value)) {
      const member = value[name]
      const write = member === undefined || names.has(name) ? undefined : hasPatterns ? selectWriter((view) => view.members(name)) : rest
      if (write !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${write(member, walk)}`
    }
    return `{${text}}`
  }
}

/** Writes by schemas of which some name no type: what they say of members and items is about objects and arrays alone. */
function createAnyTypeWriter(views: readonly SchemaNode[], mode: WriteMode): PartWriter {
  const isPlain = isPlainList(views)
  const isObject = !isPlain || views.some((view) => declaresMembers(view) || view.parts.required.length > 0)
  const isArray = !isPlain || views.some(({ parts }) => parts.items !== undefined || parts.prefixItems.length > 0)
  const writeObject = isObject ? createObjectWriter(views, mode) : writeAny
  const writeArray = isArray ? createArrayWriter(views, mode) : writeAny
  if (writeObject === writeAny && writeArray === writeAny) return writeAny
  return (value, walk) => (Array.isArray(value) ? writeArray : isJsonObject(value) ? writeObject : writeAny)(value, walk)
}

/** A closed set of values, each written beforehand. */
function createEnumWriter(values: readonly unknown[]): JsonWriter {
  const texts = new Map(values.map((value) => [value, JSON.stringify(value)]))
  if (values.some((value) => typeof value === 'object' && value !== null)) {
    return (value) => {
      if (!isListed(values, value)) throw writeMismatch
      return writeAny(value)
    }
  }
  return (value) => {
    const text = texts.get(value)
    if (text === undefined) throw writeMismatch
    return text
  }
}

/** The first branch that the value fits, bounds included; else the first whose form it has. Its constants may decide before. */
function chooseBranch(branches: readonly SchemaNode[], value: unknown, { strict, form }: WriteWalk): SchemaNode {
  const possible = branches.filter((branch) => !isRuledOut(branch, value))
  const branch =
    possible.length < 2
      ? possible[0]
      : (possible.find((one) => strict.validate(one, value) !== 'no') ?? possible.find((one) => form.validate(one, value) !== 'no'))
  if (branch === undefined) throw writeMismatch
  return branch
}

/** Keywords that only the writer of several schemas at once reads. */
const composingKeywords = ['allOf', 'if', 'dependentSchemas', 'dependencies', 'not', 'unevaluatedProperties', 'patternProperties'] as const

const isDescribing = (keyword: string): boolean => annotationKeywords.has(keyword) || addressKeywords.has(keyword)
const addressKeywords: ReadonlySet<string> = new Set(['$schema', '$id', '$anchor', '$defs', 'definitions'])

/** Whether several schemas are about one value: the parts of a schema, or a union and the keywords beside it. */
export function isComposed({ schema, parts }: SchemaNode): boolean {
  if (composingKeywords.some((keyword) => schema[keyword] !== undefined)) return true
  const isUnionPart = (keyword: string): boolean => keyword === 'anyOf' || keyword === 'oneOf' || isDescribing(keyword)
  return parts.branches !== undefined && !Object.keys(schema).every(isUnionPart)
}

/** Adds a schema and its parts that apply to a value. @throws `writeMismatch` for a value of another form */
function addViews(node: SchemaNode, value: unknown, walk: WriteWalk, views: Map<JsonSchema, SchemaNode>): void {
  if (views.has(node.schema)) return
  if (node.schema === neverSchema || isRuledOut(node, value)) throw writeMismatch
  views.set(node.schema, node)
  const { schema, parts } = node
  const add = (part: unknown): void => addViews(node.parse(part as JsonSchema | boolean), value, walk, views)
  for (const part of parts.allOf) addViews(part, value, walk, views)
  if (parts.branches !== undefined) addViews(chooseBranch(parts.branches, value, walk), value, walk, views)
  const { if: condition, then: consequence = true, else: alternative = true, dependentSchemas, dependencies } = schema
  if (condition !== undefined) {
    const holds = walk.strict.validate(node.parse(condition as JsonSchema | boolean), value) !== 'no'
    if (holds) add(condition)
    add(holds ? consequence : alternative)
  }
  for (const [name, part] of Object.entries({ ...Object(dependencies), ...Object(dependentSchemas) } as object))
    if (isJsonObject(value) && Object.hasOwn(value, name) && !Array.isArray(part)) add(part)
}

const needsViews = (node: SchemaNode): boolean => node.types.length > 1 || node.parts.branches !== undefined || isComposed(node)

/** Whether a schema says which members its objects have. */
const declaresMembers = ({ schema }: SchemaNode): boolean =>
  (schema.properties ?? schema.patternProperties ?? schema.additionalProperties ?? schema.unevaluatedProperties) !== undefined

/** Whether only one schema applies to a value, and says all that it says directly. */
const isPlainList = (views: readonly SchemaNode[]): boolean => views.length === 1 && !views.some(needsViews)

const isAllowed = ({ schema }: SchemaNode): boolean => schema !== neverSchema
const isAnyNode = ({ schema }: SchemaNode): boolean => Object.keys(schema).every(isDescribing)
const listUnevaluated = ({ schema, root }: SchemaNode): readonly SchemaNode[] =>
  schema.unevaluatedProperties === undefined ? [] : [parseSchema(schema.unevaluatedProperties, root)]

/** The writers of the lists that begin with the same schemas. */
interface WriterTree {
  /** Writes by these schemas and their parts. */
  write?: PartWriter
  /** Writes by these schemas alone. */
  writeViews?: PartWriter
  readonly longer: Map<SchemaNode, WriterTree>
}

function findTree([first, ...others]: readonly [SchemaNode, ...SchemaNode[]], mode: WriteMode): WriterTree {
  let tree: WriterTree = mode.trees.get(first) ?? { longer: new Map() }
  mode.trees.set(first, tree)
  for (const node of others) {
    const longer: WriterTree = tree.longer.get(node) ?? { longer: new Map() }
    tree.longer.set(node, longer)
    tree = longer
  }
  return tree
}

/** The writer of a value that several schemas are about. A schema that contains itself finds its own writer. */
function getWriter(given: readonly SchemaNode[], mode: WriteMode): PartWriter {
  const [first, ...others] = given.length < 2 ? given : new Map(given.map((node) => [node.schema, node])).values()
  if (first === undefined) return writeAny
  const tree = findTree([first, ...others], mode)
  if (tree.write !== undefined) return tree.write
  // A schema that contains itself meets this writer, which calls the real one once that exists.
  let write: PartWriter = writeAny
  tree.write = (value, walk) => write(value, walk)
  write = isPlainList([first, ...others]) ? createPlainWriter(first, mode) : createChoosingWriter([first, ...others], mode)
  tree.write = write
  return write
}

/** Writes by the schemas that apply to the value at hand. */
const createChoosingWriter =
  (nodes: readonly SchemaNode[], mode: WriteMode): PartWriter =>
  (value, walk = new WriteWalk()) => {
    const found = new Map<JsonSchema, SchemaNode>()
    for (const node of nodes) addViews(node, value, walk, found)
    const views = [...found.values()] as [SchemaNode, ...SchemaNode[]]
    if (isPlainList(views)) return getWriter(views, mode)(value, walk)
    const tree = findTree(views, mode)
    tree.writeViews ??= createAnyTypeWriter(views, mode)
    return tree.writeViews(value, walk)
  }

function createPlainWriter(node: SchemaNode, mode: WriteMode): PartWriter {
  const { values, types, parts } = node
  if (values !== undefined) return createEnumWriter(values)
  const [type] = types
  if (type === 'string') return writeString
  if (type === 'object') return declaresMembers(node) || parts.required.length > 0 ? createObjectWriter([node], mode) : writeAnyObject
  if (type === 'array') return createArrayWriter([node], mode)
  if (type === undefined) return createAnyTypeWriter([node], mode)
  const isRight = typeTests[type]
  return isRight === undefined ? writeAny : createScalarWriter(isRight)
}

function createModeWriter(schema: JsonSchema, root: JsonSchema, mode: WriteMode): JsonWriter {
  const node = parseSchema(schema, root)
  const write = getWriter([node], mode)
  return (value) => {
    try {
      return write(value)
    } catch (error) {
      if (error !== writeMismatch) throw error
      const { pointer, detail } = findFirstIssue(node, value) ?? { pointer: '', detail: 'expected a value that JSON can hold' }
      throw new TypeError(pointer === '' ? detail : `at "${pointer}" ${detail}`)
    }
  }
}

const asGiven: WriteMode = { trees: new WeakMap() }

/**
 * Creates the writer of a schema's values, as they are given.
 *
 * @param root the document that the schema's references start from
 * @throws TypeError (when the writer runs) on a value of another form, naming the place: `at "/age" expected an integer, got a string`
 */
export const createWriter = (schema: JsonSchema, root: JsonSchema = schema): JsonWriter => createModeWriter(schema, root, asGiven)

const withDefaults: WriteMode = { trees: new WeakMap(), findDefault }

/** Creates the same writer for a server, which writes the default of a member that is absent: what has a default is in every response. */
export const createResponseWriter = (schema: JsonSchema, root: JsonSchema = schema): JsonWriter =>
  createModeWriter(schema, root, withDefaults)

/** The text of a member that is absent in a response; undefined where it has no default. */
export function writeDefault(node: SchemaNode): string | undefined {
  const value = findDefault([node])
  return value === undefined ? undefined : getWriter([node], withDefaults)(value)
}
