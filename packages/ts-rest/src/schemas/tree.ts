/** A schema of zod 3 or zod 4 as plain data: what both versions say, in the words of zod 4. */
import type { JsonSchema } from 'lapidary'

/** A rule of a scalar or a list, as zod 4 writes it: `.min(1)`. */
export interface Check {
  readonly method: string
  readonly args: readonly unknown[]
  /** What it adds to a JSON Schema. */
  readonly keywords: JsonSchema
}

/** What every part has. */
interface Part {
  /** The schema of zod that it was read from. */
  readonly source: object
  readonly description: string | undefined
}

/** A value without parts: a text, a number, a choice. */
export interface ScalarTree extends Part {
  readonly kind: 'scalar'
  /** What makes it in zod 4: `string`, `coerce.number`, `literal`. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly checks: readonly Check[]
  /** Undefined: JSON has no such value. */
  readonly jsonSchema: JsonSchema | undefined
}

/** A date: on the wire a text. */
export interface DateTree extends Part {
  readonly kind: 'date'
  /** Whether any text that `new Date` reads is one. */
  readonly coerces: boolean
}

/** A file of a form. */
export interface FileTree extends Part {
  readonly kind: 'file'
}

export interface ObjectTree extends Part {
  readonly kind: 'object'
  readonly members: readonly (readonly [name: string, tree: Tree])[]
  /** What becomes of other members. */
  readonly rest: 'strip' | 'strict' | 'loose' | Tree
}

export interface ArrayTree extends Part {
  readonly kind: 'array'
  readonly item: Tree
  readonly checks: readonly Check[]
}

export interface TupleTree extends Part {
  readonly kind: 'tuple'
  readonly items: readonly Tree[]
  readonly rest: Tree | undefined
}

export interface RecordTree extends Part {
  readonly kind: 'record'
  readonly key: Tree
  readonly value: Tree
}

export interface UnionTree extends Part {
  readonly kind: 'union'
  readonly options: readonly Tree[]
  readonly discriminator: string | undefined
}

export interface IntersectionTree extends Part {
  readonly kind: 'intersection'
  readonly left: Tree
  readonly right: Tree
}

/** A schema with one method after it: `.optional()`, `.default('x')`. */
export interface WrapperTree extends Part {
  readonly kind: 'wrapper'
  readonly method: 'optional' | 'nullable' | 'default' | 'prefault' | 'catch' | 'readonly'
  readonly inner: Tree
  /** Of a default. */
  readonly value?: unknown
}

/** A schema with a function of the application. */
export interface FunctionTree extends Part {
  readonly kind: 'transform' | 'refine' | 'preprocess'
  readonly inner: Tree
  readonly run: unknown
  /** Of a refinement: its message and its path. */
  readonly options?: { readonly error?: string; readonly path?: readonly PropertyKey[] }
}

/** A schema after a schema. */
export interface PipeTree extends Part {
  readonly kind: 'pipe'
  readonly input: Tree
  readonly output: Tree
}

/** A part that is made when it is needed: one that contains itself. */
export interface LazyTree extends Part {
  readonly kind: 'lazy'
  /** Returns the part. */
  readonly read: () => Tree
}

/** What has no other form: it can be used, and not written down. */
export interface OpaqueTree extends Part {
  readonly kind: 'opaque'
  /** What it is: `z.map()`. */
  readonly what: string
}

/** A part of a schema. */
export type Tree =
  | ScalarTree
  | DateTree
  | FileTree
  | ObjectTree
  | ArrayTree
  | TupleTree
  | RecordTree
  | UnionTree
  | IntersectionTree
  | WrapperTree
  | FunctionTree
  | PipeTree
  | LazyTree
  | OpaqueTree

/** The parts of a part. */
export function listParts(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'object':
      return [...tree.members.map(([, member]) => member), ...(typeof tree.rest === 'object' ? [tree.rest] : [])]
    case 'array':
      return [tree.item]
    case 'tuple':
      return [...tree.items, ...(tree.rest === undefined ? [] : [tree.rest])]
    case 'record':
      return [tree.key, tree.value]
    case 'union':
      return tree.options
    case 'intersection':
      return [tree.left, tree.right]
    case 'pipe':
      return [tree.input, tree.output]
    case 'wrapper':
    case 'transform':
    case 'refine':
    case 'preprocess':
      return [tree.inner]
    case 'lazy':
      return [tree.read()]
    default:
      return []
  }
}

/** Whether a part, or one within it, fits. */
export function someTree(tree: Tree, fits: (part: Tree) => boolean, seen: Set<object> = new Set()): boolean {
  if (fits(tree)) return true
  if (tree.kind === 'lazy') {
    if (seen.has(tree.source)) return false
    seen.add(tree.source)
  }
  return listParts(tree).some((part) => someTree(part, fits, seen))
}

/** What the functions of `z.lazy()` return. They may make a schema anew at each call, and schemas may lead to each other in many ways. */
const lazyTrees = new WeakMap<object, Tree>()

/** Returns the function that makes the scalars of one schema. @param coerces whether the schema makes a value of its type of any other one */
export const createScalarOf =
  (part: Part, coerces: boolean) =>
  (name: string, jsonSchema: JsonSchema | undefined, args: readonly unknown[] = [], checks: readonly Check[] = []): Tree => ({
    ...part,
    kind: 'scalar',
    name: coerces ? `coerce.${name}` : name,
    args,
    checks,
    jsonSchema,
  })

/** A part that a function returns. */
export const createLazy = (part: Part, get: () => object, read: (source: object) => Tree): LazyTree => ({
  ...part,
  kind: 'lazy',
  read: () => {
    const tree = lazyTrees.get(part.source) ?? read(get())
    lazyTrees.set(part.source, tree)
    return tree
  },
})

/** The part without the methods after it, such as `.optional()`. */
export const unwrap = (tree: Tree): Tree =>
  tree.kind === 'wrapper' || tree.kind === 'refine' || tree.kind === 'transform' ? unwrap(tree.inner) : tree
