/**
 * Compiles the writer of a schema to a program: one pass tests each value and writes its text, and the text between two values is one
 * constant. A value that does not have the expected form is left to the general writer.
 */
import { type CodeTest, compileExactTest, evaluateSource, scalarTests, toLiteral } from './exactTest.ts'
import { type JsonSchema, neverSchema } from './jsonSchema.ts'
import { parseSchema, type SchemaNode, splitTypes } from './schemaNode.ts'
import { createWriter, isComposed, type JsonWriter, jsonEscapePattern } from './writer.ts'

/** A part of a text: a constant, or an expression. */
type TextPart = string | { readonly expression: string }

/** How a value becomes text: statements that test it, and throw if it does not have the expected form; then the parts of its text. */
interface WriteCode {
  readonly check: string
  readonly text: readonly TextPart[]
}

/** A program while it is generated. */
class WriterProgram {
  readonly functions: string[] = []
  /** The values that the program uses as `constants[0]`, `constants[1]`, … */
  readonly constants: unknown[] = []
  /** Unions and tuples that are being generated inline: they cannot contain themselves there. */
  readonly open = new Set<JsonSchema>()
  private readonly functionNames = new Map<JsonSchema, string>()
  private nameCount = 0

  /** Creates a name that nothing else in the program has. */
  createName(): string {
    this.nameCount += 1
    return `v${this.nameCount}`
  }

  /** The name of the function that writes a schema. A schema that contains itself calls its own function. */
  addFunction(schema: JsonSchema, generateBody: (value: string) => string): string {
    const known = this.functionNames.get(schema)
    if (known !== undefined) return known
    const [name, value] = [this.createName(), this.createName()]
    this.functionNames.set(schema, name)
    this.functions.push(`const ${name} = (${value}) => {\n${generateBody(value)}\n}`)
    return name
  }

  /** Adds a value that has no literal. @returns the expression for it */
  addConstant(value: unknown): string {
    return `constants[${this.constants.push(value) - 1}]`
  }
}

/** Joins the parts of a text to one expression. Its first operand is a string, so that `+` concatenates. */
function joinParts([first = '', ...rest]: readonly TextPart[]): string {
  const joined: TextPart[] = []
  for (const part of typeof first === 'string' ? [first, ...rest] : ['', first, ...rest]) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined.splice(-1, 1, last + part)
    else joined.push(part)
  }
  return joined.map((part) => (typeof part === 'string' ? toLiteral(part) : part.expression)).join(' + ')
}

const throwUnless = (condition: string): string => `if (!(${condition})) throw mismatch\n`

type ScalarCode = (value: string, program: WriterProgram) => WriteCode

/** Code for a scalar that JSON writes as JavaScript does. */
const createScalarCode =
  (test: CodeTest): ScalarCode =>
  (value) => ({ check: throwUnless(test(value)), text: [{ expression: value }] })

const scalarCodes: Readonly<Record<string, ScalarCode>> = {
  string: (value, program) => {
    const text = program.createName()
    const escaping = `const ${text} = escapePattern.test(${value}) ? JSON.stringify(${value}).slice(1, -1) : ${value}\n`
    return { check: throwUnless(scalarTests.string(value)) + escaping, text: ['"', { expression: text }, '"'] }
  },
  integer: createScalarCode(scalarTests.integer),
  number: createScalarCode(scalarTests.number),
  boolean: createScalarCode(scalarTests.boolean),
  null: (value) => ({ check: throwUnless(scalarTests.null(value)), text: ['null'] }),
}

/** Calls the general writer of a part of the schema. */
function callGeneralWriter({ raw, root }: SchemaNode, value: string, program: WriterProgram): WriteCode {
  return { check: '', text: [{ expression: `${program.addConstant(createWriter(raw, root))}(${value})` }] }
}

/** A closed set of values, each written beforehand. */
function generateEnumCode(values: readonly unknown[], value: string, program: WriterProgram): WriteCode {
  const text = program.createName()
  const texts = program.addConstant(new Map(values.map((one) => [one, JSON.stringify(one)])))
  return { check: `const ${text} = ${texts}.get(${value})\n${throwUnless(`${text} !== undefined`)}`, text: [{ expression: text }] }
}

