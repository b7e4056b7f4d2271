/** Changes that are judged safe, compared with the validator ajv. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { parseSchema } from '../../../lapidary/src/json-schema/schemaNode.ts'
import { toCanonicalSchema } from '../../src/diff/canonical.ts'
import { compareSchemas } from '../../src/diff/schemaChanges.ts'
import type { Flow } from '../../src/diff/schemaJudgements.ts'
import { isSubschema } from '../../src/diff/subschema/isSubschema.ts'
import { changed, near, type Random, random, whole } from '../support/diff/randomSchema.ts'
import { toWrittenSchema } from '../support/written.ts'

const seed = Number(process.env['SEED'] ?? 13)
/** `SAMPLES=whole` compares 2,000. */
const count = Number(process.env['PAIRS'] ?? (process.env['SAMPLES'] === 'whole' ? 2_000 : 400))

type Check = (value: unknown) => boolean

const day = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().slice(0, 10) === text

/** Other people's: it reads `oneOf` as exactly one, counts characters, and knows of no further members that are dropped. */
const reader = (schema: JsonSchema): Check =>
  new Ajv2020({
    strict: false,
    // They are sound by their making; and its own schema costs more than ours do.
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    logger: false,
    formats: {
      date: day,
      email: /^[^\s@]+@[^\s@]+\.[a-z]+$/,
      uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      'no-such-format': () => false,
    },
  }).compile(schema)

/** Values of the one that are none of the other, of so many that are near either. */
function strays(one: JsonSchema, other: JsonSchema, next: Random, tries: number): readonly unknown[] {
  const isRead = reader(other)
  const values = Array.from({ length: tries }, (_, index) => (index % 4 === 3 ? near(next, other, other) : near(next, one, one)))
  const refused = values.filter((value) => !isRead(value))
  const ofOne = refused.length === 0 ? [] : refused.filter(reader(one))
  return ofOne.length === 0 ? [] : ofOne.filter(reader(toWrittenSchema(one)))
}

const keywords = (value: unknown, found: Set<string>): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [keyword, below] of Object.entries(value)) {
    if (!Array.isArray(value)) found.add(keyword)
    keywords(below, found)
  }
}

/** Always the same ones, mostly with much in common. */
function pair(number: number): readonly [JsonSchema, JsonSchema, Random] {
  const next = random(seed * 100_003 + number)
  const one = whole(next)
  return [one, next() < 0.25 ? { ...whole(next), $defs: one.$defs ?? {} } : changed(next, one), next]
}

test(`ajv rejects no value of a change that is judged safe: ${count} pairs of schemas (SEED=${seed})`, { timeout: 300_000 }, () => {
  const reached = new Set<string>()
  let safe = 0
  for (let number = 0; number < count; number += 1) {
    const [one, other, next] = pair(number)
    keywords(one, reached)
    const [from, to] = number % 2 === 0 ? [one, other] : [other, one]
    if (JSON.stringify(from) === JSON.stringify(to) || !isSubschema(parseSchema(from), parseSchema(to))) continue
    safe += 1
    const found = strays(from, to, next, 80)
    if (found.length > 0) expect({ number, from, to, found }).toBeUndefined()
  }
  expect(safe).toBeGreaterThan(count / 5)
  // What the judge claims to know has to be met.
  expect([...reached]).toEqual(
    expect.arrayContaining(
      '$ref additionalProperties allOf anyOf const enum exclusiveMaximum exclusiveMinimum format items maxItems maxLength maxProperties maximum minItems minLength minProperties minimum multipleOf not oneOf pattern prefixItems properties propertyNames required type uniqueItems'.split(
        ' ',
      ),
    ),
  )
})

test(`ajv agrees with the changes member by member: ${count / 40} pairs (SEED=${seed})`, { timeout: 300_000 }, () => {
  let safe = 0
  for (let number = 0; number < count / 40; number += 1) {
    const [first, second, next] = pair(number)
    const [old, now] = [toCanonicalSchema(first), toCanonicalSchema(second)]
    for (const flow of ['request', 'response'] satisfies Flow[]) {
      if (compareSchemas('body', old, now, flow).some(({ clients }) => clients !== 'safe')) continue
      safe += 1
      const [writer, reads] = flow === 'request' ? [old, now] : [now, old]
      const found = strays(writer, reads, next, 80)
      if (found.length > 0) expect({ number, flow, writer, reads, found }).toBeUndefined()
    }
  }
  expect(safe).toBeGreaterThan(count / 200)
})
