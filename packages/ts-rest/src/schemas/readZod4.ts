/** Reads a schema of zod 4 (https://zod.dev/library-authors) as a tree. */

import { readEnum } from './readZod3.ts'
import { createCheck, createDateTimeCheck, createFormatCheck, createTimeCheck, readTimeOptions } from './textFormats.ts'
import { type Check, createLazy, createScalarOf, type Tree } from './tree.ts'

/** What defines a schema or a rule of zod 4. */
interface Zod4Definition extends Readonly<Record<string, unknown>> {
  readonly type: string
  readonly check?: string
  readonly format?: string
  readonly coerce?: boolean
  readonly checks?: readonly { readonly _zod: { readonly def: Zod4Definition } }[]
}

/** Returns the definition of a schema of zod 4; undefined for any other value. */
export const getZod4Definition = (value: unknown): Zod4Definition | undefined =>
  (Object(value) as { readonly _zod?: { readonly def?: Zod4Definition } })._zod?.def

/** Formats whose options are their own. */
const ownFormats: Readonly<Record<string, (definition: Zod4Definition) => Check | undefined>> = {
  regex: ({ pattern }) => createCheck('regex', [pattern], { pattern: (pattern as RegExp).source }),
  starts_with: ({ prefix, pattern }) => createCheck('startsWith', [prefix], { format: 'starts_with', pattern: (pattern as RegExp).source }),
  ends_with: ({ suffix, pattern }) => createCheck('endsWith', [suffix], { format: 'ends_with', pattern: (pattern as RegExp).source }),
  includes: ({ includes, position, pattern }) =>
    position === undefined ? createCheck('includes', [includes], { format: 'includes', pattern: (pattern as RegExp).source }) : undefined,
  datetime: (definition) => createDateTimeCheck(readTimeOptions(definition)),
  time: (definition) => createTimeCheck(readTimeOptions(definition)),
  date: () => createFormatCheck('iso.date'),
  duration: () => createFormatCheck('iso.duration'),
}

/** A rule in its own words; undefined for one that cannot be written down. */
function readCheck(definition: Zod4Definition): Check | undefined {
  const { check, format = '', minimum, maximum, length, value, inclusive, tx } = definition
  const bound = value as number
  switch (check) {
    case 'min_length':
      return createCheck('min', [minimum], {})
    case 'max_length':
      return createCheck('max', [maximum], {})
    case 'length_equals':
      return createCheck('length', [length], {})
    case 'greater_than':
      return createCheck(inclusive ? 'min' : 'gt', [bound], {})
    case 'less_than':
      return createCheck(inclusive ? 'max' : 'lt', [bound], {})
    case 'multiple_of':
      return createCheck('multipleOf', [bound], {})
    case 'number_format':
      return format === 'safeint' ? createCheck('int', [], {}) : undefined
    case 'string_format':
      return Object.hasOwn(ownFormats, format) ? ownFormats[format]?.(definition) : createFormatCheck(format)
    case 'overwrite':
      return readOverwrite(tx)
    default:
      return undefined
  }
}

/** `trim`, `toLowerCase` and `toUpperCase` are functions there; what they do tells which one it is. */
function readOverwrite(change: unknown): Check | undefined {
  const probe = ' aB '
  const results: Readonly<Record<string, string>> = { trim: 'aB', toLowerCase: ' ab ', toUpperCase: ' AB ' }
  try {
    const result = (change as (text: string) => unknown)(probe)
    const found = Object.entries(results).find(([, text]) => text === result)
    return found && createCheck(found[0], [], {})
  } catch {
    return undefined
  }
}

/** Kinds that need nothing but their name, and whether JSON has such values. */
const scalarsOfZod4: Readonly<Record<string, Check['keywords'] | undefined>> = {
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  any: {},
  unknown: {},
  never: { not: {} },
  undefined: { not: {} },
  void: { not: {} },
  bigint: undefined,
  nan: undefined,
}

const wrapperMethods = ['optional', 'nullable', 'readonly'] as const

/** The schemas that are being read: the getters of an object can return one of them. */
const openSchemas = new Set<object>()

/**
 * Reads a schema of zod 4.
 *
 * @param source which `getZod4Definition` knows
 */
export function readZod4(source: object): Tree {
  if (openSchemas.has(source)) return createLazy({ source, description: undefined }, () => source, readZod4)
  openSchemas.add(source)
  try {
    return readDefinition(source)
  } finally {
    openSchemas.delete(source)
  }
}

