/**
 * Generates the program of a schema: source code that tests each value and writes its text, or only tests whether `JSON.stringify` would write
 * the same. An engine compiles code for one form of values to faster machine code than code for all schemas. From the schema, which the
 * developer wrote, the code contains names and constants alone, as literals.
 */
import { hasSchemaType } from './fit.ts'
import { type JsonSchema, neverSchema } from './jsonSchema.ts'
import { parseSchema, type SchemaNode, splitTypes } from './schemaNode.ts'
import { createWriter, isComposed, jsonEscapePattern } from './writer.ts'

/** A part of a text: a constant, or an expression. */
type TextPart = string | { readonly expression: string }

/** How a value becomes text: statements that test it, and fail if it does not have the expected form; then the parts of its text. */
interface ValueCode {
  readonly check: string
  readonly text: readonly TextPart[]
}

/** A value as a literal of source code. */
const toLiteral = (value: unknown): string => JSON.stringify(value)

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
  /** Whether it only tests that a value has what its schema declares, in that order, and nothing else. Its code then has no text. */
  readonly isTest: boolean
  readonly functions: string[] = []
  /** The values that the program uses as `constants[0]`, `constants[1]`, … */
  readonly constants: unknown[] = []
  /** Whether it has a part that only the general writer writes. */
  usesGeneralWriter = false
  /** Schemas that are being generated. */
  private readonly open = new Set<JsonSchema>()
  private readonly functionNames = new Map<JsonSchema, string>()
  private nameCount = 0

  constructor(isTest: boolean) {
    this.isTest = isTest
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

  failUnless(condition: string): string {
    return `if (!(${condition})) ${this.isTest ? 'return false' : 'throw mismatch'}\n`
  }

  /** The statement that keeps a text; none in a test. */
  keepText(statement: string): string {
    return this.isTest ? '' : statement
  }

  /** The body of a function, from the code of its value. */
  toBody({ check, text }: ValueCode): string {
    return `${check}return ${this.isTest ? 'true' : joinParts(text)}`
  }

  /** Calls the function of a schema. A schema that contains itself calls its own function. */
  callFunction(node: SchemaNode, value: string, generateBody: (value: string) => string): ValueCode {
    const { schema } = node
    let name = this.functionNames.get(schema)
    // A test leaves it to the general writer: its value may have any depth.
    if (name !== undefined && this.isTest && this.open.has(schema)) return this.callGeneralWriter(node, value)
    if (name === undefined) {
      const [own, inner] = [this.createName(), this.createName()]
      this.functionNames.set(schema, own)
      this.open.add(schema)
      this.functions.push(`const ${own} = (${inner}) => {\n${generateBody(inner)}\n}`)
      this.open.delete(schema)
      name = own
    }
    const call = `${name}(${value})`
    return this.isTest ? { check: this.failUnless(call), text: [] } : { check: '', text: [{ expression: call }] }
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
    return { check: '', text: this.isTest ? [] : [{ expression: `${this.addConstant(createWriter(raw, root))}(${value})` }] }
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
  const check = program.failUnless(joinOr(tests))
  if (!types.includes('string')) return { check, text: [types.every((type) => type === 'null') ? 'null' : { expression: value }] }
  const text = program.createName()
  const escaped = `escapePattern.test(${value}) ? JSON.stringify(${value}).slice(1, -1) : ${value}`
  if (types.length === 1) return { check: check + program.keepText(`const ${text} = ${escaped}\n`), text: ['"', { expression: text }, '"'] }
  const quoted = `typeof ${value} === 'string' ? '"' + (${escaped}) + '"' : ${value}`
  return { check: check + program.keepText(`const ${text} = ${quoted}\n`), text: [{ expression: text }] }
}

/** A closed set of scalars, each written beforehand. */
function generateEnumCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const values = (node.values ?? []).filter((one) => hasSchemaType(node, one))
  const isOneOf = joinOr(values.map((one) => `${value} === ${toLiteral(one)}`)) || 'false'
  if (program.isTest || values.length === 1) return { check: program.failUnless(isOneOf), text: [toLiteral(values[0])] }
  const text = program.createName()
  const texts = program.addConstant(new Map(values.map((one) => [one, toLiteral(one)])))
  return { check: `const ${text} = ${texts}.get(${value})\n${program.failUnless(`${text} !== undefined`)}`, text: [{ expression: text }] }
}

/** Null, or a value of another schema. */
function generateNullableCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const [text, { check, text: parts }] = [program.createName(), generateCode(node, value, program)]
  const [begin, end] = [program.keepText(`let ${text} = 'null'\n`), program.keepText(`${text} = ${joinParts(parts)}\n`)]
  return { check: `${begin}if (${value} !== null) {\n${check}${end}}\n`, text: [{ expression: text }] }
}

