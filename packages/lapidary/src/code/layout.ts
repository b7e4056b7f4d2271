/** Lays out code of TypeScript that the command line writes: on one line where it fits, else each part on a line of its own. */

/** A piece of code. */
export type Code = string | List | Chain

/** A call, an array or an object. */
interface List {
  readonly kind: 'call' | 'array' | 'object' | 'block'
  /** What stands before the first item: `z.object(`, `[`, `{`. */
  readonly open: string
  readonly items: readonly Code[]
  readonly close: string
  /** Whether it is never on one line. */
  readonly isBroken?: boolean
  /** Of a member of an object: its name and a colon. */
  readonly prefix?: string
}

/** An expression with methods after it. */
interface Chain {
  readonly kind: 'chain'
  readonly first: Code
  /** Calls that begin with a dot. */
  readonly methods: readonly List[]
  readonly prefix?: string
}

/** The most characters of a line. */
export const lineWidth = 100

export const call = (name: string, ...args: readonly Code[]): List => ({ kind: 'call', open: `${name}(`, items: args, close: ')' })

export const listCode = (items: readonly Code[]): List => ({ kind: 'array', open: '[', items, close: ']' })

/** An object. @param isBroken whether it is never on one line */
export const record = (members: readonly Code[], isBroken = false): List => ({
  kind: 'object',
  open: '{',
  items: members,
  close: '}',
  isBroken,
})

/** A getter of an object. */
export const getter = (name: string, value: Code): Code => ({
  kind: 'block',
  open: `get ${name}() {`,
  items: [prefixCode('return ', value)],
  close: '}',
  isBroken: true,
})

/** An expression with one more method after it. */
export function method(first: Code, name: string, ...args: readonly Code[]): Chain {
  const next = call(`.${name}`, ...args)
  return typeof first === 'object' && first.kind === 'chain' && first.prefix === undefined
    ? { ...first, methods: [...first.methods, next] }
    : { kind: 'chain', first, methods: [next] }
}

/** Code after the name of a member: `name: …`. */
export const member = (name: string, value: Code): Code => prefixCode(`${name}: `, value)

/** Code with a text before it. */
export const prefixCode = (text: string, value: Code): Code =>
  typeof value === 'string' ? text + value : { ...value, prefix: text + (value.prefix ?? '') }

/** The code on one line; undefined where it has none. */
function flatten(code: Code): string | undefined {
  if (typeof code === 'string') return code.includes('\n') ? undefined : code
  const before = code.prefix ?? ''
  if (code.kind === 'chain') {
    const parts = [code.first, ...code.methods].map(flatten)
    return parts.includes(undefined) ? undefined : before + parts.join('')
  }
  const { kind, open, items, close, isBroken } = code
  const flat = items.map(flatten)
  if (isBroken || flat.includes(undefined)) return undefined
  if (items.length === 0) return `${before}${open}${close}`
  return kind === 'object' ? `${before}${open} ${flat.join(', ')} ${close}` : `${before}${open}${flat.join(', ')}${close}`
}

const isHuggable = (code: Code | undefined): code is List => typeof code === 'object' && (code.kind === 'object' || code.kind === 'array')

/** Lays out a piece. @param column where its first line begins, and `after`, how many characters follow its last line */
function layOut(code: Code, indent: number, column: number, after: number): string {
  const flat = flatten(code)
  if (flat !== undefined && column + flat.length + after <= lineWidth) return flat
  // A text that is too long for its line stands below its name.
  if (typeof code === 'string') return code.replace(/^(\w{3,}:) (?=['"])/, `$1\n${' '.repeat(indent + 2)}`)
  const before = code.prefix ?? ''
  const start = column + before.length
  if (code.kind === 'chain') return before + layOutChain(code, indent, start, after)
  const { kind, open, items, close } = code
  const last = items.at(-1)
  if (kind === 'call' && isHuggable(last)) {
    const others = items.slice(0, -1).map(flatten)
    const head = open + others.map((text) => `${text}, `).join('')
    if (!others.includes(undefined) && start + head.length < lineWidth - 4)
      return before + head + layOut(last, indent, start + head.length, after + 1) + close
  }
  if (items.length === 0) return `${before}${open}${close}`
  const inner = indent + 2
  const end = kind === 'block' ? '' : ','
  const lines = items.map((item) => `${' '.repeat(inner)}${layOut(item, inner, inner, end.length)}${end}\n`)
  return `${before}${open}\n${lines.join('')}${' '.repeat(indent)}${close}`
}

function layOutChain({ first, methods }: Chain, indent: number, column: number, after: number): string {
  const calls = methods.length + (typeof first === 'object' ? 1 : 0)
  const isShort = calls <= 2
  if (isShort) {
    const rest = methods.map((one) => flatten(one) ?? layOut(one, indent, column, after)).join('')
    return layOut(first, indent, column, rest.length) + rest
  }
  const inner = indent + 2
  const text = typeof first === 'string' ? first : layOut(first, inner, inner, 0)
  const [, name = '', rest = ''] = /^(z)(\..*)$/s.exec(text) ?? []
  const lines = [...(name === '' ? [] : [rest]), ...methods.map((one) => layOut(one, inner, inner, 0))]
  return `${name === '' ? text : name}${lines.map((line) => `\n${' '.repeat(inner)}${line}`).join('')}`
}

/** An import of names, sorted. */
export function writeImport(names: Iterable<string>, specifier: string): string {
  const sorted = [...names].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  const flat = `import { ${sorted.join(', ')} } from '${specifier}'`
  return flat.length <= lineWidth ? flat : `import {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${specifier}'`
}

/** Writes a piece of code, from the begin of a line. */
export const write = (code: Code): string => layOut(code, 0, 0, 0)

const quote = (text: string): string => {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return text.includes("'") && !text.includes('"') ? `"${inner}"` : `'${inner.replaceAll("'", "\\'")}'`
}

/** A name as a member of an object. In an object literal, `__proto__` is the prototype, quoted or not. */
export const writeName = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)

/** A text in quotes. */
export const writeText: (text: string) => string = quote

/**
 * A value as code.
 *
 * @returns undefined for a value that has none, such as a function
 */
export function writeValue(value: unknown): Code | undefined {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof RegExp) return String(value)
  if (value instanceof Date) return `new Date(${quote(value.toISOString())})`
  if (typeof value !== 'object') return undefined
  if (Array.isArray(value)) {
    const items = value.map(writeValue)
    return items.includes(undefined) ? undefined : listCode(items as readonly Code[])
  }
  const members = Object.entries(value).map(([name, one]) => ({ name, code: writeValue(one) }))
  if (members.some(({ code }) => code === undefined)) return undefined
  return record(members.map(({ name, code }) => member(writeName(name), code as Code)))
}
