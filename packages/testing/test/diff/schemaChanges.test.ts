/** The changes of a schema member by member agree with the comparison of whole schemas. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { parseSchema } from '../../../lapidary/src/json-schema/schemaNode.ts'
import { toCanonicalSchema } from '../../src/diff/canonical.ts'
import { compareSchemas } from '../../src/diff/schemaChanges.ts'
import type { Flow } from '../../src/diff/schemaJudgements.ts'
import { checkSubschema } from '../../src/diff/subschema/checkSubschema.ts'
import { createArbitrary } from '../../src/generate/values.ts'
import { pairs } from '../support/diff/schemaPairs.ts'

const flows: readonly Flow[] = ['request', 'response']

test.each(flows)('of %ss (SEED)', { timeout: 120_000 }, (flow) => {
  fc.assert(
    fc.property(pairs, (schemas) => {
      const [old, now] = [toCanonicalSchema(schemas[0]), toCanonicalSchema(schemas[1])]
      const [writer, reader] = flow === 'request' ? [old, now] : [now, old]
      const clients = compareSchemas('', old, now, flow).map((change) => change.clients)
      const whole = checkSubschema(parseSchema(writer), parseSchema(reader))
      if (whole.is === 'no') expect(clients.some((verdict) => verdict !== 'safe')).toBe(true)
      // A schema without any value is within all others, with any members.
      if (whole.is === 'yes' && createArbitrary(writer) !== undefined) expect(clients).not.toContain('breaking')
    }),
    { seed: Number(process.env['SEED'] ?? 3), numRuns: 150 },
  )
})

test('an object that declares no member may have any', () => {
  const [open, declaring] = [{ type: 'object' }, { type: 'object', properties: { a: { type: 'integer' } } }]
  const compare = (flow: Flow) =>
    compareSchemas('body', open, declaring, flow).map(({ place, clients, servers }) => [place, clients, servers])
  expect(compare('request')).toEqual([
    ['body /a', 'breaking', 'unknown'],
    ['body further members', 'unknown', 'safe'],
  ])
  expect(compare('response')).toEqual([
    ['body /a', 'safe', 'breaking'],
    ['body further members', 'safe', 'safe'],
  ])
})

test('the members of a schema without any value do not matter', () => {
  const createSchema = (a: JsonSchema): JsonSchema => ({ type: 'object', properties: { a }, required: ['b'], additionalProperties: false })
  expect(compareSchemas('body', createSchema({}), createSchema({ type: 'integer' }), 'request')).toEqual([])
})

test('further members change with the schema that they refer to', () => {
  const createRecord = (item: JsonSchema): JsonSchema => ({
    type: 'object',
    additionalProperties: { $ref: '#/$defs/Item' },
    $defs: { Item: item },
  })
  const changes = compareSchemas('body', createRecord({ type: 'integer' }), createRecord({ type: 'string' }), 'response')
  expect(changes).toMatchObject([{ place: 'body further members', clients: 'breaking', servers: 'breaking' }])
})

test('the items of an array that has none do not matter', () => {
  const createList = (type: string): JsonSchema => ({ type: 'array', items: { type }, maxItems: 0 })
  expect(compareSchemas('body', createList('integer'), createList('string'), 'request')).toEqual([])
})
