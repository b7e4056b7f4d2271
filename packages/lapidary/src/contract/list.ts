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

/** What a handler may return for a list: an array, or anything that can be walked. What is walked is streamed. */
export type Items<Item> = readonly Item[] | Iterable<Item> | AsyncIterable<Item>

const prefixIssue = (issue: StandardSchemaIssue, index: number): StandardSchemaIssue => ({
  message: issue.message,
  path: [index, ...(issue.path ?? [])],
})

function collectResults<Output>(verdicts: readonly StandardSchemaResult<Output>[]): StandardSchemaResult<Output[]> {
  const issues: StandardSchemaIssue[] = []
  const value: Output[] = []
  verdicts.forEach((verdict, index) => {
    if (verdict.issues === undefined) value.push(verdict.value)
    else for (const issue of verdict.issues.slice(0, maxIssues - issues.length)) issues.push(prefixIssue(issue, index))
  })
  return issues.length > 0 ? { issues } : { value }
}

/** A list of what `item` describes. As a request body it is an array; as a response it may be streamed, with flat memory. */
export function list<Input, Output>(item: Schema<Input, Output>): Schema<Items<Input>, Output[]> {
  assertSchema(item)
  const validate = (value: unknown): StandardSchemaResult<Output[]> | Promise<StandardSchemaResult<Output[]>> => {
    if (!Array.isArray(value)) return { issues: [{ message: `expected an array, got ${describeValue(value)}` }] }
    const verdicts: (StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>)[] = []
    let isLate = false
    let flaws = 0
    for (const one of value) {
      const verdict = item['~standard'].validate(one)
      verdicts.push(verdict)
      if (isPromise(verdict)) isLate = true
      else flaws += verdict.issues?.length ?? 0
      // The items behind are not looked at: nothing that they are would make the list a good one.
      if (flaws >= maxIssues) break
    }
    return isLate ? Promise.all(verdicts).then(collectResults) : collectResults(verdicts as StandardSchemaResult<Output>[])
  }
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1 as const,
      vendor: 'lapidary',
      validate,
      jsonSchema: {
        // References of the item's schema start at its own root, which now stands one step lower.
        input: () => ({ type: 'array', items: JSON.parse(JSON.stringify(getJsonSchema(item)).replaceAll('"$ref":"#', '"$ref":"#/items')) }),
      },
    }),
  })
}
