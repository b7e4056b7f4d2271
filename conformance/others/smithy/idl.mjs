/** Reads models of Smithy IDL 2.0, as far as the protocol tests use it: shapes, their members and their traits. */

/**
 * @typedef {object} Member
 * @property {string} target
 * @property {Record<string, any>} traits
 */

/**
 * @typedef {object} Shape
 * @property {string} kind
 * @property {Record<string, Member>} members
 * @property {Record<string, any>} traits
 * @property {readonly string[]} mixins
 * @property {Record<string, any>} properties  of an operation or a service
 */

const tokenPattern =
  /[\s,]+|\/\/[^\n]*|(?<block>"""[\s\S]*?""")|(?<text>"(?:[^"\\]|\\[\s\S])*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_][\w.#$]*)|(?<mark>:=|[@{}[\]():=$])/y

const escapes = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
const unescapeText = (/** @type {string} */ text) =>
  text.replace(/\\(?:u([0-9A-Fa-f]{4})|\r?\n|([\s\S]))/g, (_, code, character) =>
    code === undefined ? (escapes[character] ?? character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )

/** A text block, without the white space before its lines that all of them have. */
function readBlock(/** @type {string} */ block) {
  const lines = block
    .slice(3, -3)
    .replace(/^[^\n]*\n/, '')
    .split('\n')
  const isLast = (/** @type {number} */ index) => index === lines.length - 1
  const indents = lines.filter((line, index) => line.trim() !== '' || isLast(index)).map((line) => /^ */.exec(line)?.[0].length ?? 0)
  const indent = Math.min(...indents)
  return unescapeText(lines.map((line) => line.slice(indent).replace(/[ \t]+$/, '')).join('\n'))
}

function tokenize(/** @type {string} */ text) {
  const tokens = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex
    const found = tokenPattern.exec(text)
    if (found === null) throw new Error(`Unexpected ${JSON.stringify(text.slice(at, at + 40))}`)
    const { block, text: quoted, number, name, mark } = found.groups ?? {}
    if (block !== undefined) tokens.push({ value: readBlock(block) })
    else if (quoted !== undefined) tokens.push({ value: unescapeText(quoted.slice(1, -1)) })
    else if (number !== undefined) tokens.push({ value: Number(number) })
    else if (name !== undefined) tokens.push({ name })
    else if (mark !== undefined) tokens.push({ mark })
  }
  return tokens
}

const constants = { true: true, false: false, null: null }
const toLocal = (/** @type {string} */ name) => name.split('#').at(-1) ?? name

class Reader {
  constructor(tokens, shapes) {
    this.tokens = tokens
    this.at = 0
    this.shapes = shapes
  }

  peek() {
    return this.tokens[this.at] ?? {}
  }

  is(mark) {
    return this.peek().mark === mark
  }

  skip(mark) {
    if (!this.is(mark)) return false
    this.at += 1
    return true
  }

  expect(mark) {
    if (!this.skip(mark)) throw new Error(`Expected ${mark}, got ${JSON.stringify(this.tokens.slice(this.at, this.at + 6))}`)
  }

  name() {
    const { name } = this.peek()
    if (name === undefined) throw new Error(`Expected a name, got ${JSON.stringify(this.tokens.slice(this.at, this.at + 6))}`)
    this.at += 1
    return name
  }

  node() {
    if (this.skip('{')) return this.members('}')
    if (this.skip('[')) {
      const items = []
      while (!this.skip(']')) items.push(this.node())
      return items
    }
    const { value, name } = this.peek()
    this.at += 1
    return name === undefined ? value : name in constants ? constants[name] : name
  }

  members(end) {
    const record = {}
    while (!this.skip(end)) {
      const { name, value = name } = this.peek()
      this.at += 1
      this.expect(':')
      record[value] = this.node()
    }
    return record
  }

  /** @param {number} most how many */
  traits(most = Number.POSITIVE_INFINITY) {
    const traits = {}
    for (let count = 0; count < most && this.skip('@'); count += 1) {
      const name = toLocal(this.name())
      if (!this.skip('(')) traits[name] = {}
      else if (this.skip(')')) traits[name] = {}
      else if (this.tokens[this.at + 1]?.mark === ':') traits[name] = this.members(')')
      else {
        traits[name] = this.node()
        this.expect(')')
      }
    }
    return traits
  }

  /** The members of a structure, up to its end. */
  structureMembers() {
    this.expect('{')
    const members = {}
    while (!this.skip('}')) {
      const traits = this.traits()
      this.skip('$')
      const name = this.name()
      const target = this.skip(':') ? toLocal(this.name()) : 'Unit'
      if (this.skip('=')) traits['default'] = this.node()
      members[name] = { target, traits }
    }
    return members
  }

  mixins() {
    if (this.peek().name === 'for') this.at += 2
    if (this.peek().name !== 'with') return []
    this.at += 1
    return this.node().map(toLocal)
  }

  operation(name) {
    const properties = {}
    this.expect('{')
    while (!this.skip('}')) {
      const key = this.name()
      if (this.skip(':=')) {
        const traits = this.traits()
        const mixins = this.mixins()
        const inline = `${name}${key[0].toUpperCase()}${key.slice(1)}`
        this.shapes.set(inline, { kind: 'structure', members: this.structureMembers(), traits, mixins, properties: {} })
        properties[key] = inline
      } else {
        this.expect(':')
        properties[key] = this.node()
      }
    }
    return properties
  }

  statement() {
    if (this.skip('$')) return void [this.name(), this.expect(':'), this.node()]
    const traits = this.traits()
    const kind = this.name()
    if (kind === 'namespace' || kind === 'use') return void this.name()
    if (kind === 'metadata') return void [this.name(), this.expect('='), this.node()]
    if (kind === 'apply') return this.apply()
    const name = this.name()
    const shape = { kind, members: {}, traits, mixins: this.mixins(), properties: {} }
    this.shapes.set(name, shape)
    if (kind === 'operation' || kind === 'service' || kind === 'resource') shape.properties = this.operation(name)
    else if (this.is('{')) shape.members = this.structureMembers()
  }

  apply() {
    const target = toLocal(this.name())
    const isBlock = this.skip('{')
    // The traits after the first one are those of the next shape.
    this.applied.push([target, this.traits(isBlock ? undefined : 1)])
    if (isBlock) this.expect('}')
  }
}

/**
 * Reads the texts of a model.
 *
 * @param {readonly string[]} texts
 * @returns {ReadonlyMap<string, Shape>} shapes by their names, without namespaces
 */
export function readModel(texts) {
  const shapes = new Map()
  const applied = []
  for (const text of texts) {
    const reader = new Reader(tokenize(text), shapes)
    reader.applied = applied
    while (reader.at < reader.tokens.length) reader.statement()
  }
  for (const [target, traits] of applied) {
    const [name, member] = target.split('$')
    const shape = shapes.get(name)
    Object.assign((member === undefined ? shape : shape?.members[member])?.traits ?? {}, traits)
  }
  for (const shape of shapes.values()) for (const mixin of shape.mixins) shape.members = { ...shapes.get(mixin)?.members, ...shape.members }
  return shapes
}
