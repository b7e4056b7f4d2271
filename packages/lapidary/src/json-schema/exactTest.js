/** Finds values that `JSON.stringify` writes just as the writer of their schema would, where the engine does that faster than any program could. */
import { getMembers, getTypes, resolveSchema } from './jsonSchema.js'
// * What programs are made of that are written for a schema: an engine makes more of one that sees values of one form than of any that is about all schemas.
// Of the description, which is the developer's own, a program has names and constants, as literals.
/** A value as it stands in a program. */
export const toLiteral = (value) => JSON.stringify(value)
/** What JSON Schema calls the types of values that have no parts. */
export const scalarTests = Object.freeze({
  string: (value) => `typeof ${value} === 'string'`,
  integer: (value) => `Number.isSafeInteger(${value})`,
  number: (value) => `(typeof ${value} === 'number' && Number.isFinite(${value}))`,
  boolean: (value) => `typeof ${value} === 'boolean'`,
  null: (value) => `${value} === null`,
})
/** What the body of a function gives that has these names at hand; undefined where programs may not be made of texts (a Content-Security-Policy, some workers). */
export function evaluateSource(source, names = {}) {
  try {
    return new Function(...Object.keys(names), `'use strict'\n${source}`)(...Object.values(names))
  } catch {
    return undefined
  }
}
const scalarTestsByType = scalarTests
const joinAnd = (tests) => tests.map((test) => `(${test})`).join(' && ') || 'true'
const joinOr = (tests) => `(${tests.map((test) => `(${test})`).join(' || ')})`
/** Puts a function of `value` into the program, with what it needs at hand. */
function addTestFunction({ functions }, body, constants = '') {
  const name = `test${functions.length}`
  functions.push(`const ${name} = (() => { ${constants}; return (value) => {\n${body}\n} })()`)
  return (value) => `${name}(${value})`
}
/** One of another prototype may have a `toJSON`, and any may have one of its own. */
const plainArrayCheck = `if (!Array.isArray(value) || Object.getPrototypeOf(value) !== Array.prototype || 'toJSON' in value) return false`
const createArrayTest = (item, program) =>
  addTestFunction(
    program,
    `${plainArrayCheck}
     for (let index = 0; index < value.length; index += 1) { const item = value[index]; if (!(${item('item')})) return false }
     return true`,
  )
/** A list whose places are declared one by one. */
const createTupleTest = (places, program) =>
  addTestFunction(
    program,
    `${plainArrayCheck}
     return value.length === ${places.length} && ${joinAnd(places.map((place, index) => place(`value[${index}]`)))}`,
  )
/** Of another prototype an object may have a `toJSON`, or members that are not its own. */
function createObjectTest(members, program) {
  const skip = 'while (name !== names[next]) { if (next === names.length || needed[next]) return false; next += 1 }'
  const order = members.every(({ needed }) => needed) ? 'if (name !== names[next]) return false' : skip
  const declared = members.map(({ name, test, needed }) => {
    const value = `value[${toLiteral(name)}]`
    return needed ? test(value) : joinOr([`${value} === undefined`, test(value)])
  })
  return addTestFunction(
    program,
    `if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
     let next = 0
     for (const name in value) { ${order}; next += 1 }
     return ${joinAnd(declared)}`,
    `const names = ${toLiteral(members.map(({ name }) => name))}, needed = ${toLiteral(members.map(({ needed }) => needed))}`,
  )
}
/** One of several scalars, whichever. */
function createScalarUnionTest(choices) {
  const known = choices.filter((choice) => choice !== undefined)
  // Which of several objects is meant, their schema's own writer says.
  if (known.length < choices.length || known.some((choice) => !Object.values(scalarTestsByType).includes(choice))) return undefined
  return (value) => joinOr(known.map((choice) => choice(value)))
}
/** The test of a schema; undefined where its writer does more than declare members and types. */
function createSchemaTest(schema, program, within) {
  const here = resolveSchema(schema, program.root)
  const { allOf, anyOf, oneOf: choices = anyOf, prefixItems, items } = here
  // One that contains itself may be as deep as it likes.
  if (allOf !== undefined || within.includes(here)) return undefined
  const inner = (part) => createSchemaTest(part, program, [...within, here])
  if (choices !== undefined) return createScalarUnionTest(choices.map(inner))
  const values = here.enum ?? (here.const === undefined ? undefined : [here.const])
  if (values !== undefined) {
    if (values.length === 0 || values.some((one) => typeof one === 'object')) return undefined
    return (value) => joinOr(values.map((one) => `${value} === ${toLiteral(one)}`))
  }
  const [type = '', ...others] = getTypes(here)
  if (others.length > 0) return createScalarUnionTest([type, ...others].map((one) => scalarTestsByType[one]))
  if (type === 'array' && prefixItems !== undefined) {
    const places = prefixItems.map(inner)
    return places.every((place) => place !== undefined) ? createTupleTest(places, program) : undefined
  }
  if (type === 'array' && typeof items === 'object') {
    const item = inner(items)
    return item === undefined ? undefined : createArrayTest(item, program)
  }
  if (type !== 'object') return scalarTestsByType[type]
  const { properties, required, rest } = getMembers(here)
  if (rest === true || typeof rest === 'object') return undefined
  const members = []
  for (const [name, member] of Object.entries(properties)) {
    const test = inner(member)
    if (test === undefined) return undefined
    members.push({ name, test, needed: required.includes(name) })
  }
  return createObjectTest(members, program)
}
/** The look at values of a schema; undefined where there is none. */
export function compileExactTest(schema) {
  const program = { root: schema, functions: [] }
  const test = createSchemaTest(schema, program, [])
  if (test === undefined) return undefined
  return evaluateSource(`${program.functions.join('\n')}\nreturn (value) => ${test('value')}`)
}
