/**
 * Writes the values of a schema by a program that is made for it: the look at each value and its text come in one go, and what stands between the values
 * is one piece. What is not as it should be it throws back at its caller.
 */
import { compileExactTest, evaluateSource, scalarTests, toLiteral } from './exactTest.js'
import { getMembers, getTypes, resolveSchema } from './jsonSchema.js'
import { createWriter, jsonEscapePattern } from './writer.js'

/** A program in the making. */
class WriterProgram {
  root
  functions = []
  /** What it has at hand besides, as `at[0]`, `at[1]`, … */
  at = []
  /** Choices and tuples that are being written: they stand in place, and cannot contain themselves there. */
  open = new Set()
  named = new Map()
  names = 0
  constructor(root) {
    this.root = root
  }
  /** A name that nothing else has. */
  name() {
    this.names += 1
    return `v${this.names}`
  }
  /** The name of the function that writes this schema: one that contains itself calls itself. */
  function(schema, body) {
    const known = this.named.get(schema)
    if (known !== undefined) return known
    const [name, value] = [this.name(), this.name()]
    this.named.set(schema, name)
    this.functions.push(`const ${name} = (${value}) => {\n${body(value)}\n}`)
    return name
  }
  /** An expression for what is no text. */
  having(value) {
    return `at[${this.at.push(value) - 1}]`
  }
}
/** The parts of a text as one expression, whose first part is a text, so that `+` joins. */
function joinParts([first = '', ...rest]) {
  const whole = []
  for (const part of typeof first === 'string' ? [first, ...rest] : ['', first, ...rest]) {
    const last = whole.at(-1)
    if (typeof part === 'string' && typeof last === 'string') whole.splice(-1, 1, last + part)
    else whole.push(part)
  }
  return whole.map((part) => (typeof part === 'string' ? toLiteral(part) : part.expression)).join(' + ')
}
const throwUnless = (condition) => `if (!(${condition})) throw mismatch\n`
/** A scalar that JSON writes as JavaScript does. */
const createScalarCode = (test) => (value) => ({ look: throwUnless(test(value)), text: [{ expression: value }] })
const scalarCodes = {
  string: (value, program) => {
    const text = program.name()
    const escaping = `const ${text} = escaped.test(${value}) ? JSON.stringify(${value}).slice(1, -1) : ${value}\n`
    return { look: throwUnless(scalarTests.string(value)) + escaping, text: ['"', { expression: text }, '"'] }
  },
  integer: createScalarCode(scalarTests.integer),
  number: createScalarCode(scalarTests.number),
  boolean: createScalarCode(scalarTests.boolean),
  null: (value) => ({ look: throwUnless(scalarTests.null(value)), text: ['null'] }),
}
/** What the general writer of a part of the schema makes. */
function callGeneralWriter(schema, value, program) {
  return { look: '', text: [{ expression: `${program.having(createWriter(schema, program.root))}(${value})` }] }
}
/** A closed set of values, each written beforehand. */
function generateEnumCode(values, value, program) {
  const text = program.name()
  const texts = program.having(new Map(values.map((one) => [one, JSON.stringify(one)])))
  return { look: `const ${text} = ${texts}.get(${value})\n${throwUnless(`${text} !== undefined`)}`, text: [{ expression: text }] }
}
/** Null, or else what another schema describes. */
function generateNullableCode(schema, value, program) {
  const [text, { look, text: parts }] = [program.name(), generateCode(schema, value, program)]
  return {
    look: `let ${text} = 'null'\nif (${value} !== null) {\n${look}${text} = ${joinParts(parts)}\n}\n`,
    text: [{ expression: text }],
  }
}
/** The text of an array, item by item. */
function generateArrayBody(items, value, program) {
  const item = program.name()
  const { look, text } = generateCode(items, item, program)
  // The comma is a part of what the item begins with.
  const [first = '', ...rest] = text
  const [alone, behind] = typeof first === 'string' ? [first, `,${first}`] : ['', ',']
  const begin = { expression: `(index === 0 ? ${toLiteral(alone)} : ${toLiteral(behind)})` }
  return `${throwUnless(`Array.isArray(${value})`)}let text = '['
    for (let index = 0; index < ${value}.length; index += 1) {
      const ${item} = ${value}[index]
      ${look}text += ${joinParts([begin, ...(typeof first === 'string' ? rest : text)])}
    }
    return text + ']'`
}
/** An array whose places are declared one by one, each of them taken. */
function generateTupleCode(places, value, program) {
  let look = throwUnless(`Array.isArray(${value}) && ${value}.length === ${places.length}`)
  const text = []
  places.forEach((place, index) => {
    const item = program.name()
    const inner = generateCode(place, item, program)
    look += `const ${item} = ${value}[${index}]\n${inner.look}`
    text.push(index === 0 ? '[' : ',', ...inner.text)
  })
  return { look, text: [...text, ']'] }
}
/** An object of declared members. The first that is needed parts those before it, which have their commas behind them, from those after it. */
function generateObjectCode(schema, value, program) {
  const { properties, required, rest } = getMembers(schema)
  const members = Object.entries(properties)
  const middle = members.findIndex(([name]) => required.includes(name))
  if (rest === true || typeof rest === 'object' || middle < 0) return undefined
  let look = throwUnless(`typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`)
  const text = ['{']
  members.forEach(([name, member], index) => {
    const here = program.name()
    const inner = generateCode(member, here, program)
    const key = `${toLiteral(name)}:`
    look += `const ${here} = ${value}[${toLiteral(name)}]\n`
    if (required.includes(name)) {
      look += inner.look
      text.push(index > middle ? `,${key}` : key, ...inner.text)
      return
    }
    const part = program.name()
    const parts = index < middle ? [key, ...inner.text, ','] : [`,${key}`, ...inner.text]
    // One that is only inherited is no member.
    look += `let ${part} = ''\nif (${here} !== undefined && Object.hasOwn(${value}, ${toLiteral(name)})) {\n${inner.look}${part} = ${joinParts(parts)}\n}\n`
    text.push({ expression: part })
  })
  return { look, text: [...text, '}'] }
}
/** An object or array: in place where it is described there, by a function of its own where it is referred to. */
function generateCompoundCode(schema, here, value, program) {
  const { type, prefixItems, items } = here
  const called = (body) => ({
    look: '',
    text: [{ expression: `${program.function(here, body)}(${value})` }],
  })
  if (type === 'array') {
    if (prefixItems !== undefined)
      return (
        generateInline(here, program, () => generateTupleCode(prefixItems, value, program)) ?? callGeneralWriter(schema, value, program)
      )
    return typeof items === 'object'
      ? called((inner) => generateArrayBody(items, inner, program))
      : callGeneralWriter(schema, value, program)
  }
  if (schema === here) return generateObjectCode(here, value, program) ?? callGeneralWriter(schema, value, program)
  return called((inner) => {
    const { look, text } = generateObjectCode(here, inner, program) ?? callGeneralWriter(here, inner, program)
    return `${look}return ${joinParts(text)}`
  })
}
/** Writes what has no function of its own; undefined within itself. */
function generateInline(here, { open }, write) {
  if (open.has(here)) return undefined
  open.add(here)
  const made = write()
  open.delete(here)
  return made
}
/** What a choice offers besides null, where that is one other form. */
function findNonNullBranch(branches) {
  const others = branches.filter(({ type }) => type !== 'null')
  return branches.length === 2 && others.length === 1 ? others[0] : undefined
}
/** Which of several forms a value has, and what two parts make together, the general writer knows. */
function generateCode(schema, value, program) {
  const here = resolveSchema(schema, program.root)
  const { allOf, anyOf, oneOf: branches = anyOf, properties } = here
  if (allOf !== undefined) return callGeneralWriter(schema, value, program)
  const types = getTypes(here)
  const choices = branches ?? (types.length > 1 ? types.map((type) => ({ ...here, type })) : undefined)
  if (choices !== undefined) {
    const other = findNonNullBranch(choices)
    const made = other === undefined ? undefined : generateInline(here, program, () => generateNullableCode(other, value, program))
    return made ?? callGeneralWriter(schema, value, program)
  }
  if (here.const !== undefined || here.enum !== undefined) return generateEnumCode(here.enum ?? [here.const], value, program)
  const [type = ''] = types
  if (type === 'array' || type === 'object' || properties !== undefined) return generateCompoundCode(schema, here, value, program)
  return scalarCodes[type]?.(value, program) ?? callGeneralWriter(schema, value, program)
}
/** Thrown by a program that meets what it does not expect. */
const programMismatch = Object.freeze({})
/** The program that writes a schema; it throws on what only the general writer can write or refuse. Undefined where none can be made. */
export function compileProgram(schema) {
  const program = new WriterProgram(schema)
  const { look, text } = generateCode(schema, 'value', program)
  const source = `${program.functions.join('\n')}\nreturn (value) => {\n${look}return ${joinParts(text)}\n}`
  return evaluateSource(source, { at: program.at, escaped: jsonEscapePattern, mismatch: programMismatch })
}
/** V8 is done with all of the first before its `JSON.stringify` is. That of JavaScriptCore takes half the time of anything that a program could do. */
const defaultWriteStrategy = 'Bun' in globalThis ? 'looked' : 'written'
/** What a writer of this schema makes, sooner where that can be. @param write what writes any value of the schema, or says what is wrong with it */
export function compileWriter(schema, write, way = defaultWriteStrategy) {
  if (way === 'looked') {
    const isExact = compileExactTest(schema)
    return isExact === undefined ? write : (value) => (isExact(value) ? JSON.stringify(value) : write(value))
  }
  const program = compileProgram(schema)
  if (program === undefined) return write
  return (value) => {
    try {
      return program(value)
    } catch {
      return write(value)
    }
  }
}
