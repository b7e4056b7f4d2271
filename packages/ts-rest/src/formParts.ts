/** The parts of a form with files, of the schema of its body. */
import { type AnyParameter, array, bool, type Codec, codec, file, int, oneOf, optional, parseError, text } from 'lapidary'
import type { Tree } from './schemas/tree.ts'

/** One part: the word that reads it. */
export interface FormPartPlan {
  readonly word: 'file' | 'text' | 'int' | 'number' | 'bool' | 'oneOf'
  /** Of `oneOf`. */
  readonly values?: readonly string[]
  readonly isList: boolean
  readonly isOptional: boolean
}

const isFile = (tree: Tree): boolean =>
  tree.kind === 'file' ||
  (tree.kind === 'opaque' && tree.what === 'z.custom()') ||
  (tree.kind === 'scalar' && (tree.name === 'any' || tree.name === 'unknown'))

/** The word of a part; undefined for one that is no text, number, boolean, choice or file. */
function planWord(tree: Tree): Pick<FormPartPlan, 'word' | 'values'> | undefined {
  if (isFile(tree)) return { word: 'file' }
  if (tree.kind === 'refine' || tree.kind === 'transform') return planWord(tree.inner)
  if (tree.kind === 'pipe') return planWord(tree.input)
  if (tree.kind === 'date') return { word: 'text' }
  if (tree.kind !== 'scalar') return undefined
  const name = tree.name.replace('coerce.', '')
  if (name === 'string') return { word: 'text' }
  if (name === 'boolean') return { word: 'bool' }
  if (name === 'number') return { word: tree.checks.some(({ method }) => method === 'int') ? 'int' : 'number' }
  const [values] = tree.args
  const isChoice = name === 'enum' && Array.isArray(values) && values.every((value) => typeof value === 'string')
  return isChoice ? { word: 'oneOf', values } : undefined
}

function planPart(tree: Tree): FormPartPlan | undefined {
  if (tree.kind === 'wrapper') {
    const part = planPart(tree.inner)
    return part === undefined || tree.method === 'readonly' ? part : { ...part, isOptional: true }
  }
  if (tree.kind === 'refine' && !isFile(tree.inner)) return planPart(tree.inner)
  const isList = tree.kind === 'array'
  const word = planWord(isList ? tree.item : tree)
  return word && { ...word, isList, isOptional: false }
}

/** The parts of a form; undefined for a schema that does not say what each of them is. */
export function planParts(tree: Tree | undefined): Readonly<Record<string, FormPartPlan>> | undefined {
  if (tree?.kind === 'refine') return planParts(tree.inner)
  if (tree?.kind !== 'object') return undefined
  const parts = tree.members.map(([name, member]) => [name, planPart(member)] as const)
  const known = parts.filter((part): part is [string, FormPartPlan] => part[1] !== undefined)
  return known.length === parts.length ? Object.fromEntries(known) : undefined
}

/** A number of a form, which has a fraction. */
const number: Codec<number> = codec<number>({
  name: 'number',
  parse: (value) => (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : parseError('a number')),
  print: String,
  schema: { type: 'number' },
  example: 1.5,
})

/** The text of a part. The client of ts-rest sends JSON for each value that is no file, so texts are in quotes. */
function unquote(value: string): string {
  if (!value.startsWith('"') || !value.endsWith('"')) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'string' ? parsed : value
  } catch {
    return value
  }
}

/** The same codec, which also reads what the client of ts-rest sends. */
const acceptQuotes = (inner: Codec<unknown>): Codec<unknown> =>
  Object.freeze({
    ...inner,
    name: inner.name,
    parse: (value: string) => inner.parse(unquote(value)),
    read: ({ values, isPresent }: Parameters<Codec<unknown>['read']>[0]) => inner.read({ values: values.map(unquote), isPresent }),
  })

/** The codec of a part. */
export function createPart({ word, values = [], isList, isOptional }: FormPartPlan): AnyParameter {
  if (word === 'file') {
    const files = isList ? array(file()) : file()
    return isOptional ? optional(files as AnyParameter) : files
  }
  const words = { text, int, number, bool } as const
  const one = acceptQuotes((word === 'oneOf' ? oneOf(...(values as readonly [string, ...string[]])) : words[word]) as Codec<unknown>)
  const part: AnyParameter = isList ? array(one) : one
  return isOptional ? optional(part) : part
}
