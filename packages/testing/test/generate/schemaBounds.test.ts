/** The bounds of a JSON Schema: values on both sides of each, in every function that tests them. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isValid } from '../../../lapidary/src/json-schema/invalidPlaces.ts'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { parseSchema } from '../../../lapidary/src/json-schema/schemaNode.ts'
import { isOutOfBounds } from '../../../lapidary/src/json-schema/validator.ts'
import { validateInstance } from '../../src/diff/subschema/validateInstance.ts'

const family = '👩‍👩‍👧'

type Row = readonly [schema: JsonSchema, within: readonly unknown[], beyond: readonly unknown[]]

const rows: readonly Row[] = [
  // JSON Schema counts characters (RFC 8259 §7), of which an emoji of two UTF-16 units is one, and a family of three with its joiners is five.
  [{ type: 'string', maxLength: 1 }, ['', 'a', 'é', '€', '😀', '\ud800'], ['ab', '😀😀', 'e\u0301', family]],
  [{ type: 'string', minLength: 2 }, ['ab', '😀😀', 'a😀', family], ['', 'a', '😀']],
  [{ type: 'string', minLength: 5, maxLength: 5 }, [family, '12345', '😀😀😀😀😀'], ['1234', '123456', '😀😀😀']],
  [{ type: 'string', pattern: '^.$' }, ['a', '😀'], ['', 'ab', '😀😀']],
  [{ type: 'integer', minimum: 2 }, [2, 3], [1, -2]],
  [{ type: 'integer', maximum: 2 }, [2, 1], [3]],
  [{ type: 'number', exclusiveMinimum: 2 }, [2.0000001, 3], [2, 1]],
  [{ type: 'number', exclusiveMaximum: 2 }, [1.9999999, 1], [2, 3]],
  [{ type: 'array', minItems: 1 }, [[1], [1, 2]], [[]]],
  [{ type: 'array', maxItems: 1 }, [[], [1]], [[1, 2]]],
]

describe.each(rows)('%j', (schema, within, beyond) => {
  const node = parseSchema(schema)

  test.each(within.map((value) => [value]))('allows %j', (value) => {
    expect([isOutOfBounds(schema, value), isValid(node, value), validateInstance(node, value)]).toEqual([false, true, undefined])
  })

  test.each(beyond.map((value) => [value]))('does not allow %j', (value) => {
    expect([isOutOfBounds(schema, value), isValid(node, value), typeof validateInstance(node, value)]).toEqual([true, false, 'object'])
  })
})

test('a union with a text of at most one character writes one emoji', async () => {
  const Sign = z.union([z.object({ sign: z.string().max(1) }), z.object({ sign: z.int() })])
  const server = serve(
    { sign: endpoint('GET /sign', { query: { sign: text }, response: ok(Sign) }) },
    {
      sign: ({ query }) => ({ sign: query.sign }),
    },
  )
  const response = await server.fetch(new Request(`http://test.invalid/sign?sign=${encodeURIComponent('😀')}`))
  expect([response.status, await response.json()]).toEqual([200, { sign: '😀' }])
})
