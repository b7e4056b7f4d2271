/** Values for a witness: those that both descriptions allow, and those that only the writer's does. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { encodePointerStep, isJsonObject, parseSchema, type SchemaNode } from 'lapidary/internal'
import { createArbitrary } from '../../generate/values.ts'
import { spendSteps } from '../subschema/budget.ts'
import { createCandidates, sampleSchema } from '../subschema/checkSubschema.ts'
import { unfold } from '../subschema/unfold.ts'
import { getInstanceValidity, validateInstance } from '../subschema/validateInstance.ts'

/** A value, since undefined and null are different. */
export interface FoundValue {
  readonly value: unknown
}

const plainValues = new WeakMap<SchemaNode, readonly unknown[]>()

/** Values of a schema as people write them, always the same ones; unusual ones where there are no others. */
function listPlainValues(node: SchemaNode): readonly unknown[] {
  const known = plainValues.get(node)
  if (known !== undefined) return known
  spendSteps(100)
  const plain = createArbitrary(node.raw, undefined, 'plain', node.root)
  const values = [...(plain === undefined ? [] : fc.sample(plain, { numRuns: 20, seed: 1 })), ...sampleSchema(node)]
  plainValues.set(node, values)
  return values
}

/** A plain value of a schema; one that the other schema allows too, if there is one. */
export function findCommonValue(writer: SchemaNode, reader: SchemaNode | undefined): FoundValue | undefined {
  const values = listPlainValues(writer).filter((value) => getInstanceValidity(writer, value) === 'yes')
  const common = reader === undefined ? [] : values.filter((value) => getInstanceValidity(reader, value) !== 'no')
  const [value] = [...common, ...values]
  return common.length + values.length === 0 ? undefined : { value }
}

/** The steps of a place within a body, `*` for any item. A branch of a union follows its step in parentheses, and is none. */
const splitPointer = (pointer: string): readonly string[] =>
  pointer
    .replace(/\([^()]*\)/g, '')
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Values of a schema with another value at a place: one in each sample, since a branch of a union may need others beside it. */
function* embedValue(node: SchemaNode, [step, ...steps]: readonly string[], inner: FoundValue): Generator<unknown> {
  if (step === undefined) return yield inner.value
  const here = unfold(node)
  const part = step === '*' ? here.item(0) : here.member(step)
  const bases = [...listPlainValues(here).filter(isJsonObject), {}]
  for (const value of embedValue(part ?? here.parse(true), steps, inner))
    if (step === '*') yield [value]
    else for (const base of bases) yield { ...base, [step]: value }
}

/** Whether a flaw is at a place, or within it. */
const isAtPlace = (flaw: string, steps: readonly string[]): boolean =>
  steps.every((step, index) => {
    const found = flaw.split('/')[index + 1]
    return step === '*' ? /^\d+$/.test(found ?? '') : `/${found}` === encodePointerStep(step)
  })

/** A value without the member at a place. */
function omitAtPlace(value: unknown, [step = '', ...steps]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => omitAtPlace(item, steps))
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return value
  const { [step]: member, ...others } = value
  return steps.length === 0 ? others : { ...others, [step]: omitAtPlace(member, steps) }
}

function* chain(...all: readonly Iterable<unknown>[]): Generator<unknown> {
  for (const one of all) yield* one
}

/** Candidates are many where schemas are large. */
const maxSearchedValues = 2_000

/**
 * Finds a value that the writer's schema allows and the reader's does not, for the reason at a place.
 *
 * @param pointer the place within the value, with `*` for any item
 * @param inner the value at the place, where it is known
 */
export function findBreakingValue(
  writerSchema: JsonSchema,
  readerSchema: JsonSchema,
  pointer: string,
  inner: FoundValue | undefined,
): FoundValue | undefined {
  const [writer, reader] = [parseSchema(writerSchema), parseSchema(readerSchema)]
  const steps = splitPointer(pointer)
  const isBreaking = (value: unknown): boolean => {
    if (getInstanceValidity(writer, value) !== 'yes') return false
    const flaw = validateInstance(reader, value)
    return typeof flaw === 'object' && isAtPlace(flaw.pointer, steps)
  }
  let left = maxSearchedValues
  const embedded = inner === undefined ? [] : embedValue(writer, steps, inner)
  const plain = listPlainValues(writer)
  const incomplete = plain.map((value) => omitAtPlace(value, steps))
  for (const value of chain(embedded, incomplete, plain, createCandidates(writer, reader))) {
    if (isBreaking(value)) return { value }
    left -= 1
    if (left === 0) return undefined
  }
  return undefined
}
