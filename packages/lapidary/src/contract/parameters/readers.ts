/** Reads the captures of a path. */

import { splitHeaderList } from '../../http/headerFields.ts'
import type { HttpRequest } from '../../http/httpHandler.ts'
import { forEachPair, type MalformedPair } from '../../http/percentEncoding.ts'
import type { ProblemError } from '../../http/problemDetails.ts'
import { requireSync } from '../../http/promises.ts'
import { isParseError, type ParseError } from '../../json-schema/parseError.ts'
import type { AnyParameter, Codec, ParameterInput } from './parameter.ts'

// Reads the values of one part of a request by their codecs; everything that is wrong in it is said at once.

/** Values by their names. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** What was read: the values, or all that is wrong with them. */
export type ReadResult = ParameterValues | readonly ProblemError[]

/** Of a part where nothing is declared. */
export const noValues: ParameterValues = Object.freeze({})

/** What stands under a name that is not there. */
export const absentInput: ParameterInput = Object.freeze({ values: Object.freeze([]), isPresent: false })

/** Whether what was read is wrong. */
export const isReadError = (reading: ReadResult): reading is readonly ProblemError[] => Array.isArray(reading)

/** The flaws of one value, as problem details say them. */
export const toProblemErrors = (place: ProblemError['in'], name: string, { issues: flaws }: ParseError): readonly ProblemError[] =>
  flaws.map(({ detail }) => ({ in: place, name, detail }))

/** The values of all parameters, each from what stands under its name. */
export function readParameters(
  place: 'query' | 'header',
  parameters: readonly (readonly [string, AnyParameter])[],
  given: (name: string, index: number) => ParameterInput,
): ReadResult {
  const values: Record<string, unknown> = {}
  let errors: ProblemError[] | undefined
  for (let index = 0; index < parameters.length; index += 1) {
    const [name, parameter] = parameters[index] as (typeof parameters)[number]
    const value: unknown = parameter.read(given(name, index))
    if (isParseError(value)) errors = [...(errors ?? []), ...toProblemErrors(place, name, value)]
    else values[name] = requireSync(value, `The codec of ${name}`)
  }
  return errors ?? values
}

/** Compiles the reader of captures: from their decoded texts, in the order of the path, to their values by name. */
export function createCaptureReader(params: Readonly<Record<string, Codec<unknown>>>): (texts: readonly string[]) => ReadResult {
  const codecs = Object.entries(params)
  if (codecs.length === 0) return () => noValues
  return (texts) => {
    const values: Record<string, unknown> = {}
    let errors: ProblemError[] | undefined
    for (let index = 0; index < codecs.length; index += 1) {
      const [name, codec] = codecs[index] as (typeof codecs)[number]
      const value = codec.parse(texts[index] ?? '')
      if (isParseError(value)) errors = [...(errors ?? []), ...toProblemErrors('path', name, value)]
      else values[name] = requireSync(value, `The codec of :${name}`)
    }
    return errors ?? values
  }
}

// Reads a query. Unknown names are ignored, but all of it must be percent-encoded UTF-8.

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

// Reads the declared headers of a request.

/** The values of a header that stands in several lines; undefined where it stands in one, or its adapter has joined them. */
function getRepeatedLines({ rawHeaders }: HttpRequest, lower: string): readonly string[] | undefined {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === lower)
  return values.length > 1 ? values : undefined
}

/** Compiles the reader of headers. */
export function createHeaderReader(headers: Readonly<Record<string, AnyParameter>>): (incoming: HttpRequest) => ReadResult {
  const parameters = Object.entries(headers)
  if (parameters.length === 0) return () => noValues
  const declared = parameters.map(([name, { repeats }]) => ({ lower: name.toLowerCase(), repeats }))
  return (incoming) =>
    readParameters('header', parameters, (_name, index) => {
      const { lower, repeats } = declared[index] as (typeof declared)[number] // one for each parameter
      const text = incoming.header(lower)
      if (text === undefined) return absentInput
      if (repeats) return { values: splitHeaderList(text), isPresent: true }
      // A header that takes one value and stands there in two lines, which are joined by a comma, is as wrong as a query parameter given twice.
      return { values: (text.includes(',') ? getRepeatedLines(incoming, lower) : undefined) ?? [text], isPresent: true }
    })
}
