/** The OpenAPI documents of every API in this repository are valid by the JSON Schemas of the OpenAPI Specification, in each version. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Api } from 'lapidary'
import { type OpenApiVersion, openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { api as stones } from '../../conformance/projects/readers/api.ts'
import { api as bookmarks } from '../../examples/bookmarks/api.ts'
import { api as shelf } from '../../examples/foreign/api.ts'
import { api as helpdesk } from '../../examples/helpdesk/api.ts'
import { api as everything, Order, Person } from '../../packages/lapidary/test/support/everythingApi.ts'
import * as service from '../../service/src/api.ts'

const apis: Readonly<Record<string, Api>> = {
  everything,
  bookmarks,
  helpdesk,
  'the example for foreign servers': shelf,
  'the API of the conformance tests': stones,
  'the service': service.main,
}
const versions: readonly OpenApiVersion[] = ['3.0', '3.1', '3.2']
const rows = versions.flatMap((version) => Object.keys(apis).map((name) => [version, name] as const))

const dialect = new Ajv2020({ strict: false, validateFormats: false })

/** The Schema Objects of a document: the specification leaves them to JSON Schema. */
function* listSchemas(value: unknown, key = ''): Generator<object, void, undefined> {
  if (typeof value !== 'object' || value === null) return
  if (key === 'schema' || key === 'itemSchema' || key === 'x-itemSchema') yield value
  for (const [name, one] of Object.entries(value)) {
    if (key === 'components' && name === 'schemas') yield* Object.values(one as object)
    else if (!/^(?:example|examples|default)$/.test(name)) yield* listSchemas(one, name)
  }
}

test.each(rows)('OpenAPI %s: %s', async (version, name) => {
  const document = await openapi(apis[name] ?? {}, { title: name, version: '1.0.0', schemas: { Person, Order }, openapi: version })
  const { valid, errors } = await new Validator().validate({ ...document })
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  // The schema of 3.0 describes Schema Objects itself.
  if (version === '3.0') return
  const schemas = [...listSchemas(document)]
  expect(schemas.length).toBeGreaterThan(5)
  expect(schemas.filter((schema) => dialect.validateSchema(schema) !== true)).toEqual([])
})

test.each([
  ['3.1', '3.0.4'],
  ['3.2', '3.1.1'],
  ['3.1', '3.2.0'],
] as const)('a document of %s is none of %s', async (version, release) => {
  const document = await openapi(everything, { title: 'Test', version: '1.0.0', openapi: version })
  expect((await new Validator().validate({ ...document, openapi: release })).valid).toBe(version === '3.1' && release === '3.2.0')
})
