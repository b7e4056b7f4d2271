/** Reads a schema of zod 3 (https://v3.zod.dev) as a tree. */
import { createCheck, createDateTimeCheck, createFormatCheck, createTimeCheck, readTimeOptions } from './textFormats.ts'
import { type Check, createLazy, createScalarOf, type Tree } from './tree.ts'

/** What defines a schema of zod 3. */
interface Zod3Definition extends Readonly<Record<string, unknown>> {
  readonly typeName: string
  readonly coerce?: boolean
  readonly checks?: readonly Zod3Check[]
}

/** A rule of zod 3. */
interface Zod3Check extends Readonly<Record<string, unknown>> {
  readonly kind: string
  readonly value?: unknown
  readonly inclusive?: boolean
}

/** Returns the definition of a schema of zod 3; undefined for any other value. */
export function getZod3Definition(value: unknown): Zod3Definition | undefined {
  const { _def: definition, _zod: later } = Object(value) as { readonly _def?: Partial<Zod3Definition>; readonly _zod?: unknown }
  return later === undefined && typeof definition?.typeName === 'string' ? (definition as Zod3Definition) : undefined
}

const escapePattern = (text: unknown): string => String(text).replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** A rule of a text in the words of zod 4; undefined for one that zod 4 has not. */
function toTextCheck({ kind, value, ...options }: Zod3Check): Check | undefined {
  switch (kind) {
    case 'min':
      return createCheck('min', [value], { minLength: value as number })
    case 'max':
      return createCheck('max', [value], { maxLength: value as number })
    case 'length':
      return createCheck('length', [value], { minLength: value as number, maxLength: value as number })
    case 'regex':
      return createCheck('regex', [options['regex']], { pattern: (options['regex'] as RegExp).source })
    case 'startsWith':
      return createCheck('startsWith', [value], { format: 'starts_with', pattern: `^${escapePattern(value)}.*` })
    case 'endsWith':
      return createCheck('endsWith', [value], { format: 'ends_with', pattern: `.*${escapePattern(value)}$` })
    case 'includes':
      return options['position'] === undefined
        ? createCheck('includes', [value], { format: 'includes', pattern: escapePattern(value) })
        : undefined
    case 'trim':
    case 'toLowerCase':
    case 'toUpperCase':
      return createCheck(kind, [], {})
    case 'datetime':
      return createDateTimeCheck(readTimeOptions(options))
    case 'time':
      return createTimeCheck(readTimeOptions(options))
    case 'date':
    case 'duration':
      return createFormatCheck(`iso.${kind}`)
    case 'uuid':
      return createFormatCheck('guid')
    case 'ip':
      return options['version'] === 'v4' ? createFormatCheck('ipv4') : undefined
    default:
      return createFormatCheck(kind)
  }
}