/** Null, or a value of another schema. */
function generateNullableCode(node: SchemaNode, value: string, program: WriterProgram): WriteCode {
  const [text, { check, text: parts }] = [program.createName(), generateCode(node, value, program)]
  return {
    check: `let ${text} = 'null'\nif (${value} !== null) {\n${check}${text} = ${joinParts(parts)}\n}\n`,
    text: [{ expression: text }],
  }
}

/** The body of a function that writes an array item by item. */
function generateArrayBody(items: SchemaNode, value: string, program: WriterProgram): string {
  const item = program.createName()
  const { check, text } = generateCode(items, item, program)
  // One constant holds the comma and the constant text that the item begins with.
  const [first = '', ...rest] = text
  const [firstBegin, nextBegin] = typeof first === 'string' ? [first, `,${first}`] : ['', ',']
  const begin = { expression: `(index === 0 ? ${toLiteral(firstBegin)} : ${toLiteral(nextBegin)})` }
  return `${throwUnless(`Array.isArray(${value})`)}let text = '['
    for (let index = 0; index < ${value}.length; index += 1) {
      const ${item} = ${value}[index]
      ${check}text += ${joinParts([begin, ...(typeof first === 'string' ? rest : text)])}
    }
    return text + ']'`
}

/** An array whose items are declared one by one, each of them present. */
function generateTupleCode(items: readonly SchemaNode[], value: string, program: WriterProgram): WriteCode {
  let check = throwUnless(`Array.isArray(${value}) && ${value}.length === ${items.length}`)
  const text: TextPart[] = []
  items.forEach((node, index) => {
    const item = program.createName()
    const inner = generateCode(node, item, program)
    check += `const ${item} = ${value}[${index}]\n${inner.check}`
    text.push(index === 0 ? '[' : ',', ...inner.text)
  })
  return { check, text: [...text, ']'] }
}

/**
 * An object of declared members; undefined where none of them is required. Members before the first required one have their comma behind
 * them, members after it before them.
 */
function generateObjectCode({ parts }: SchemaNode, value: string, program: WriterProgram): WriteCode | undefined {
  const { required, rest } = parts
  const members = [...parts.properties]
  const middle = members.findIndex(([name]) => required.includes(name))
  if ((rest !== undefined && rest.schema !== neverSchema) || middle < 0) return undefined
  let check = throwUnless(`typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`)
  const text: TextPart[] = ['{']
  members.forEach(([name, node], index) => {
    const member = program.createName()
    const inner = generateCode(node, member, program)
    const key = `${toLiteral(name)}:`
    check += `const ${member} = ${value}[${toLiteral(name)}]\n`
    if (required.includes(name)) {
      check += inner.check
      text.push(index > middle ? `,${key}` : key, ...inner.text)
      return
    }
    const part = program.createName()
    const joined = joinParts(index < middle ? [key, ...inner.text, ','] : [`,${key}`, ...inner.text])
    // An inherited property is no member.
    check += `let ${part} = ''\nif (${member} !== undefined && Object.hasOwn(${value}, ${toLiteral(name)})) {\n${inner.check}${part} = ${joined}\n}\n`
    text.push({ expression: part })
  })
  return { check, text: [...text, '}'] }
}

/** An object or array: inline where it is described, by a function of its own where a reference leads to it. */
function generateCompoundCode(node: SchemaNode, value: string, program: WriterProgram): WriteCode {
  const { raw, schema, parts } = node
  const callFunction = (generateBody: (inner: string) => string): WriteCode => ({
    check: '',
    text: [{ expression: `${program.addFunction(schema, generateBody)}(${value})` }],
  })
  const { items } = parts
  if (schema.type === 'array') {
    if (schema.prefixItems !== undefined)
      return (
        generateInline(node, program, () => generateTupleCode(parts.prefixItems, value, program)) ?? callGeneralWriter(node, value, program)
      )
    if (items === undefined || typeof schema.items !== 'object') return callGeneralWriter(node, value, program)
    return callFunction((inner) => generateArrayBody(items, inner, program))
  }
  if (raw === schema) return generateObjectCode(node, value, program) ?? callGeneralWriter(node, value, program)
  return callFunction((inner) => {
    const { check, text } = generateObjectCode(node, inner, program) ?? callGeneralWriter(node, inner, program)
    return `${check}return ${joinParts(text)}`
  })
}

