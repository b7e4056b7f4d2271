/**
 * Finds values that `JSON.stringify` writes exactly as the writer of their schema would. It is for engines whose `JSON.stringify` is faster
 * than any compiled program.
 */
import { type JsonSchema, neverSchema } from './jsonSchema.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'
import { isComposed } from './writer.ts'

// Source code is generated for each schema: an engine compiles code for one form of values to faster machine code than code for all schemas. From the
// schema, which the developer wrote, the code contains names and constants alone, as literals.

/** A value as a literal of source code. */
export const toLiteral = (value: unknown): string => JSON.stringify(value)

/** Creates the source code of a test. @param value an expression without side effects: the test may repeat it */
export type CodeTest = (value: string) => string

/** Tests by the types of JSON Schema that have no parts. */
export const scalarTests: Readonly<Record<'string' | 'integer' | 'number' | 'boolean' | 'null', CodeTest>> = Object.freeze({
  string: (value) => `typeof ${value} === 'string'`,
  integer: (value) => `Number.isSafeInteger(${value})`,
  number: (value) => `(typeof ${value} === 'number' && Number.isFinite(${value}))`,
  boolean: (value) => `typeof ${value} === 'boolean'`,
  null: (value) => `${value} === null`,
})

/**
 * Evaluates the body of a function that sees these names.
 *
 * @returns undefined where the runtime forbids code from text (a Content-Security-Policy, some workers)
 */
export function evaluateSource(source: string, names: Readonly<Record<string, unknown>> = {}): unknown {
  try {
    return new Function(...Object.keys(names), `'use strict'\n${source}`)(...Object.values(names))
  } catch {
    return undefined
  }
}

/** Whether a value has what its schema declares, in that order, and nothing else. */
type ExactTest = (value: unknown) => boolean

const scalarTestsByType: Readonly<Record<string, CodeTest>> = scalarTests

const joinAnd = (tests: readonly string[]): string => tests.map((test) => `(${test})`).join(' && ') || 'true'
const joinOr = (tests: readonly string[]): string => `(${tests.map((test) => `(${test})`).join(' || ')})`

/** The functions of a program, each of which tests arrays or objects. */
type TestFunctions = string[]

/** Adds a function of `value` to the program. @param constants declarations that the body needs */
function addTestFunction(functions: TestFunctions, body: string, constants = ''): CodeTest {
  const name = `test${functions.length}`
  functions.push(`const ${name} = (() => { ${constants}; return (value) => {\n${body}\n} })()`)
  return (value) => `${name}(${value})`
}

/** An array of another prototype may have a `toJSON`, and any array may have one of its own. */
const plainArrayCheck = `if (!Array.isArray(value) || Object.getPrototypeOf(value) !== Array.prototype || 'toJSON' in value) return false`

const createArrayTest = (item: CodeTest, functions: TestFunctions): CodeTest =>
  addTestFunction(
    functions,
    `${plainArrayCheck}
     for (let index = 0; index < value.length; index += 1) { const item = value[index]; if (!(${item('item')})) return false }
     return true`,
  )

/** Tests an array whose items are declared one by one. */
const createTupleTest = (items: readonly CodeTest[], functions: TestFunctions): CodeTest =>
  addTestFunction(
    functions,
    `${plainArrayCheck}
     return value.length === ${items.length} && ${joinAnd(items.map((item, index) => item(`value[${index}]`)))}`,
  )

interface MemberTest {
  readonly name: string
  readonly test: CodeTest
  readonly isRequired: boolean
}

/** An object of another prototype may have a `toJSON`, or members that are not its own. */
function createObjectTest(members: readonly MemberTest[], functions: TestFunctions): CodeTest {
  const skip = 'while (name !== names[next]) { if (next === names.length || required[next]) return false; next += 1 }'
  const order = members.every(({ isRequired }) => isRequired) ? 'if (name !== names[next]) return false' : skip
  const declared = members.map(({ name, test, isRequired }) => {
    const value = `value[${toLiteral(name)}]`
    return isRequired ? test(value) : joinOr([`${value} === undefined`, test(value)])
  })
  return addTestFunction(
    functions,
    `if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
     let next = 0
     for (const name in value) { ${order}; next += 1 }
     return ${joinAnd(declared)}`,
    `const names = ${toLiteral(members.map(({ name }) => name))}, required = ${toLiteral(members.map(({ isRequired }) => isRequired))}`,
  )
}

/** Tests for one of several scalars. Only the writer of the schema knows which of several objects is meant. */
function createScalarUnionTest(choices: readonly (CodeTest | undefined)[]): CodeTest | undefined {
  const known = choices.filter((choice) => choice !== undefined)
  if (known.length < choices.length || known.some((choice) => !Object.values(scalarTestsByType).includes(choice))) return undefined
  return (value) => joinOr(known.map((choice) => choice(value)))
}

/** The test of a schema; undefined where its writer does more than declare members and types. @param above the schemas around this one */
function createSchemaTest(node: SchemaNode, functions: TestFunctions, above: readonly JsonSchema[]): CodeTest | undefined {
  const { schema, parts, values, types } = node
  // A value of a schema that contains itself may have any depth.
  if (isComposed(node) || above.includes(schema)) return undefined
  const create = (part: SchemaNode): CodeTest | undefined => createSchemaTest(part, functions, [...above, schema])
  if (parts.branches !== undefined) return createScalarUnionTest(parts.branches.map(create))
  if (values !== undefined) {
    if (values.length === 0 || values.some((one) => typeof one === 'object')) return undefined
    return (value) => joinOr(values.map((one) => `${value} === ${toLiteral(one)}`))
  }
  const [type = '', ...others] = types
  if (others.length > 0) return createScalarUnionTest(types.map((one) => scalarTestsByType[one]))
  if (type === 'array') return createItemsTest(node, functions, create)
  return type === 'object' ? createMembersTest(node, functions, create) : scalarTestsByType[type]
}

type CreatePartTest = (part: SchemaNode) => CodeTest | undefined

function createItemsTest({ schema, parts }: SchemaNode, functions: TestFunctions, create: CreatePartTest): CodeTest | undefined {
  if (schema.prefixItems !== undefined) {
    const items = parts.prefixItems.map(create)
    return items.every((item) => item !== undefined) ? createTupleTest(items, functions) : undefined
  }
  const item = typeof schema.items === 'object' && parts.items !== undefined ? create(parts.items) : undefined
  return item && createArrayTest(item, functions)
}

function createMembersTest({ parts }: SchemaNode, functions: TestFunctions, create: CreatePartTest): CodeTest | undefined {
  if (parts.rest !== undefined && parts.rest.schema !== neverSchema) return undefined
  const members: MemberTest[] = []
  for (const [name, member] of parts.properties) {
    const test = create(member)
    if (test === undefined) return undefined
    members.push({ name, test, isRequired: parts.required.includes(name) })
  }
  return createObjectTest(members, functions)
}

/** Compiles the test of a schema's values; undefined where there is none. */
export function compileExactTest(schema: JsonSchema, root: JsonSchema = schema): ExactTest | undefined {
  const functions: TestFunctions = []
  const test = createSchemaTest(parseSchema(schema, root), functions, [])
  if (test === undefined) return undefined
  return evaluateSource(`${functions.join('\n')}\nreturn (value) => ${test('value')}`) as ExactTest | undefined
}
