/** Writes a schema in the words of zod 4. */

import { type Code, call, getter, listCode, member, method, record, writeName, writeText, writeValue } from 'lapidary/internal'
import { getZod3Definition } from '../schemas/readZod3.ts'
import type { Place } from '../schemas/toJsonSchema.ts'
import { isOneWay } from '../schemas/toSchema.ts'
import { type Check, type FunctionTree, listParts, type ScalarTree, type Tree, type WrapperTree } from '../schemas/tree.ts'
import { writeFunction } from './writeFunction.ts'

/** A schema that can be used, and not written down. */
export class UnwrittenError extends Error {
  override readonly name = 'UnwrittenError'
}

/** What the schemas of a file share. */
export interface SchemaWriter {
  /**
   * The name of the constant that is a schema; undefined where it stands in place.
   *
   * @param isLater whether the constant may still be without its value
   */
  readonly findName: (tree: Tree, isLater: boolean) => string | undefined
  /** In a getter, which runs when all constants have their values: the lazy parts around the code. */
  readonly lazyParts?: readonly object[]
  /** Notes that the file needs a codec of dates. */
  readonly useDate: (name: 'dateTime' | 'dateText') => void
}

const textFormats = new Set('email url guid uuid cuid cuid2 ulid nanoid base64 ipv4 iso.date iso.time iso.datetime iso.duration'.split(' '))

/** @throws UnwrittenError for a value that has no code */
function requireValue(value: unknown, what: string): Code {
  const code = writeValue(value)
  if (code === undefined) throw new UnwrittenError(`${what} has a value that cannot be written down`)
  return code
}

const addCheck = (code: Code, { method: name, args }: Check): Code =>
  method(code, name.replace('iso.', ''), ...args.map((value) => requireValue(value, `.${name}()`)))

function writeScalar({ name, args, checks }: ScalarTree, place: Place): Code {
  const isText = place === 'text'
  // The text of a parameter is read by its JSON Schema already.
  const plain = isText ? name.replace('coerce.', '') : name
  if (plain === 'bigint' || plain === 'coerce.bigint') throw new UnwrittenError('z.bigint() has no JSON Schema')
  // zod 4 has a JSON Schema of z.never() only.
  if (plain === 'undefined' || plain === 'void') return method(call('z.never'), 'optional')
  if (isText && (plain === 'any' || plain === 'unknown')) return call('z.string')
  const kept = checks.filter(({ method: check }) => check !== 'finite')
  const [first, ...others] = kept
  if (plain === 'string' && first !== undefined && textFormats.has(first.method))
    return others.reduce(addCheck, call(`z.${first.method}`, ...first.args.map((value) => requireValue(value, first.method))))
  if (plain === 'number' && first?.method === 'int') return others.reduce(addCheck, call('z.int'))
  return kept.reduce(addCheck, call(`z.${plain}`, ...args.map((value) => requireValue(value, `z.${plain}()`))))
}

function writeWrapper({ method: name, inner, value }: WrapperTree, place: Place, writer: SchemaWriter): Code {
  const code = writeSchema(inner, place, writer)
  if (name === 'optional' && inner.kind === 'wrapper' && inner.method === 'optional') return code
  if (name === 'optional' || name === 'nullable' || name === 'readonly') return method(code, name)
  // The default of zod 3 is a value of the wire.
  const isWire = name === 'default' && getZod3Definition(inner.source) !== undefined && isOneWay(inner)
  return method(code, isWire ? 'prefault' : name, requireValue(value, `.${name}()`))
}

function writeFunctionTree({ kind, inner, run, options = {} }: FunctionTree, place: Place, writer: SchemaWriter): Code {
  const text = writeFunction(run)
  if (text === undefined) throw new UnwrittenError(`its ${kind === 'refine' ? 'refinement' : kind} uses what its file declares`)
  const code = writeSchema(inner, place, writer)
  if (kind === 'transform') return method(code, 'transform', text)
  if (kind === 'refine')
    return method(code, 'refine', text, ...(Object.keys(options).length === 0 ? [] : [requireValue(options, '.refine()')]))
  if (place === 'text') throw new UnwrittenError('z.preprocess() reads the text of a parameter')
  return call('z.preprocess', text, code)
}

