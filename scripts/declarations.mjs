// Reads the declarations that tsc emits: every statement begins at the start of a line, with its docstring above it, and goes on in lines that are
// indented or begin with what closes a bracket. TypeScript 7 has no compiler API to ask.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const statement = /^(?<doc>\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?<text>[^\s/}\])>].*(?:\n(?:[ \t]+.*|[}\])>].*))*)$/gm
const declared = /^(?:export )?(?:declare )?(?:abstract )?(?<kind>const|function|class|interface|type) (?<name>\w+)/
const opening = /[{([]/g
const closing = /[})\]]/g
const count = (text, sign) => text.match(sign)?.length ?? 0

/** The sentences of a docstring: its text without the frame of stars. */
const sentences = (doc = '') =>
  doc
    .trim()
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .replace(/^ \* ?/gm, '')
    .trim()

const modules = new Map()

/** What stands in one emitted file: its declarations by name, each in one or more forms of code and docstring, and what it exports of others. */
function moduleAt(path) {
  const known = modules.get(path)
  if (known !== undefined) return known
  const text = readFileSync(path, 'utf8').replace(/\/\/# sourceMappingURL=.*$/m, '')
  const declarations = new Map()
  const exports = []
  for (const { groups } of text.matchAll(statement)) {
    if (count(groups.text, opening) !== count(groups.text, closing)) throw new Error(`${path} is not as tsc emits it: ${groups.text}`)
    const [, names, from] = /^export (?:type )?(\*|\{[^}]*\}) from '(.*)';?$/s.exec(groups.text) ?? []
    if (from !== undefined) {
      const target = join(dirname(path), from.replace(/\.[jt]s$/, '.d.ts'))
      const listed = names === '*' ? undefined : names.slice(1, -1).split(',')
      exports.push({ target, names: listed?.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '') })
      continue
    }
    const { kind, name } = declared.exec(groups.text)?.groups ?? {}
    if (name === undefined) continue
    const isExported = groups.text.startsWith('export ')
    const code = groups.text.replace(/^export /, '')
    const form = { code, doc: sentences(groups.doc) }
    const known = declarations.get(name)
    if (known === undefined) declarations.set(name, { name, kind, isExported, path, forms: [form] })
    // An overload that says nothing of its own belongs to what the one before it says.
    else if (form.doc !== '') known.forms.push(form)
    else known.forms.at(-1).code += `\n${code}`
  }
  modules.set(path, { declarations, exports })
  return { declarations, exports }
}

/** Every declaration that can be imported from an emitted file. */
export function exported(path) {
  const { declarations, exports } = moduleAt(path)
  const own = [...declarations.values()].filter(({ isExported }) => isExported)
  const others = exports.flatMap(({ target, names }) => {
    const there = exported(target)
    if (names === undefined) return there
    return names.map((name) => {
      const found = there.find((one) => one.name === name)
      if (found === undefined) throw new Error(`${path} exports ${name}, which ${target} has not.`)
      return found
    })
  })
  return [...own, ...others]
}

const isMentioned = (name, code) => new RegExp(`\\b${name}\\b`).test(code.replace(/\/\*\*[\s\S]*?\*\//g, ''))

/** The types of the same file that nobody can import, and that a declaration is written with. */
export function besides({ path, forms }, found = []) {
  for (const one of moduleAt(path).declarations.values()) {
    if (one.isExported || one.kind === 'const' || found.includes(one) || !forms.some(({ code }) => isMentioned(one.name, code))) continue
    found.push(one)
    besides(one, found)
  }
  return found
}
