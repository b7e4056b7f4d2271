// Reads the declarations that tsc emits, since TypeScript 7 has no compiler API. Each statement begins at the start of a line, with its docstring
// above it. Its further lines are indented or begin with a closing bracket.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPublishedFolders, readManifestText } from './workspaces.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const statement = /^(?<doc>\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?<text>[^\s/}\])>].*(?:\n(?:[ \t]+.*|[}\])>].*))*)$/gm
const declared = /^(?:export )?(?:declare )?(?:abstract )?(?<kind>const|function|class|interface|type) (?<name>\w+)/
const opening = /[{([]/g
const closing = /[})\]]/g
const countMatches = (text, sign) => text.match(sign)?.length ?? 0

/** The text of a docstring, without its stars. */
export const parseDoc = (doc = '') =>
  doc
    .trim()
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .replace(/^ \* ?/gm, '')
    .trim()

/** The emitted file of an entry point of our packages, such as `lapidary/node`. */
function findDeclarations(specifier) {
  for (const folder of listPublishedFolders()) {
    const { name, exports = {} } = JSON.parse(readManifestText(folder))
    const { types } = exports[specifier.replace(name, '.')] ?? {}
    if (types !== undefined) return join(root, folder, types)
  }
  throw new Error(`No package of this repository has the entry point ${specifier}.`)
}

const modules = new Map()

/** Parses one emitted file. @returns its declarations by name, each with its overloads, and what it exports from other files */
function parseModule(path) {
  const known = modules.get(path)
  if (known !== undefined) return known
  const text = readFileSync(path, 'utf8').replace(/\/\/# sourceMappingURL=.*$/m, '')
  const declarations = new Map()
  const exports = []
  for (const { groups } of text.matchAll(statement)) {
    if (countMatches(groups.text, opening) !== countMatches(groups.text, closing))
      throw new Error(`${path} has a statement whose brackets do not match: ${groups.text}`)
    const [, names, from] = /^export (?:type )?(\*|\{[^}]*\}) from '(.*)';?$/s.exec(groups.text) ?? []
    if (from !== undefined) {
      const isRelative = from.startsWith('.')
      const target = isRelative ? join(dirname(path), from.replace(/\.[jt]s$/, '.d.ts')) : findDeclarations(from)
      const listed = names === '*' ? undefined : names.slice(1, -1).split(',')
      exports.push({ target, names: listed?.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '') })
      continue
    }
    const { kind, name } = declared.exec(groups.text)?.groups ?? {}
    if (name === undefined) continue
    const isExported = groups.text.startsWith('export ')
    const code = groups.text.replace(/^export /, '')
    const form = { code, doc: parseDoc(groups.doc) }
    const known = declarations.get(name)
    if (known === undefined) declarations.set(name, { name, kind, isExported, path, forms: [form] })
    // An overload without a docstring shares the docstring before it.
    else if (form.doc !== '') known.forms.push(form)
    else known.forms.at(-1).code += `\n${code}`
  }
  modules.set(path, { declarations, exports })
  return { declarations, exports }
}

/** A declaration under the name by which it is exported. */
function renameDeclaration(declaration, name) {
  const own = new RegExp(`\\b${declaration.name}\\b`)
  return { ...declaration, name, forms: declaration.forms.map((form) => ({ ...form, code: form.code.replace(own, name) })) }
}

/** Every declaration that can be imported from an emitted file. */
export function listExports(path) {
  const { declarations, exports } = parseModule(path)
  const own = [...declarations.values()].filter(({ isExported }) => isExported)
  const others = exports.flatMap(({ target, names }) => {
    const there = listExports(target)
    if (names === undefined) return there
    return names.map((text) => {
      const [name, alias = name] = text.split(' as ')
      const found = there.find((one) => one.name === name)
      if (found === undefined) throw new Error(`${path} exports ${name}, which is not in ${target}.`)
      return alias === name ? found : renameDeclaration(found, alias)
    })
  })
  return [...own, ...others]
}

const isMentioned = (name, code) => new RegExp(`\\b${name}\\b`).test(code.replace(/\/\*\*[\s\S]*?\*\//g, ''))

/** The types of the same file that a declaration uses and that cannot be imported. */
export function listPrivateTypes({ path, forms }, isPublic, found = []) {
  for (const one of parseModule(path).declarations.values()) {
    if (isPublic(one) || one.kind === 'const' || found.includes(one) || !forms.some(({ code }) => isMentioned(one.name, code))) continue
    found.push(one)
    listPrivateTypes(one, isPublic, found)
  }
  return found
}