function readDefinition(source: object): Tree {
  const definition = getZod4Definition(source) as Zod4Definition
  const { type, coerce = false, checks = [] } = definition
  const { description } = source as { readonly description?: string }
  const part = { source, description }
  const read = (key: string): Tree => readZod4(definition[key] as object)
  const opaque = (what: string): Tree => ({ ...part, kind: 'opaque', what })
  const scalar = createScalarOf(part, coerce)
  const rules = checks.map(({ _zod: { def } }) => def)
  const refinements = rules.filter(({ check }) => check === 'custom')
  const own = definition.check === undefined || type === 'custom' ? [] : [definition]
  const plainRules = [...own, ...rules.filter(({ check }) => check !== 'custom')]
  const readRules = plainRules.map(readCheck)
  const unreadable = plainRules[readRules.indexOf(undefined)]
  if (unreadable !== undefined) return opaque(`z.${type}() with the rule ${unreadable.format ?? unreadable.check}`)
  const all = readRules as readonly Check[]
  /** Refinements come after everything else. One in between is not the same. */
  const refine = (inner: Tree): Tree =>
    refinements.reduce<Tree>((refined, { fn, path, error }) => {
      const message = typeof error === 'function' ? (error as (issue: object) => unknown)({}) : undefined
      const options = {
        ...(typeof message === 'string' && { error: message }),
        ...(Array.isArray(path) && { path: path as PropertyKey[] }),
      }
      return { ...part, kind: 'refine', inner: refined, run: fn, options }
    }, inner)

  if (Object.hasOwn(scalarsOfZod4, type)) return refine(scalar(type, scalarsOfZod4[type]))
  const wrapper = wrapperMethods.find((method) => method === type)
  if (wrapper !== undefined) return refine({ ...part, kind: 'wrapper', method: wrapper, inner: read('innerType') })

  switch (type) {
    case 'string':
    case 'number':
      return refine(scalar(type, { type }, [], all))
    case 'date':
      return all.length === 0 ? refine({ ...part, kind: 'date', coerces: coerce }) : opaque('z.date() with bounds')
    case 'file':
      return { ...part, kind: 'file' }
    case 'custom':
      return opaque('z.custom()')
    case 'literal': {
      const values = definition['values'] as readonly unknown[]
      return refine(scalar('literal', {}, [values.length === 1 ? values[0] : values]))
    }
    case 'enum':
      return refine(readEnum(definition['entries'] as Readonly<Record<string, string | number>>, scalar))
    case 'object': {
      const members = Object.entries(definition['shape'] as Readonly<Record<string, object>>)
      const catchall = definition['catchall'] === undefined ? undefined : read('catchall')
      const names = { never: 'strict', unknown: 'loose' } as const
      const rest = catchall === undefined ? 'strip' : (catchall.kind === 'scalar' && names[catchall.name as keyof typeof names]) || catchall
      return refine({ ...part, kind: 'object', members: members.map(([name, member]) => [name, readZod4(member)] as const), rest })
    }
    case 'array':
      return refine({ ...part, kind: 'array', item: read('element'), checks: all })
    case 'tuple':
      return refine({
        ...part,
        kind: 'tuple',
        items: (definition['items'] as readonly object[]).map(readZod4),
        rest: definition['rest'] ? read('rest') : undefined,
      })
    case 'record':
      return refine({ ...part, kind: 'record', key: read('keyType'), value: read('valueType') })
    case 'union':
      return refine({
        ...part,
        kind: 'union',
        options: (definition['options'] as readonly object[]).map(readZod4),
        discriminator: definition['discriminator'] as string | undefined,
      })
    case 'intersection':
      return refine({ ...part, kind: 'intersection', left: read('left'), right: read('right') })
    case 'default':
    case 'prefault':
      return refine({ ...part, kind: 'wrapper', method: type, inner: read('innerType'), value: definition['defaultValue'] })
    case 'catch':
      return refine({
        ...part,
        kind: 'wrapper',
        method: 'catch',
        inner: read('innerType'),
        value: (definition['catchValue'] as (context: object) => unknown)({
          issues: [],
          error: undefined,
          input: undefined,
          value: undefined,
        }),
      })
    case 'lazy':
      return createLazy(part, definition['getter'] as () => object, readZod4)
    case 'pipe':
      return refine(readPipe(definition, part, opaque))
    default:
      return opaque(`z.${type}()`)
  }
}

/** A transform is a pipe into a function there, and a preprocess is one out of a function. */
function readPipe(
  definition: Zod4Definition,
  part: { readonly source: object; readonly description: string | undefined },
  opaque: (what: string) => Tree,
): Tree {
  const [input, output] = [definition['in'], definition['out']].map((end) => ({ end: end as object, own: getZod4Definition(end) }))
  if (definition['transform'] !== undefined) return opaque('z.codec()')
  if (output?.own?.type === 'transform')
    return { ...part, kind: 'transform', inner: readZod4(input?.end as object), run: output.own['transform'] }
  if (input?.own?.type === 'transform')
    return { ...part, kind: 'preprocess', inner: readZod4(output?.end as object), run: input.own['transform'] }
  return { ...part, kind: 'pipe', input: readZod4(input?.end as object), output: readZod4(output?.end as object) }
}
