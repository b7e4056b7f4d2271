/**
 * The comparison of schemas and the values of a mock, judged by ajv: on rows for every keyword, and on the JSON-Schema-Test-Suite where
 * JSON_SCHEMA_TEST_SUITE names its folder.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonSchema, neverSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { parseSchema, type SchemaNode } from '../../../lapidary/src/json-schema/schemaNode.ts'
import { Validator } from '../../../lapidary/src/json-schema/validator.ts'
import { createWriter } from '../../../lapidary/src/json-schema/writer.ts'
import { checkSubschema } from '../../src/diff/subschema/checkSubschema.ts'
import { isSubschema } from '../../src/diff/subschema/isSubschema.ts'
import { renameKeywords } from '../../src/diff/subschema/olderDialects.ts'
import { validateInstance } from '../../src/diff/subschema/validateInstance.ts'
import { createArbitrary } from '../../src/generate/values.ts'
import { createJudge, type Draft, type Judge, readSuite, type SchemaCase, suiteFolder } from '../support/jsonSchemaSuite.ts'
import { schemaCases } from '../support/schemaCases.ts'
import { toWrittenSchema } from '../support/written.ts'

const older = 'http://json-schema.org/draft-07/schema#'

/** A case that ajv judges as its own values say. */
interface JudgedCase extends SchemaCase {
  readonly node: SchemaNode
  readonly judge: Judge
  /** Judges what programs write that are made from the schema: no member that it does not declare. */
  readonly judgeWritten: Judge | undefined
}

function judgeCases(cases: readonly SchemaCase[], draft: Draft, folder?: string): readonly JudgedCase[] {
  const createCaseJudge = createJudge(draft, folder)
  const createWrittenJudge = createJudge('draft2020-12', folder)
  return cases.flatMap((one) => {
    const judge = createCaseJudge(one.schema, one.tests)
    if (judge === undefined) return []
    const schema = draft === 'draft7' && typeof one.schema === 'object' ? { $schema: older, ...one.schema } : one.schema
    const node = parseSchema(schema)
    const written = typeof schema === 'object' ? toWrittenSchema(draft === 'draft7' ? renameKeywords(schema) : schema) : undefined
    return [{ ...one, node, judge, judgeWritten: written && createWrittenJudge(written, []) }]
  })
}

const show = (...parts: readonly unknown[]): string => parts.map((part) => JSON.stringify(part)).join(' ')

/** Says what a run with the suite has found: docs/diff.md has these figures. */
const report = (line: string): void => void process.stdout.write(`${line}\n`)

/** The pairs of the cases of each keyword, with all values of that keyword. A counterexample is only searched for neighbours: it takes long. */
function* listPairs(cases: readonly JudgedCase[]): Generator<readonly [JudgedCase, JudgedCase, readonly unknown[], isNext: boolean]> {
  for (const keyword of new Set(cases.map((one) => one.keyword))) {
    const group = cases.filter((one) => one.keyword === keyword)
    const values = group.flatMap(({ tests }) => tests.map(({ data }) => data))
    for (const [index, one] of group.entries())
      for (const [place, other] of group.entries()) if (one !== other) yield [one, other, values, place === index + 1]
  }
}

/**
 * What proofs and counterexamples say that ajv contradicts. `byConvention` are the proofs that hold of what programs write only. For the
 * toolkit, a format restricts a text, and for the suite it does not.
 */
