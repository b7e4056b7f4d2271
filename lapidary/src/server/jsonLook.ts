/** Finds values that `JSON.stringify` writes just as the writer of their schema would, where the engine does that faster than any program could. */
import { type JsonSchema, membersOf, resolved, typesOf } from '../describe/jsonSchema.ts'
import { literal, madeOf, scalarTests, type Test } from './programText.ts'

/** Whether a value has what its schema declares, in that order, and nothing else. */
type IsExact = (value: unknown) => boolean

/** A program in the making. */
interface Program {
  readonly root: JsonSchema
  /** Its functions, each a test of lists or of objects. */
  readonly functions: string[]
}

const scalars: Readonly<Record<string, Test>> = scalarTests

const all = (tests: readonly string[]): string => tests.map((test) => `(${test})`).join(' && ') || 'true'
const any = (tests: readonly string[]): string => `(${tests.map((test) => `(${test})`).join(' || ')})`

/** Puts a function of `value` into the program, with what it needs at hand. */
function called({ functions }: Program, body: string, constants = ''): Test {
  const name = `test${functions.length}`
  functions.push(`const ${name} = (() => { ${constants}; return (value) => {\n${body}\n} })()`)
  return (value) => `${name}(${value})`
}

/** One of another prototype may have a `toJSON`, and any may have one of its own. */
const plainArray = `if (!Array.isArray(value) || Object.getPrototypeOf(value) !== Array.prototype || 'toJSON' in value) return false`

const arrayOf = (item: Test, program: Program): Test =>
  called(
    program,
    `${plainArray}
     for (let index = 0; index < value.length; index += 1) { const item = value[index]; if (!(${item('item')})) return false }
     return true`,
  )

/** A list whose places are declared one by one. */
const tupleOf = (places: readonly Test[], program: Program): Test =>
  called(
    program,
    `${plainArray}
     return value.length === ${places.length} && ${all(places.map((place, index) => place(`value[${index}]`)))}`,
  )

interface Member {
  readonly name: string
  readonly test: Test
  readonly needed: boolean
}

/** Of another prototype an object may have a `toJSON`, or members that are not its own. */
function objectOf(members: readonly Member[], program: Program): Test {
  const skip = 'while (name !== names[next]) { if (next === names.length || needed[next]) return false; next += 1 }'
  const order = members.every(({ needed }) => needed) ? 'if (name !== names[next]) return false' : skip
  const declared = members.map(({ name, test, needed }) => {
    const value = `value[${literal(name)}]`
    return needed ? test(value) : any([`${value} === undefined`, test(value)])
  })
  return called(
    program,
    `if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
     let next = 0
     for (const name in value) { ${order}; next += 1 }
     return ${all(declared)}`,
    `const names = ${literal(members.map(({ name }) => name))}, needed = ${literal(members.map(({ needed }) => needed))}`,
  )
}

/** One of several scalars, whichever. */
function oneOf(choices: readonly (Test | undefined)[]): Test | undefined {
  const known = choices.filter((choice) => choice !== undefined)
  // Which of several objects is meant, their schema's own writer says.
  if (known.length < choices.length || known.some((choice) => !Object.values(scalars).includes(choice))) return undefined
  return (value) => any(known.map((choice) => choice(value)))
}

/** The test of a schema; undefined where its writer does more than declare members and types. */
function tested(schema: JsonSchema, program: Program, within: readonly JsonSchema[]): Test | undefined {
  const here = resolved(schema, program.root)
  const { allOf, anyOf, oneOf: choices = anyOf, prefixItems, items } = here
  // One that contains itself may be as deep as it likes.
  if (allOf !== undefined || within.includes(here)) return undefined
  const inner = (part: JsonSchema): Test | undefined => tested(part, program, [...within, here])
  if (choices !== undefined) return oneOf(choices.map(inner))
  const values: readonly unknown[] | undefined = here.enum ?? (here.const === undefined ? undefined : [here.const])
  if (values !== undefined) {
    if (values.length === 0 || values.some((one) => typeof one === 'object')) return undefined
    return (value) => any(values.map((one) => `${value} === ${literal(one)}`))
  }
  const [type = '', ...others] = typesOf(here)
  if (others.length > 0) return oneOf([type, ...others].map((one) => scalars[one]))
  if (type === 'array' && prefixItems !== undefined) {
    const places = prefixItems.map(inner)
    return places.every((place) => place !== undefined) ? tupleOf(places, program) : undefined
  }
  if (type === 'array' && typeof items === 'object') {
    const item = inner(items)
    return item === undefined ? undefined : arrayOf(item, program)
  }
  if (type !== 'object') return scalars[type]
  const { properties, required, rest } = membersOf(here)
  if (rest === true || typeof rest === 'object') return undefined
  const members: Member[] = []
  for (const [name, member] of Object.entries(properties)) {
    const test = inner(member)
    if (test === undefined) return undefined
    members.push({ name, test, needed: required.includes(name) })
  }
  return objectOf(members, program)
}

/** The look at values of a schema; undefined where there is none. */
export function lookOf(schema: JsonSchema): IsExact | undefined {
  const program: Program = { root: schema, functions: [] }
  const test = tested(schema, program, [])
  if (test === undefined) return undefined
  return madeOf(`${program.functions.join('\n')}\nreturn (value) => ${test('value')}`) as IsExact | undefined
}
