/** The source of a function of a schema, where it means the same in another file. */

/** Functions of the language that schemas are given as they are. */
const globals: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [Number, 'Number'],
  [String, 'String'],
  [Boolean, 'Boolean'],
  [BigInt, 'BigInt'],
  [Number.parseFloat, 'Number.parseFloat'],
  [Number.isInteger, 'Number.isInteger'],
  [Number.isFinite, 'Number.isFinite'],
  [Number.isSafeInteger, 'Number.isSafeInteger'],
  [JSON.parse, 'JSON.parse'],
])

const keywords = new Set(
  'const let var function return if else for of in while new typeof instanceof void null undefined true false this async await throw try catch'.split(
    ' ',
  ),
)

/** Names that every program has. */
const isGlobal = (name: string): boolean => name in globalThis

/** The names that a function uses and does not declare itself. What looks like one in a text counts, too. */
function listFreeNames(text: string): readonly string[] {
  const code = text.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''").replace(/\/(?:[^/\\\n*]|\\.)+\/[a-z]*(?=[.,)\s])/g, "''")
  const declared = new Set([
    ...[...code.matchAll(/\b(?:const|let|var)\s+([\w$]+)/g)].map(([, name = '']) => name),
    ...[...code.matchAll(/(?:^|[^\w$.])\(?([^()=]*)\)?\s*=>/g)].flatMap(([, names = '']) => names.match(/[A-Za-z_$][\w$]*/g) ?? []),
    ...[...code.matchAll(/\bfunction\b[^(]*\(([^)]*)\)/g)].flatMap(([, names = '']) => names.match(/[A-Za-z_$][\w$]*/g) ?? []),
  ])
  const names = [...code.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:(?!:))/g)].map(([name]) => name)
  return names.filter((name) => !declared.has(name) && !keywords.has(name) && !isGlobal(name))
}

/**
 * The source of a function.
 *
 * @returns undefined for one of several lines, and for one that uses what its file declares
 */
export function writeFunction(run: unknown): string | undefined {
  const known = globals.get(run)
  if (known !== undefined || typeof run !== 'function') return known
  const text = Function.prototype.toString.call(run).trim()
  if (text.includes('\n') || text.includes('`') || text.includes('[native code]') || text.startsWith('class')) return undefined
  // A method would be no expression.
  if (!/^(?:async\s*)?(?:function\b|\(|[A-Za-z_$][\w$]*\s*=>)/.test(text) || listFreeNames(text).length > 0) return undefined
  const quoted = text.includes("'") ? text : text.replace(/"([^"\\\n]*)"/g, "'$1'")
  return quoted.replace(/^([A-Za-z_$][\w$]*)\s*=>\s*/, '($1) => ').replace(/;\s*}$/, ' }')
}