/** Whether a part is made when it is needed, or has such a one. One behind another object is that object's own. */
const containsItself = (tree: Tree): boolean => tree.kind === 'lazy' || (tree.kind !== 'object' && listParts(tree).some(containsItself))

/** Writes a part that has no name of its own. */
function writeTree(tree: Tree, place: Place, writer: SchemaWriter): Code {
  const write = (part: Tree): Code => writeSchema(part, place, writer)
  const { findName, useDate, lazyParts } = writer
  switch (tree.kind) {
    case 'scalar':
      return writeScalar(tree, place)
    case 'date': {
      if (place === 'text' && tree.coerces) return method(call('z.string'), 'pipe', 'z.coerce.date()')
      const name = tree.coerces ? 'dateText' : 'dateTime'
      writer.useDate(name)
      return name
    }
    case 'object': {
      const names = { strip: 'z.object', strict: 'z.strictObject', loose: 'z.looseObject' }
      const members = tree.members.map(([name, one]) =>
        containsItself(one)
          ? getter(writeName(name), writeSchema(one, place, { findName, useDate, lazyParts: lazyParts ?? [] }))
          : member(writeName(name), write(one)),
      )
      const isBroken = members.length > 1 || tree.members.some(([, one]) => containsItself(one))
      const code = call(typeof tree.rest === 'string' ? names[tree.rest] : 'z.object', record(members, isBroken))
      return typeof tree.rest === 'string' ? code : method(code, 'catchall', write(tree.rest))
    }
    case 'array':
      return tree.checks.reduce(addCheck, call('z.array', write(tree.item)) as Code)
    case 'tuple':
      return call('z.tuple', listCode(tree.items.map(write)), ...(tree.rest === undefined ? [] : [write(tree.rest)]))
    case 'record': {
      // A record of zod 3 need not have every key.
      const isPartial = getZod3Definition(tree.source) !== undefined && tree.key.kind === 'scalar' && tree.key.name === 'enum'
      return call(isPartial ? 'z.partialRecord' : 'z.record', write(tree.key), write(tree.value))
    }
    case 'union': {
      const options = listCode(tree.options.map(write))
      return tree.discriminator === undefined
        ? call('z.union', options)
        : call('z.discriminatedUnion', writeText(tree.discriminator), options)
    }
    case 'intersection':
      return call('z.intersection', write(tree.left), write(tree.right))
    case 'wrapper':
      return writeWrapper(tree, place, writer)
    case 'transform':
    case 'refine':
    case 'preprocess':
      return writeFunctionTree(tree, place, writer)
    case 'pipe':
      return method(write(tree.input), 'pipe', write(tree.output))
    case 'lazy': {
      if (lazyParts?.includes(tree.source) !== false) throw new UnwrittenError('it contains itself, and is no object')
      return writeSchema(tree.read(), place, { findName, useDate, lazyParts: [...lazyParts, tree.source] })
    }
    case 'file':
      throw new UnwrittenError('z.file() stands outside of a form')
    case 'opaque':
      throw new UnwrittenError(`it has ${tree.what}`)
  }
}

/** Whether the words of a part are those of the part within it, as `.optional()` of zod 3 has them. */
const repeatsDescription = (tree: Tree): boolean =>
  tree.kind === 'wrapper' && tree.method !== 'nullable' && tree.description === tree.inner.description

/** Writes a schema without its name: what a constant is. */
export function writeDefinition(tree: Tree, place: Place, writer: SchemaWriter): Code {
  const code = writeTree(tree, place, writer)
  return tree.description === undefined || repeatsDescription(tree) ? code : method(code, 'describe', writeText(tree.description))
}

/**
 * Writes a schema.
 *
 * @throws UnwrittenError for one that cannot be written down
 */
export const writeSchema = (tree: Tree, place: Place, writer: SchemaWriter): Code =>
  writer.findName(tree, writer.lazyParts !== undefined) ?? writeDefinition(tree, place, writer)
