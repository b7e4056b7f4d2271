/** Reads a query. Unknown names are ignored, but all of it must be percent-encoded UTF-8. */
import { expectation } from './message.ts'
import type { AnyParameter, Given } from './parameter.ts'
import { eachPair } from './percent.ts'
import type { ProblemError } from './problem.ts'
import { absent, nothing, type Reading, reading } from './reading.ts'

/** Of a query that is not percent-encoded UTF-8: which name is meant, nobody can say. */
const unreadable: readonly ProblemError[] = Object.freeze([{ in: 'query', detail: `expected ${expectation.percentEncoding()}` }])

/** What stands under a name, while the query is read. */
interface Gathered extends Given {
  readonly texts: string[]
}

/** Compiles the reader of a query, the text behind `?`. */
export function queryReader(query: Readonly<Record<string, AnyParameter>>): (search: string) => Reading {
  const parameters = Object.entries(query)
  if (parameters.length === 0) return (search) => (search.includes('%') && !eachPair(search, () => {}) ? unreadable : nothing)
  const indexes = new Map(parameters.map(([name], index) => [name, index]))
  return (search) => {
    const given: (Gathered | undefined)[] = []
    const isSound = eachPair(search, (name, value) => {
      const index = indexes.get(name)
      if (index === undefined) return
      const here = given[index]
      if (here === undefined) given[index] = { texts: value === undefined ? [] : [value], named: true }
      else if (value !== undefined) here.texts.push(value)
    })
    return isSound ? reading('query', parameters, (_name, index) => given[index] ?? absent) : unreadable
  }
}
