/** Reads a query. Unknown names are ignored, but all of it must be percent-encoded UTF-8. */
import type { AnyParameter, Given } from './parameter.ts'
import { eachPair, type UnreadablePair } from './percent.ts'
import type { ProblemError } from './problem.ts'
import { absent, nothing, type Reading, reading } from './reading.ts'

/** A query that cannot be read, with the name of the parameter, declared or not, where that can be read. */
const unreadable = ({ name, expected }: UnreadablePair): readonly ProblemError[] => [
  { in: 'query', ...(name === undefined ? {} : { name }), detail: `expected ${expected}` },
]

const ignored = (): void => {}

/** What stands under a name, while the query is read. */
interface Gathered extends Given {
  readonly texts: string[]
}

/** Compiles the reader of a query, the text behind `?`. */
export function queryReader(query: Readonly<Record<string, AnyParameter>>): (search: string) => Reading {
  const parameters = Object.entries(query)
  if (parameters.length === 0) {
    return (search) => {
      const flaw = search.includes('%') ? eachPair(search, ignored) : undefined
      return flaw === undefined ? nothing : unreadable(flaw)
    }
  }
  const indexes = new Map(parameters.map(([name], index) => [name, index]))
  return (search) => {
    const given: (Gathered | undefined)[] = []
    const flaw = eachPair(search, (name, value) => {
      const index = indexes.get(name)
      if (index === undefined) return
      const here = given[index]
      if (here === undefined) given[index] = { texts: value === undefined ? [] : [value], named: true }
      else if (value !== undefined) here.texts.push(value)
    })
    return flaw === undefined ? reading('query', parameters, (_name, index) => given[index] ?? absent) : unreadable(flaw)
  }
}
