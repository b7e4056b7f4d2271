/** Checks that the schemas of all bodies of an endpoint have a JSON Schema: the message names the body, and the member where it can. */
import { describeJsonSchemaError } from '../json-schema/jsonSchemaErrors.ts'
import { getJsonSchema, type JsonSchemaError } from '../json-schema/standardSchema.ts'
import type { AnyEndpoint } from './endpoint.ts'

/** @throws TypeError for a body whose schema has no JSON Schema. */
export function checkSchemas({ route, body, responses, errors }: AnyEndpoint): void {
  const all = [
    ['body', body?.schema] as const,
    ...responses.map(({ status, content }) => [`response ${status}`, content?.schema] as const),
    ...errors.map(({ status, content }) => [`error ${status}`, content?.schema] as const),
  ]
  for (const [part, schema] of all) {
    try {
      if (schema !== undefined) getJsonSchema(schema)
    } catch (error) {
      throw new TypeError(describeJsonSchemaError(`${route}: ${part}`, error as JsonSchemaError), { cause: error })
    }
  }
}
