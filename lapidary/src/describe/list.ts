/** `list(User)`: a JSON array whose items a handler may give all at once or one after the other. */
import { typeName } from './conform.ts'
import { mostFlaws } from './refusal.ts'
import { checkSchema, type Issue, jsonSchemaOf, type Schema, type Verdict } from './schema.ts'

/** What a handler may return for a list: an array, or anything that can be walked. What is walked is streamed. */
export type Items<Item> = readonly Item[] | Iterable<Item> | AsyncIterable<Item>

const below = (issue: Issue, index: number): Issue => ({ message: issue.message, path: [index, ...(issue.path ?? [])] })

function gathered<Output>(verdicts: readonly Verdict<Output>[]): Verdict<Output[]> {
  const issues: Issue[] = []
  const value: Output[] = []
  verdicts.forEach((verdict, index) => {
    if (verdict.issues === undefined) value.push(verdict.value)
    else for (const issue of verdict.issues.slice(0, mostFlaws - issues.length)) issues.push(below(issue, index))
  })
  return issues.length > 0 ? { issues } : { value }
}

/** A list of what `item` describes. As a request body it is an array; as a response it may be streamed, with flat memory. */
export function list<Input, Output>(item: Schema<Input, Output>): Schema<Items<Input>, Output[]> {
  checkSchema(item)
  const validate = (value: unknown): Verdict<Output[]> | Promise<Verdict<Output[]>> => {
    if (!Array.isArray(value)) return { issues: [{ message: `expected an array, got ${typeName(value)}` }] }
    const verdicts: (Verdict<Output> | Promise<Verdict<Output>>)[] = []
    let isLate = false
    let flaws = 0
    for (const one of value) {
      const verdict = item['~standard'].validate(one)
      verdicts.push(verdict)
      if ('then' in verdict) isLate = true
      else flaws += verdict.issues?.length ?? 0
      // The items behind are not looked at: nothing that they are would make the list a good one.
      if (flaws >= mostFlaws) break
    }
    return isLate ? Promise.all(verdicts).then(gathered) : gathered(verdicts as Verdict<Output>[])
  }
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1 as const,
      vendor: 'lapidary',
      validate,
      jsonSchema: {
        // References of the item's schema start at its own root, which now stands one step lower.
        input: () => ({ type: 'array', items: JSON.parse(JSON.stringify(jsonSchemaOf(item)).replaceAll('"$ref":"#', '"$ref":"#/items')) }),
      },
    }),
  })
}