function compareCases(cases: readonly JudgedCase[]) {
  const found = { proofs: 0, counterexamples: 0, byConvention: 0, contradictions: [] as string[] }
  for (const [one, other, values, isNext] of listPairs(cases)) {
    if (isSubschema(one.node, other.node)) {
      found.proofs += 1
      const strays = values.filter((value) => one.judge(value) && !other.judge(value))
      if (strays.length === 0) continue
      const stray = strays.find((value) => one.judgeWritten?.(value) !== false)
      if (stray === undefined) found.byConvention += 1
      else found.contradictions.push(`proof: ${show(one.schema)} within ${show(other.schema)}, but ${show(stray)}`)
    } else if (isNext) {
      const result = checkSubschema(one.node, other.node)
      if (result.is !== 'no') continue
      found.counterexamples += 1
      if ((one.judge(result.instance) && !other.judge(result.instance)) || one.keyword === 'format') continue
      found.contradictions.push(`counterexample: ${show(one.schema)} and not ${show(other.schema)}, for ${show(result.instance)}`)
    }
  }
  return found
}

/** The cases about formats are left out: for the toolkit, a format restricts a text. */
function validateCases(cases: readonly SchemaCase[], draft: Draft) {
  const found = { agree: 0, unknown: 0, contradictions: [] as string[] }
  for (const { schema, tests } of cases.filter(({ keyword }) => keyword !== 'format')) {
    const node = parseSchema(draft === 'draft7' && typeof schema === 'object' ? { $schema: older, ...schema } : schema)
    for (const { data, valid } of tests) {
      const result = validateInstance(node, data)
      if (result === 'unknown') found.unknown += 1
      else if ((result === undefined) === valid) found.agree += 1
      else found.contradictions.push(`${show(schema)}: ${show(data)} is ${valid ? 'valid' : 'invalid'}`)
    }
  }
  return found
}

/** The schema of a case, in the keywords of draft 2020-12: a library is asked for that one, and a manifest is read so. */
const toCurrentSchema = ({ schema }: SchemaCase, draft: Draft): JsonSchema =>
  typeof schema === 'boolean' ? (schema ? {} : neverSchema) : draft === 'draft7' ? renameKeywords(schema) : schema

/** Schemas whose dialect leaves keywords out, which only `diff` reads. */
const isOfToday = ({ keyword }: SchemaCase): boolean => keyword !== 'format' && keyword !== 'vocabulary'

/** What a server says of the value of a request. The cases about formats are left out: for the toolkit, a format restricts a text. */
function fitCases(cases: readonly SchemaCase[], draft: Draft) {
  const found = { agree: 0, unknown: 0, contradictions: [] as string[] }
  for (const one of cases.filter(isOfToday)) {
    const node = parseSchema(toCurrentSchema(one, draft))
    for (const { data, valid } of one.tests) {
      const result = new Validator(true).validate(node, data)
      if (result === 'unknown') found.unknown += 1
      else if ((result === 'yes') === valid) found.agree += 1
      else found.contradictions.push(`${show(one.schema)}: ${show(data)} is ${valid ? 'valid' : 'invalid'}`)
    }
  }
  return found
}

/** Whether a value is another one, without some of its members. */
const isWithin = (part: unknown, whole: unknown): boolean =>
  Array.isArray(part)
    ? Array.isArray(whole) && part.length === whole.length && part.every((item, index) => isWithin(item, whole[index]))
    : isJsonObject(part)
      ? isJsonObject(whole) && Object.keys(part).every((name) => Object.hasOwn(whole, name) && isWithin(part[name], whole[name]))
      : part === whole

/**
 * What a server writes of the values of a case. A valid value is written whole, or without the members that its schema does not declare.
 * `unchecked` values are invalid by a bound or a condition, which a writer leaves to the schema's own library.
 */
function writeCases(cases: readonly SchemaCase[], draft: Draft) {
  const found = { whole: 0, declaredOnly: 0, refused: 0, unchecked: 0, contradictions: [] as string[] }
  for (const one of cases) {
    const write = createWriter(toCurrentSchema(one, draft))
    for (const { data, valid } of one.tests) {
      let text: string | undefined
      try {
        text = write(data)
      } catch {}
      if (text === undefined) {
        if (valid) found.contradictions.push(`${show(one.schema)}: ${show(data)} is not written`)
        else found.refused += 1
      } else if (!isWithin(JSON.parse(text), data)) found.contradictions.push(`${show(one.schema)}: ${show(data)} is written as ${text}`)
      else if (!valid) found.unchecked += 1
      else if (isWithin(data, JSON.parse(text))) found.whole += 1
      else found.declaredOnly += 1
    }
  }
  return found
}

