/** `list(User)`: a JSON array, which a handler can return as a whole or as a stream. */
import { isPromise } from '../http/promises.ts'
import { describeValue } from '../json-schema/invalidPlaces.ts'
import { maxIssues } from '../json-schema/parseError.ts'
import { embedJsonSchema } from '../json-schema/references.ts'
import {
  assertSchema,
  createSchema,
  getEncoder,
  getJsonSchema,
  prefixIssue,
  type Schema,
  type StandardSchemaIssue,
  type StandardSchemaResult,
} from '../json-schema/standardSchema.ts'
import { encodeItems } from './contentEncoder.ts'
import type { Items } from './media/itemStreams.ts'

function collectResults<Output>(results: readonly StandardSchemaResult<Output>[], item: Schema): StandardSchemaResult<Output[]> {
  const issues: StandardSchemaIssue[] = []
  const value: Output[] = []
  results.forEach((result, index) => {
    if (result.issues === undefined) value.push(result.value)
    else for (const issue of result.issues.slice(0, maxIssues - issues.length)) issues.push(prefixIssue(issue, index, item))
  })
  return issues.length > 0 ? { issues } : { value }
}

/** One for all lists of an item, so that what is derived from it is derived once. */
const listJsonSchemas = new WeakMap<Schema, Record<string, unknown>>()

function getListJsonSchema(item: Schema): Record<string, unknown> {
  const known = listJsonSchemas.get(item) ?? Object.freeze({ type: 'array', items: embedJsonSchema(getJsonSchema(item), '/items') })
  listJsonSchemas.set(item, known)
  return known
}

/**
 * A list of items. As a request body it is an array; as a response it can be a stream, which needs little memory.
 *
 * @param item The schema of an item.
 * @throws TypeError for a schema that is not a Standard Schema or has no JSON Schema.
 * @example
 * ```ts
 * import { endpoint, list, ok } from 'lapidary'
 * import { z } from 'zod'
 *
 * const User = z.object({ name: z.string() })
 * const users = endpoint('GET /users', { response: ok(list(User)) })
 * ```
 */
export function list<Input, Output>(item: Schema<Input, Output>): Schema<Items<Input>, Output[]> {
  assertSchema(item)
  const validate = (value: unknown): StandardSchemaResult<Output[]> | Promise<StandardSchemaResult<Output[]>> => {
    if (!Array.isArray(value)) return { issues: [{ message: `expected an array, got ${describeValue(value)}` }] }
    const results: (StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>)[] = []
    let isAsync = false
    let issueCount = 0
    for (const one of value) {
      const result = item['~standard'].validate(one)
      results.push(result)
      if (isPromise(result)) isAsync = true
      else issueCount += result.issues?.length ?? 0
      // No further item can make the list valid.
      if (issueCount >= maxIssues) break
    }
    return isAsync
      ? Promise.all(results).then((settled) => collectResults(settled, item))
      : collectResults(results as StandardSchemaResult<Output>[], item)
  }
  const encode = getEncoder(item)
  return createSchema({
    validate,
    getJsonSchema: () => getListJsonSchema(item),
    parts: [item],
    encoding: encode && { encode: (items) => encodeItems(items, encode), source: item },
  })
}
