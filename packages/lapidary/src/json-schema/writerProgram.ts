/**
 * Generates the program of a schema: source code that tests each value and writes its text, or copies what is declared of it for
 * `JSON.stringify`. An engine compiles code for one form of values to faster machine code than code for all schemas. From the schema, which
 * the developer wrote, the code contains names and constants alone, as literals.
 */

import { type JsonSchema, neverSchema } from './jsonSchema.ts'
import { parseSchema, type SchemaNode, splitTypes } from './schemaNode.ts'
import { hasSchemaType } from './validator.ts'
import { createResponseWriter, isComposed, jsonEscapePattern, writeDefault } from './writer.ts'

/** A part of a text: a constant, or an expression. */
type TextPart = string | { readonly expression: string }

/**
 * How a value becomes text: statements that test it, and fail if it does not have the expected form; then the parts of its text. In a program
 * that copies, the one part is the copy.
 */
interface ValueCode {
  readonly check: string
  readonly text: readonly TextPart[]
}

/** A value as a literal of source code. */
const toLiteral = (value: unknown): string => JSON.stringify(value)

const failUnless = (condition: string): string => `if (!(${condition})) throw mismatch\n`

const joinOr = (tests: readonly string[]): string => tests.map((test) => `(${test})`).join(' || ')

/** Tests by the types of JSON Schema that have no parts. @param value an expression without side effects: a test may repeat it */
const scalarTests: ReadonlyMap<string, (value: string) => string> = new Map([
  ['string', (value: string) => `typeof ${value} === 'string'`],
  ['integer', (value: string) => `Number.isSafeInteger(${value})`],
  ['number', (value: string) => `typeof ${value} === 'number' && Number.isFinite(${value})`],
  ['boolean', (value: string) => `typeof ${value} === 'boolean'`],
  ['null', (value: string) => `${value} === null`],
])

/** A program while it is generated. */
class WriterProgram {
  /** Whether it makes copies of values rather than their texts. */
  readonly isCopying: boolean
  readonly functions: string[] = []
  /** The values that the program uses as `constants[0]`, `constants[1]`, … */
  readonly constants: unknown[] = []
  /** Whether it has a part that only the general writer writes. */
  usesGeneralWriter = false
  /** Schemas that are being generated. */
  private readonly open = new Set<JsonSchema>()
  private readonly functionNames = new Map<JsonSchema, string>()
  private nameCount = 0

  constructor(isCopying: boolean) {
    this.isCopying = isCopying
  }

  /** Creates a name that nothing else in the program has. */
  createName(): string {
    this.nameCount += 1
    return `v${this.nameCount}`
  }

  /** Adds a value that has no literal. @returns the expression for it */
  addConstant(value: unknown): string {
    return `constants[${this.constants.push(value) - 1}]`
  }

  /** The expression of a value's text, or of its copy: a constant text is JSON, and so a literal. */
  toExpression({ text }: Pick<ValueCode, 'text'>): string {
    const [first = 'undefined'] = text
    if (!this.isCopying) return joinParts(text)
    return typeof first === 'string' ? first : first.expression
  }

  /** The body of a function, from the code of its value. */
  toBody(code: ValueCode): string {
    return `${code.check}return ${this.toExpression(code)}`
  }

  /** Calls the function of a schema. A schema that contains itself calls its own function. */
  callFunction(node: SchemaNode, value: string, generateBody: (value: string) => string): ValueCode {
    const { schema } = node
    let name = this.functionNames.get(schema)
    if (name === undefined) {
      const [own, inner] = [this.createName(), this.createName()]
      this.functionNames.set(schema, own)
      this.functions.push(`const ${own} = (${inner}) => {\n${generateBody(inner)}\n}`)
      name = own
    }
    return { check: '', text: [{ expression: `${name}(${value})` }] }
  }

  /** Generates what has no function of its own, and leaves it to the general writer within itself. */
  generateInline(node: SchemaNode, value: string, generate: () => ValueCode): ValueCode {
    if (this.open.has(node.schema)) return this.callGeneralWriter(node, value)
    this.open.add(node.schema)
    const code = generate()
    this.open.delete(node.schema)
    return code
  }