function toNumberCheck({ kind, value, inclusive }: Zod3Check): Check | undefined {
  const bound = value as number
  if (kind === 'int') return createCheck('int', [], { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
  if (kind === 'min')
    return inclusive ? createCheck('min', [bound], { minimum: bound }) : createCheck('gt', [bound], { exclusiveMinimum: bound })
  if (kind === 'max')
    return inclusive ? createCheck('max', [bound], { maximum: bound }) : createCheck('lt', [bound], { exclusiveMaximum: bound })
  if (kind === 'multipleOf') return createCheck('multipleOf', [bound], { multipleOf: bound })
  // Every number of JSON is finite.
  return kind === 'finite' ? createCheck('finite', [], {}) : undefined
}

/** The lengths of a list. */
function toLengthChecks(definition: Zod3Definition): readonly Check[] {
  const { value: exact } = Object(definition['exactLength']) as { readonly value?: number }
  const { value: least } = Object(definition['minLength']) as { readonly value?: number }
  const { value: most } = Object(definition['maxLength']) as { readonly value?: number }
  return [
    ...(exact === undefined ? [] : [createCheck('length', [exact], { minItems: exact, maxItems: exact })]),
    ...(least === undefined ? [] : [createCheck('min', [least], { minItems: least })]),
    ...(most === undefined ? [] : [createCheck('max', [most], { maxItems: most })]),
  ]
}

const literalType = (value: unknown): string => (value === null ? 'null' : typeof value)

/** The wrappers that need nothing but their name. */
const wrappers: Readonly<Record<string, 'optional' | 'nullable' | 'readonly'>> = {
  ZodOptional: 'optional',
  ZodNullable: 'nullable',
  ZodReadonly: 'readonly',
}

/** Scalars without rules, with their JSON Schema. */
const scalarsOfZod3: Readonly<Record<string, readonly [name: string, jsonSchema: Check['keywords'] | undefined]>> = {
  ZodBoolean: ['boolean', { type: 'boolean' }],
  ZodNull: ['null', { type: 'null' }],
  ZodAny: ['any', {}],
  ZodUnknown: ['unknown', {}],
  ZodNever: ['never', { not: {} }],
  ZodUndefined: ['undefined', { not: {} }],
  ZodVoid: ['void', { not: {} }],
  ZodBigInt: ['bigint', undefined],
  ZodNaN: ['nan', undefined],
}

/**
 * Reads a schema of zod 3.
 *
 * @param source which `getZod3Definition` knows
 */
export function readZod3(source: object): Tree {
  const definition = getZod3Definition(source) as Zod3Definition
  const { typeName, coerce = false, checks = [] } = definition
  const description = definition['description'] as string | undefined
  const part = { source, description }
  const read = (key: string): Tree => readZod3(definition[key] as object)
  const opaque = (what: string): Tree => ({ ...part, kind: 'opaque', what })
  const scalar = createScalarOf(part, coerce)
  const withChecks = (name: string, toOne: (check: Zod3Check) => Check | undefined): Tree => {
    const all = checks.map(toOne)
    const unknown = checks[all.indexOf(undefined)]
    return unknown === undefined ? scalar(name, { type: name }, [], all as readonly Check[]) : opaque(`z.${name}().${unknown.kind}()`)
  }
  const wrapper = wrappers[typeName]
  if (wrapper !== undefined) return { ...part, kind: 'wrapper', method: wrapper, inner: read('innerType') }
  const plain = scalarsOfZod3[typeName]
  if (plain !== undefined) return scalar(...plain)

  switch (typeName) {
    case 'ZodString':
      return withChecks('string', toTextCheck)
    case 'ZodNumber':
      return withChecks('number', toNumberCheck)
    case 'ZodDate':
      return checks.length === 0 ? { ...part, kind: 'date', coerces: coerce } : opaque('z.date() with bounds')
    case 'ZodLiteral': {
      const { value } = definition
      return scalar('literal', { type: literalType(value), const: value }, [value])
    }
    case 'ZodEnum': {
      const values = definition['values'] as readonly string[]
      return scalar('enum', { type: 'string', enum: values }, [values])
    }
    case 'ZodNativeEnum':
      return readEnum(definition['values'] as Readonly<Record<string, string | number>>, scalar)
    case 'ZodObject': {
      const shape = (definition['shape'] as () => Readonly<Record<string, object>>)()
      const catchall = readZod3(definition['catchall'] as object)
      const isOpen = !(catchall.kind === 'scalar' && catchall.name === 'never')
      const names = { strip: 'strip', strict: 'strict', passthrough: 'loose' } as const
      const rest = isOpen ? catchall : names[definition['unknownKeys'] as keyof typeof names]
      return { ...part, kind: 'object', members: Object.entries(shape).map(([name, member]) => [name, readZod3(member)] as const), rest }
    }
    case 'ZodArray':
      return { ...part, kind: 'array', item: read('type'), checks: toLengthChecks(definition) }
    case 'ZodTuple':
      return {
        ...part,
        kind: 'tuple',
        items: (definition['items'] as readonly object[]).map(readZod3),
        rest: definition['rest'] ? read('rest') : undefined,
      }
    case 'ZodRecord':
      return { ...part, kind: 'record', key: read('keyType'), value: read('valueType') }
    case 'ZodUnion':
    case 'ZodDiscriminatedUnion':
      return {
        ...part,
        kind: 'union',
        options: Array.from(definition['options'] as Iterable<object>, readZod3),
        discriminator: definition['discriminator'] as string | undefined,
      }
    case 'ZodIntersection':
      return { ...part, kind: 'intersection', left: read('left'), right: read('right') }
    case 'ZodBranded':
      return { ...read('type'), source }
    case 'ZodPipeline':
      return { ...part, kind: 'pipe', input: read('in'), output: read('out') }
    case 'ZodDefault':
      return {
        ...part,
        kind: 'wrapper',
        method: 'default',
        inner: read('innerType'),
        value: (definition['defaultValue'] as () => unknown)(),
      }
    case 'ZodCatch':
      return {
        ...part,
        kind: 'wrapper',
        method: 'catch',
        inner: read('innerType'),
        value: (definition['catchValue'] as (context: object) => unknown)({ error: undefined, input: undefined }),
      }
    case 'ZodEffects': {
      const { type, ...effect } = definition['effect'] as {
        readonly type: 'transform' | 'refinement' | 'preprocess'
        readonly transform?: unknown
        readonly refinement?: unknown
      }
      const inner = read('schema')
      // `z.instanceof(File)` and `z.custom<File>()` are refinements of any value.
      if (type === 'refinement' && inner.kind === 'scalar' && inner.name === 'any') return { ...part, kind: 'opaque', what: 'z.custom()' }
      return { ...part, kind: type === 'refinement' ? 'refine' : type, inner, run: effect.transform ?? effect.refinement }
    }
    case 'ZodLazy':
      return createLazy(part, definition['getter'] as () => object, readZod3)
    default:
      return opaque(`z.${typeName.replace('Zod', '').toLowerCase()}()`)
  }
}

/** An enum of TypeScript. Numbers have a name for each value as well. */
export function readEnum(
  entries: Readonly<Record<string, string | number>>,
  scalar: (name: string, jsonSchema: Check['keywords'], args: readonly unknown[]) => Tree,
): Tree {
  const kept = Object.entries(entries).filter(([name, value]) => typeof entries[value] !== 'number' || entries[value] === entries[name])
  const values = kept.map(([, value]) => value)
  const types = [...new Set(values.map((value) => typeof value))]
  const names = kept.every(([name, value]) => name === value) ? values : Object.fromEntries(kept)
  return scalar('enum', { ...(types.length === 1 && { type: types[0] as string }), enum: values }, [names])
}
