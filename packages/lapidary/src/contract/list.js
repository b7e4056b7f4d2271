/** `list(User)`: a JSON array whose items a handler may give all at once or one after the other. */
import { maxIssues } from '../json-schema/parseError.js'
import { assertSchema, getJsonSchema } from '../json-schema/standardSchema.js'
import { describeValue } from '../json-schema/validate.js'

const prefixIssue = (issue, index) => ({
  message: issue.message,
  path: [index, ...(issue.path ?? [])],
})
function collectResults(verdicts) {
  const issues = []
  const value = []
  verdicts.forEach((verdict, index) => {
    if (verdict.issues === undefined) value.push(verdict.value)
    else for (const issue of verdict.issues.slice(0, maxIssues - issues.length)) issues.push(prefixIssue(issue, index))
  })
  return issues.length > 0 ? { issues } : { value }
}
/** A list of what `item` describes. As a request body it is an array; as a response it may be streamed, with flat memory. */
export function list(item) {
  assertSchema(item)
  const validate = (value) => {
    if (!Array.isArray(value)) return { issues: [{ message: `expected an array, got ${describeValue(value)}` }] }
    const verdicts = []
    let isLate = false
    let flaws = 0
    for (const one of value) {
      const verdict = item['~standard'].validate(one)
      verdicts.push(verdict)
      if ('then' in verdict) isLate = true
      else flaws += verdict.issues?.length ?? 0
      // The items behind are not looked at: nothing that they are would make the list a good one.
      if (flaws >= maxIssues) break
    }
    return isLate ? Promise.all(verdicts).then(collectResults) : collectResults(verdicts)
  }
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1,
      vendor: 'lapidary',
      validate,
      jsonSchema: {
        // References of the item's schema start at its own root, which now stands one step lower.
        input: () => ({ type: 'array', items: JSON.parse(JSON.stringify(getJsonSchema(item)).replaceAll('"$ref":"#', '"$ref":"#/items')) }),
      },
    }),
  })
}
