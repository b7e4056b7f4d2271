/** Values for a witness: those that both descriptions allow, and those that only the writer's does. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { decodePointerStep, encodePointerStep, isJsonObject, type SchemaNode } from 'lapidary/internal'
import { createArbitrary } from '../../generate/values.ts'
import { parseBodySchema } from '../sharedDefinitions.ts'
import { limitSteps, spendSteps } from '../subschema/budget.ts'
import { createCandidates, sampleSchema } from '../subschema/checkSubschema.ts'
import { unfold } from '../subschema/unfold.ts'
import { getInstanceValidity, validateInstance } from '../subschema/validateInstance.ts'

/** A value, since undefined and null are different. */
export interface FoundValue {
  readonly value: unknown
}

/** By the schemas, which several changes of one body share. */
let plainValues = new WeakMap<JsonSchema, readonly unknown[]>()
let commonValues = new WeakMap<JsonSchema, Map<JsonSchema | undefined, FoundValue | undefined>>()

/** Forgets the values of the last comparison: the same two descriptions have the same witnesses again, with the same steps. */
export function forgetWitnessValues(): void {
  plainValues = new WeakMap()
  commonValues = new WeakMap()
}

/** Values of a schema as people write them, always the same ones, short ones first; unusual ones where there are no others. */
function listPlainValues(node: SchemaNode): readonly unknown[] {
  const known = plainValues.get(node.raw)
  if (known !== undefined) return known
  spendSteps(100)
  const plain = createArbitrary(node.raw, undefined, 'plain', node.root)
  const samples = plain === undefined ? [] : fc.sample(plain, { numRuns: 20, seed: 1 })
  const values = [...samples.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length), ...sampleSchema(node)]
  plainValues.set(node.raw, values)
  return values
}

/** A plain value of a schema; one that the other schema allows too, if there is one. */
export function findCommonValue(writer: SchemaNode, reader: SchemaNode | undefined): FoundValue | undefined {
  const known = commonValues.get(writer.raw) ?? new Map()
  commonValues.set(writer.raw, known)
  if (!known.has(reader?.raw)) known.set(reader?.raw, searchCommonValue(writer, reader))
  return known.get(reader?.raw)
}

function searchCommonValue(writer: SchemaNode, reader: SchemaNode | undefined): FoundValue | undefined {
  const values = listPlainValues(writer).filter((value) => getInstanceValidity(writer, value) === 'yes')
  const isCommon = (value: unknown): boolean => reader === undefined || getInstanceValidity(reader, value) !== 'no'
  const common = values.findIndex(isCommon)
  if (values.length === 0) return undefined
  const isFitting = (value: unknown): boolean => getInstanceValidity(writer, value) === 'yes' && (common < 0 || isCommon(value))
  return { value: shortenValue(values[Math.max(common, 0)], isFitting) }
}

/** Larger values are left as they are after so many attempts. */
const maxOmissions = 300

type Container = Readonly<Record<string, unknown>> | readonly unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const withoutPart = (container: Container, key: string): Container =>
  Array.isArray(container)
    ? container.filter((_, index) => index !== Number(key))
    : Object.fromEntries(Object.entries(container).filter(([name]) => name !== key))

const withPart = (container: Container, key: string, part: unknown): Container =>
  Array.isArray(container) ? container.map((own, index) => (index === Number(key) ? part : own)) : { ...container, [key]: part }

/** The most steps of making one value shorter. */
const maxOmitSteps = 30_000

/** A value without the members and items that it does not need. A value that takes too long is left as it is. */
const shortenValue = (value: unknown, isFitting: (value: unknown) => boolean): unknown =>
  limitSteps(maxOmitSteps, () => omitParts(value, isFitting), value)

function omitParts(whole: unknown, isFitting: (value: unknown) => boolean): unknown {
  let left = maxOmissions
  const omit = (value: unknown, replace: (part: unknown) => unknown): unknown => {
    if (!isContainer(value)) return value
    let now = value
    for (const key of Object.keys(value).reverse()) {
      const others = withoutPart(now, key)
      left -= 1
      if (left >= 0 && isFitting(replace(others))) now = others
      else {
        const before = now
        now = withPart(
          before,
          key,
          omit(Reflect.get(before, key), (part) => replace(withPart(before, key, part))),
        )
      }
    }
    return now
  }
  return omit(whole, (value) => value)
}

/** The steps of a place within a body, `*` for any item. A branch of a union follows its step in parentheses, and is none. */
const splitPointer = (pointer: string): readonly string[] =>
  pointer
    .replace(/\([^()]*\)/g, '')
    .split('/')
    .slice(1)
    .map(decodePointerStep)

const getPart = (node: SchemaNode | undefined, step: string): SchemaNode | undefined =>
  node && (step === '*' ? unfold(node).item(0) : unfold(node).member(step))

/**
 * Values of a schema with another value at a place: in a value that both schemas allow, and in each sample, since a branch of a union may
 * need others beside it.
 */
function* embedValue(
  node: SchemaNode,
  reader: SchemaNode | undefined,
  [step, ...steps]: readonly string[],
  inner: FoundValue,
): Generator<unknown> {
  if (step === undefined) return yield inner.value
  const here = unfold(node)
  const part = getPart(node, step) ?? here.parse(true)
  for (const value of embedValue(part, getPart(reader, step), steps, inner)) {
    if (step === '*') yield [value]
    else {
      const bases = [findCommonValue(here, reader)?.value, ...listPlainValues(here), {}]
      for (const base of bases.filter(isJsonObject)) yield { ...base, [step]: value }
    }
  }
}

/** A plain value of the part of a schema that is at a place; undefined where there is none. */
function findPlainPart(node: SchemaNode, [step, ...steps]: readonly string[]): FoundValue | undefined {
  if (step === undefined) return { value: listPlainValues(node)[0] }
  const part = getPart(node, step)
  return part && findPlainPart(part, steps)
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
  const [writer, reader] = [parseBodySchema(writerSchema), parseBodySchema(readerSchema)]
  const steps = splitPointer(pointer)
  const isBreaking = (value: unknown): boolean => {
    if (getInstanceValidity(writer, value) !== 'yes') return false
    const flaw = validateInstance(reader, value)
    return typeof flaw === 'object' && isAtPlace(flaw.pointer, steps)
  }
  let left = maxSearchedValues
  const part = inner ?? findPlainPart(writer, steps)
  const embedded = part === undefined ? [] : embedValue(writer, reader, steps, part)
  const plain = listPlainValues(writer)
  const incomplete = plain.map((value) => omitAtPlace(value, steps))
  for (const value of chain(embedded, incomplete, plain, createCandidates(writer, reader))) {
    if (isBreaking(value)) return { value: shortenValue(value, isBreaking) }
    left -= 1
    if (left === 0) return undefined
  }
  return undefined
}
