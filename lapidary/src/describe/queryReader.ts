/** Reads a query. Unknown names are ignored, but all of it must be percent-encoded UTF-8. */
import type { AnyParameter, ParameterInput } from './parameter.ts'
import { forEachPair, type MalformedPair } from './percent.ts'
import type { ProblemError } from './problem.ts'
import { absentInput, noValues, type ReadResult, readParameters } from './reading.ts'

/** A query that cannot be read, with the name of the parameter, declared or not, where that can be read. */
const toQueryErrors = ({ name, expected }: MalformedPair): readonly ProblemError[] => [
  { in: 'query', ...(name === undefined ? {} : { name }), detail: `expected ${expected}` },
]

const ignorePair = (): void => {}

/** What stands under a name, while the query is read. */
interface CollectedInput extends ParameterInput {
  readonly values: string[]
}

/** Compiles the reader of a query, the text behind `?`. */
export function createQueryReader(query: Readonly<Record<string, AnyParameter>>): (search: string) => ReadResult {
  const parameters = Object.entries(query)
  if (parameters.length === 0) {
    return (search) => {
      const flaw = search.includes('%') ? forEachPair(search, ignorePair) : undefined
      return flaw === undefined ? noValues : toQueryErrors(flaw)
    }
  }
  const indexes = new Map(parameters.map(([name], index) => [name, index]))
  return (search) => {
    const given: (CollectedInput | undefined)[] = []
    const flaw = forEachPair(search, (name, value) => {
      const index = indexes.get(name)
      if (index === undefined) return
      const here = given[index]
      if (here === undefined) given[index] = { values: value === undefined ? [] : [value], isPresent: true }
      else if (value !== undefined) here.values.push(value)
    })
    return flaw === undefined ? readParameters('query', parameters, (_name, index) => given[index] ?? absentInput) : toQueryErrors(flaw)
  }
}