/** Generates what has no function of its own; undefined within itself. */
function generateInline({ schema }: SchemaNode, { open }: WriterProgram, generate: () => WriteCode): WriteCode | undefined {
  if (open.has(schema)) return undefined
  open.add(schema)
  const code = generate()
  open.delete(schema)
  return code
}

/** The branch of a union beside null, where there is exactly one. */
function findNonNullBranch(branches: readonly SchemaNode[]): SchemaNode | undefined {
  const others = branches.filter(({ raw }) => raw.type !== 'null')
  return branches.length === 2 && others.length === 1 ? others[0] : undefined
}

/** Only the general writer knows which branch of a union a value has, and writes by several schemas at once. */
function generateCode(node: SchemaNode, value: string, program: WriterProgram): WriteCode {
  const { schema, parts, values, types } = node
  if (isComposed(node)) return callGeneralWriter(node, value, program)
  const branches = parts.branches ?? (types.length > 1 ? splitTypes(node) : undefined)
  if (branches !== undefined) {
    const other = findNonNullBranch(branches)
    const code = other && generateInline(node, program, () => generateNullableCode(other, value, program))
    return code ?? callGeneralWriter(node, value, program)
  }
  if (values?.every((one) => typeof one !== 'object' || one === null)) return generateEnumCode(values, value, program)
  if (values !== undefined) return callGeneralWriter(node, value, program)
  const [type = ''] = types
  if (type === 'array' || type === 'object' || schema.properties !== undefined) return generateCompoundCode(node, value, program)
  return scalarCodes[type]?.(value, program) ?? callGeneralWriter(node, value, program)
}

/** Thrown by a program that meets a value of another form. */
const programMismatch = Object.freeze({})

/**
 * The program that writes a schema; it throws on a value that only the general writer can write or refuse. Undefined where code from text
 * is forbidden.
 */
function compileProgram(schema: JsonSchema, root: JsonSchema): ((value: unknown) => string) | undefined {
  const program = new WriterProgram()
  const { check, text } = generateCode(parseSchema(schema, root), 'value', program)
  const source = `${program.functions.join('\n')}\nreturn (value) => {\n${check}return ${joinParts(text)}\n}`
  const names = { constants: program.constants, escapePattern: jsonEscapePattern, mismatch: programMismatch }
  return evaluateSource(source, names) as ((value: unknown) => string) | undefined
}

/** `program`: one program tests and writes. `stringify`: `JSON.stringify` writes, after a test that it would write the same. */
export type WriteStrategy = 'program' | 'stringify'

/** V8 finishes the program before its `JSON.stringify`. That of JavaScriptCore takes half the time of any program. */
const defaultWriteStrategy: WriteStrategy = 'Bun' in globalThis ? 'stringify' : 'program'

/** Compiles the writer of a schema's values as `createWriter` creates it: the same texts and errors, in less time. */
export function compileWriter(
  schema: JsonSchema,
  root: JsonSchema = schema,
  strategy: WriteStrategy = defaultWriteStrategy,
  write: JsonWriter = createWriter(schema, root),
): JsonWriter {
  if (strategy === 'stringify') {
    const isExact = compileExactTest(schema, root)
    return isExact === undefined ? write : (value) => (isExact(value) ? JSON.stringify(value) : write(value))
  }
  const program = compileProgram(schema, root)
  if (program === undefined) return write
  return (value) => {
    try {
      return program(value)
    } catch {
      return write(value)
    }
  }
}