/** Of each schema: values that ajv accepts, none at all, or values that ajv refuses. */
function generateCases(cases: readonly JudgedCase[]) {
  const found = { agree: 0, refused: [] as string[], contradictions: [] as string[] }
  for (const { node, schema, judge, tests } of cases) {
    // What the toolkit does not read, the library of the schema judges, as it does for an endpoint.
    const isRead = tests.every(({ data }) => validateInstance(node, data) !== 'unknown')
    const values = createArbitrary(node.raw, isRead ? undefined : judge, 'plain')
    if (values === undefined) {
      found.refused.push(show(schema))
      continue
    }
    const wrong = fc.sample(values, { numRuns: 10, seed: 1 }).find((value) => !judge(value))
    if (wrong === undefined) found.agree += 1
    else found.contradictions.push(`${show(schema)}: ${show(wrong)}`)
  }
  return found
}

describe('rows for every keyword', () => {
  const cases = judgeCases(schemaCases, 'draft2020-12')

  test('ajv agrees with the rows', () => {
    expect(schemaCases.filter(({ title }) => !cases.some((one) => one.title === title)).map(({ title }) => title)).toEqual([])
  })

  test('no proof and no counterexample is contradicted', { timeout: 120_000 }, () => {
    const { contradictions, proofs, counterexamples } = compareCases(cases)
    expect(contradictions).toEqual([])
    expect(proofs).toBeGreaterThan(40)
    expect(counterexamples).toBeGreaterThan(40)
  })

  test('no value is judged wrongly', () => expect(validateCases(schemaCases, 'draft2020-12').contradictions).toEqual([]))

  test('no value of a request is judged wrongly', () => expect(fitCases(schemaCases, 'draft2020-12').contradictions).toEqual([]))

  test('no valid value is refused by a writer', () => expect(writeCases(schemaCases, 'draft2020-12').contradictions).toEqual([]))

  test('no value is generated that is invalid', () => expect(generateCases(cases).contradictions).toEqual([]))
})

describe.skipIf(suiteFolder === undefined).each(['draft2020-12', 'draft7'] satisfies Draft[])('JSON-Schema-Test-Suite, %s', (draft) => {
  const suite = suiteFolder === undefined ? [] : readSuite(draft, suiteFolder)
  const cases = judgeCases(suite, draft, suiteFolder)

  test('no proof and no counterexample is contradicted', { timeout: 600_000 }, () => {
    const found = compareCases(cases)
    report(`${draft}: ${found.proofs} proofs (${found.byConvention} by convention), ${found.counterexamples} counterexamples`)
    expect(found.contradictions).toEqual([])
  })

  test('no value is judged wrongly', () => {
    const found = validateCases(suite, draft)
    report(`${draft}: ${found.agree} agree, ${found.unknown} unknown`)
    expect(found.contradictions).toEqual([])
  })

  test('no value of a request is judged wrongly', () => {
    const found = fitCases(suite, draft)
    report(`${draft}, requests: ${found.agree} agree, ${found.unknown} unknown`)
    expect(found.contradictions).toEqual([])
  })

  test('no valid value is refused by a writer', () => {
    const { contradictions, ...counts } = writeCases(suite, draft)
    report(`${draft}, responses: ${JSON.stringify(counts)}`)
    expect(contradictions).toEqual([])
  })

  test('no value is generated that is invalid', { timeout: 600_000 }, () => {
    const found = generateCases(cases)
    report(`${draft}: ${found.agree} agree, ${found.refused.length} refused`)
    expect(found.contradictions).toEqual([])
  })
})
