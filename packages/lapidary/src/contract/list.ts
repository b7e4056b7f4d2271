/** `list(User)`: a JSON array whose items a handler may give all at once or one after the other. */

import { isPromise } from '../http/promises.ts'
import { maxIssues } from '../json-schema/parseError.ts'
import {
  assertSchema,
  getJsonSchema,
  type Schema,
  type StandardSchemaIssue,
  type StandardSchemaResult,
} from '../json-schema/standardSchema.ts'
import { describeValue } from '../json-schema/validate.ts'

/** What a handler may return for a list: an array, or an iterable. An iterable is streamed. */
export type Items<Item> = readonly Item[] | Iterable<Item> | AsyncIterable<Item>

const prefixIssue = (issue: StandardSchemaIssue, index: number): StandardSchemaIssue => ({
  message: issue.message,
  path: [index, ...(issue.path ?? [])],
})

function collectResults<Output>(results: readonly StandardSchemaResult<Output>[]): StandardSchemaResult<Output[]> {
  const issues: StandardSchemaIssue[] = []
  const value: Output[] = []
  results.forEach((result, index) => {
    if (result.issues === undefined) value.push(result.value)
    else for (const issue of result.issues.slice(0, maxIssues - issues.length)) issues.push(prefixIssue(issue, index))
  })
  return issues.length > 0 ? { issues } : { value }
}

/**
 * Creates the schema of a JSON array. A handler may return an iterable for it, which is streamed in constant memory.
 *
 * @param item the schema of each item
 * @throws TypeError for a value that is no Standard Schema with a JSON Schema
 * @example
 * const users = endpoint('GET /users', { response: ok(list(z.object({ name: z.string() }))) })
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
    return isAsync ? Promise.all(results).then(collectResults) : collectResults(results as StandardSchemaResult<Output>[])
  }
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1 as const,
      vendor: 'lapidary',
      validate,
      jsonSchema: {
        // References in the item's schema start at its root, which is one step lower here.
        input: () => ({ type: 'array', items: JSON.parse(JSON.stringify(getJsonSchema(item)).replaceAll('"$ref":"#', '"$ref":"#/items')) }),
      },
    }),
  })
}
