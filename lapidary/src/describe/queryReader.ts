/** Reads a query. Unknown names are ignored, but all of it must be percent-encoded UTF-8. */
import { expectation } from './message.ts'
import type { AnyParameter } from './parameter.ts'
import { eachPair } from './percent.ts'
import type { ProblemError } from './problem.ts'
import { absent, nothing, type Reading, reading } from './reading.ts'

/** Of a query that is not percent-encoded UTF-8: which name is meant, nobody can say. */
const unreadable: readonly ProblemError[] = Object.freeze([{ in: 'query', detail: `expected ${expectation.percentEncoding()}` }])

/** Compiles the reader of a query, the text behind `?`. */
export function queryReader(query: Readonly<Record<string, AnyParameter>>): (search: string) => Reading {
  const parameters = Object.entries(query)
  if (parameters.length === 0) return (search) => (search.includes('%') && !eachPair(search, () => {}) ? unreadable : nothing)
  return (search) => {
    const given = new Map<string, { texts: string[]; named: boolean }>()
    if (search !== '') {
      const sound = eachPair(search, (name, value) => {
        if (!Object.hasOwn(query, name)) return
        const here = given.get(name)
        if (here === undefined) given.set(name, { texts: value === undefined ? [] : [value], named: true })
        else if (value !== undefined) here.texts.push(value)
      })
      if (!sound) return unreadable
    }
    return reading('query', parameters, (name) => given.get(name) ?? absent)
  }
}