/** An array of another prototype may have a `toJSON`, and any array may have one of its own. */
const isArrayCode = (value: string, { isTest }: WriterProgram): string =>
  `Array.isArray(${value})${isTest ? ` && Object.getPrototypeOf(${value}) === Array.prototype && !('toJSON' in ${value})` : ''}`

/** The body of a function that writes an array item by item. */
function generateArrayBody(items: SchemaNode, value: string, program: WriterProgram): string {
  const item = program.createName()
  const { check, text } = generateCode(items, item, program)
  // One constant holds the comma and the constant text that the item begins with.
  const [first = '', ...rest] = text
  const [firstBegin, nextBegin] = typeof first === 'string' ? [first, `,${first}`] : ['', ',']
  const begin = { expression: `(index === 0 ? ${toLiteral(firstBegin)} : ${toLiteral(nextBegin)})` }
  return `${program.failUnless(isArrayCode(value, program))}${program.keepText("let text = '['\n")}
    for (let index = 0; index < ${value}.length; index += 1) {
      const ${item} = ${value}[index]
      ${check}${program.keepText(`text += ${joinParts([begin, ...(typeof first === 'string' ? rest : text)])}`)}
    }
    return ${program.isTest ? 'true' : "text + ']'"}`
}

/** An array whose items are declared one by one, each of them present. */
function generateTupleCode(items: readonly SchemaNode[], value: string, program: WriterProgram): ValueCode {
  let check = program.failUnless(`${isArrayCode(value, program)} && ${value}.length === ${items.length}`)
  const text: TextPart[] = ['[']
  items.forEach((node, index) => {
    const item = program.createName()
    const inner = generateCode(node, item, program)
    check += `const ${item} = ${value}[${index}]\n${inner.check}`
    text.push(index === 0 ? '' : ',', ...inner.text)
  })
  return { check, text: [...text, ']'] }
}

/**
 * Tests that an object has the declared members in their order, and no others. An object of another prototype may have a `toJSON`, or members
 * that are not its own.
 */
function generateOrderCheck(names: readonly string[], required: readonly string[], value: string, program: WriterProgram): string {
  const [next, name, declared] = [program.createName(), program.createName(), program.addConstant(names)]
  const isRequired = program.addConstant(names.map((one) => required.includes(one)))
  const skip = `while (${name} !== ${declared}[${next}]) { if (${next} === ${names.length} || ${isRequired}[${next}]) return false; ${next} += 1 }`
  const isFixed = names.every((one) => required.includes(one))
  return `${program.failUnless(`Object.getPrototypeOf(${value}) === Object.prototype`)}let ${next} = 0
    for (const ${name} in ${value}) { ${isFixed ? `if (${name} !== ${declared}[${next}]) return false` : skip}; ${next} += 1 }\n`
}

/**
 * An object of declared members. Members before the first required one have their comma behind them, members after it before them; where
 * none is required, the first comma is cut off.
 */
function generateObjectCode(node: SchemaNode, value: string, program: WriterProgram): ValueCode {
  const { required, rest, properties } = node.parts
  const members = [...properties]
  if ((rest !== undefined && rest.schema !== neverSchema) || members.length === 0) return program.callGeneralWriter(node, value)
  const middle = members.findIndex(([name]) => required.includes(name))
  let check = program.failUnless(`typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`)
  if (program.isTest) check += generateOrderCheck([...properties.keys()], required, value, program)
  const text: TextPart[] = []
  members.forEach(([name, part], index) => {
    const member = program.createName()
    const inner = generateCode(part, member, program)
    const key = `${toLiteral(name)}:`
    check += `const ${member} = ${value}[${toLiteral(name)}]\n`
    if (required.includes(name)) {
      check += inner.check
      text.push(index > middle ? `,${key}` : key, ...inner.text)
      return
    }
    const optional = program.createName()
    const joined = joinParts(index < middle ? [key, ...inner.text, ','] : [`,${key}`, ...inner.text])
    const [begin, end] = [program.keepText(`let ${optional} = ''\n`), program.keepText(`${optional} = ${joined}\n`)]
    // An inherited property is no member.
    check += `${begin}if (${member} !== undefined && Object.hasOwn(${value}, ${toLiteral(name)})) {\n${inner.check}${end}}\n`
    text.push({ expression: optional })
  })
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
  if (program.isTest && program.usesGeneralWriter) return undefined
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

/** The test for values that `JSON.stringify` writes as the writer of their schema would; undefined where there is none. */
export const compileExactTest = (schema: JsonSchema, root: JsonSchema): ((value: unknown) => boolean) | undefined =>
  evaluateProgram(new WriterProgram(true), schema, root) as ((value: unknown) => boolean) | undefined