  /** Calls the general writer of a part of the schema. */
  callGeneralWriter({ raw, root }: SchemaNode, value: string): ValueCode {
    this.usesGeneralWriter = true
    return { check: '', text: [{ expression: `${this.addConstant(createResponseWriter(raw, root))}(${value})` }] }
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

/** A value of one of these types, which have no parts; undefined where one of them has. */
function generateScalarCode(types: readonly string[], value: string, program: WriterProgram): ValueCode | undefined {
  const tests = types.map((type) => scalarTests.get(type)?.(value))
  if (tests.length === 0 || !tests.every((test) => test !== undefined)) return undefined
  const check = failUnless(joinOr(tests))
  if (program.isCopying) return { check, text: [{ expression: value }] }
  if (!types.includes('string')) return { check, text: [types.every((type) => type === 'null') ? 'null' : { expression: value }] }
  const text = program.createName()
  const escaped = `escapePattern.test(${value}) ? JSON.stringify(${value}).slice(1, -1) : ${value}`
  if (types.length === 1) return { check: `${check}const ${text} = ${escaped}\n`, text: ['"', { expression: text }, '"'] }
  const quoted = `typeof ${value} === 'string' ? '"' + (${escaped}) + '"' : ${value}`
  return { check: `${check}const ${text} = ${quoted}\n`, text: [{ expression: text }] }
}

/** A closed set of scalars, each written beforehand. */
function generateEnumCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const values = (node.values ?? []).filter((one) => hasSchemaType(node, one))
  const check = failUnless(joinOr(values.map((one) => `${value} === ${toLiteral(one)}`)) || 'false')
  if (values.length === 1) return { check, text: [toLiteral(values[0])] }
  if (program.isCopying) return { check, text: [{ expression: value }] }
  const text = program.createName()
  const texts = program.addConstant(new Map(values.map((one) => [one, toLiteral(one)])))
  return { check: `const ${text} = ${texts}.get(${value})\n${failUnless(`${text} !== undefined`)}`, text: [{ expression: text }] }
}

/** Null, or a value of another schema. */
function generateNullableCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const [text, code] = [program.createName(), generateCode(node, value, program)]
  const nothing = program.toExpression({ text: ['null'] })
  const check = `let ${text} = ${nothing}\nif (${value} !== null) {\n${code.check}${text} = ${program.toExpression(code)}\n}\n`
  return { check, text: [{ expression: text }] }
}

/** The body of a function that writes or copies an array item by item. */
function generateArrayBody(items: SchemaNode, value: string, program: WriterProgram): string {
  const item = program.createName()
  const code = generateCode(items, item, program)
  const { text } = code
  // One constant holds the comma and the constant text that the item begins with.
  const [first = '', ...rest] = text
  const [firstBegin, nextBegin] = typeof first === 'string' ? [first, `,${first}`] : ['', ',']
  const begin = { expression: `(index === 0 ? ${toLiteral(firstBegin)} : ${toLiteral(nextBegin)})` }
  const [start, add, result] = program.isCopying
    ? ['const copy = []', `copy.push(${program.toExpression(code)})`, 'copy']
    : ["let text = '['", `text += ${joinParts([begin, ...(typeof first === 'string' ? rest : text)])}`, "text + ']'"]
  return `${failUnless(`Array.isArray(${value})`)}${start}
    for (let index = 0; index < ${value}.length; index += 1) {
      const ${item} = ${value}[index]
      ${code.check}${add}
    }
    return ${result}`
}

/** An array whose items are declared one by one, each of them present. */
function generateTupleCode(items: readonly SchemaNode[], value: string, program: WriterProgram): ValueCode {
  let check = failUnless(`Array.isArray(${value}) && ${value}.length === ${items.length}`)
  const text: TextPart[] = ['[']
  const copies: string[] = []
  items.forEach((node, index) => {
    const item = program.createName()
    const inner = generateCode(node, item, program)
    check += `const ${item} = ${value}[${index}]\n${inner.check}`
    text.push(index === 0 ? '' : ',', ...inner.text)
    copies.push(program.toExpression(inner))
  })
  return { check, text: program.isCopying ? [{ expression: `[${copies.join(', ')}]` }] : [...text, ']'] }
}

/** A member of an object literal. `"__proto__": value` would set the prototype. */
const toMember = (name: string, value: string): string => `${name === '__proto__' ? '["__proto__"]' : toLiteral(name)}: ${value}`

/**
 * An object of declared members. One that is absent is written as its default. Without one it is undefined in a copy, which
 * `JSON.stringify` leaves out. In a text, members before the first required one have their comma after them, members after it before them; where
 * none is required, the first comma is cut off.
 */
function generateObjectCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const { required, rest, properties } = node.parts
  const members = [...properties]
  if ((rest !== undefined && rest.schema !== neverSchema) || members.length === 0) return program.callGeneralWriter(node, value)
  const middle = members.findIndex(([name]) => required.includes(name))
  let check = failUnless(`typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`)
  const text: TextPart[] = []
  const copies: string[] = []
  members.forEach(([name, part], index) => {
    const member = program.createName()
    const inner = generateCode(part, member, program)
    const key = `${toLiteral(name)}:`
    check += `const ${member} = ${value}[${toLiteral(name)}]\n`
    if (required.includes(name)) {
      check += inner.check
      text.push(index > middle ? `,${key}` : key, ...inner.text)
      copies.push(toMember(name, program.toExpression(inner)))
      return
    }
    const optional = program.createName()
    const addComma = (text: readonly TextPart[]): readonly TextPart[] => (index < middle ? [key, ...text, ','] : [`,${key}`, ...text])
    // Names that `propertyNames` lists are those that may be there.
    const filled = Object.hasOwn(node.schema.properties ?? {}, name) ? writeDefault(part) : undefined
    const [absent, present] = program.isCopying
      ? [filled === undefined ? 'undefined' : program.addConstant(JSON.parse(filled)), program.toExpression(inner)]
      : [filled === undefined ? "''" : joinParts(addComma([filled])), joinParts(addComma(inner.text))]
    // An inherited property is no member.
    check += `let ${optional} = ${absent}
      if (${member} !== undefined && Object.hasOwn(${value}, ${toLiteral(name)})) {\n${inner.check}${optional} = ${present}\n}\n`
    text.push({ expression: optional })
    copies.push(toMember(name, optional))
  })
  if (program.isCopying) return { check, text: [{ expression: `({ ${copies.join(', ')} })` }] }
  return { check, text: ['{', ...(middle < 0 ? [{ expression: `(${joinParts(text)}).slice(1)` }] : text), '}'] }
}

/** An object or array: inline where it is described, by a function of its own where a reference leads to it. */
function generateCompoundCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const { raw, schema, parts } = node
  const { items } = parts
  if (schema.type !== 'array') {
    if (raw === schema) return generateObjectCode(node, value, program)
    return program.callFunction(node, value, (inner) => program.toBody(generateObjectCode(node, inner, program)))
  }
  if (schema.prefixItems !== undefined)
    return program.generateInline(node, value, () => generateTupleCode(parts.prefixItems, value, program))
  if (items === undefined || typeof schema.items !== 'object') return program.callGeneralWriter(node, value)
  return program.callFunction(node, value, (inner) => generateArrayBody(items, inner, program))
}

/** Only the general writer knows which of several objects a value is, and writes by several schemas at once. */
function generateUnionCode(node: SchemaNode, branches: readonly SchemaNode[], value: string, program: WriterProgram): ValueCode {
  const isScalar = branches.every((branch) => branch.types.length === 1 && branch.values === undefined && !isComposed(branch))
  const scalar = isScalar ? generateScalarCode([...new Set(branches.flatMap(({ types }) => types))], value, program) : undefined
  if (scalar !== undefined) return scalar
  const [other, ...others] = branches.filter(({ raw }) => raw.type !== 'null')
  if (branches.length !== 2 || other === undefined || others.length > 0) return program.callGeneralWriter(node, value)
  return program.generateInline(node, value, () => generateNullableCode(other, value, program))
}

function generateCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const { schema, parts, values, types } = node
  if (isComposed(node)) return program.callGeneralWriter(node, value)
  const branches = parts.branches ?? (types.length > 1 && values === undefined ? splitTypes(node) : undefined)
  if (branches !== undefined) return generateUnionCode(node, branches, value, program)
  if (values?.every((one) => typeof one !== 'object' || one === null)) return generateEnumCode(node, value, program)
  if (values !== undefined) return program.callGeneralWriter(node, value)
  const [type = ''] = types
  if (type === 'array' || type === 'object' || schema.properties !== undefined) return generateCompoundCode(node, value, program)
  return generateScalarCode(types, value, program) ?? program.callGeneralWriter(node, value)
}

/** Thrown by a program that meets a value of another form. */
const programMismatch = Object.freeze({})

/**
 * Evaluates the program of a schema; undefined where the runtime forbids code from text (a Content-Security-Policy, some workers).
 *
 * @param program a new one
 */
function evaluateProgram(program: WriterProgram, schema: JsonSchema, root: JsonSchema): unknown {
  const body = program.toBody(generateCode(parseSchema(schema, root), 'value', program))
  if (program.isCopying && program.usesGeneralWriter) return undefined
  const names = { constants: program.constants, escapePattern: jsonEscapePattern, mismatch: programMismatch }
  try {
    const source = `'use strict'\n${program.functions.join('\n')}\nreturn (value) => {\n${body}\n}`
    return new Function(...Object.keys(names), source)(...Object.values(names))
  } catch {
    return undefined
  }
}

/** The program that writes a schema's values; it throws on one that only the general writer can write or refuse. Undefined where code from text is forbidden. */
export const compileProgram = (schema: JsonSchema, root: JsonSchema): ((value: unknown) => string) | undefined =>
  evaluateProgram(new WriterProgram(false), schema, root) as ((value: unknown) => string) | undefined

/**
 * The program that copies what a schema declares of a value, for `JSON.stringify`. It throws as `compileProgram` does; undefined also where
 * only the general writer knows what is declared.
 */
export const compileCopier = (schema: JsonSchema, root: JsonSchema): ((value: unknown) => unknown) | undefined =>
  evaluateProgram(new WriterProgram(true), schema, root) as ((value: unknown) => unknown) | undefined
