/** Reads captures, the query and the headers of a request by their codecs. Everything wrong in one of the three is said at once. */
import { HttpError } from '../describe/error.ts'
import { answer, expectation } from '../describe/message.ts'
import type { AnyParameter, Given, Scalar } from '../describe/parameter.ts'
import { eachPair } from '../describe/percent.ts'
import type { ProblemError } from '../describe/problem.ts'
import { Refusal } from '../describe/refusal.ts'
import type { Incoming } from './kernel.ts'

type Values = Readonly<Record<string, unknown>>

const empty: Values = Object.freeze({})
const absent: Given = Object.freeze({ texts: Object.freeze([]), named: false })

/** Where a value stands, as problem details name it. */
type Place = 'path' | 'query' | 'header'

const errorsOf = (place: Place, name: string, refusal: Refusal): readonly ProblemError[] =>
  refusal.flaws.map(({ detail }) => ({ in: place, name, detail }))

const refused = (place: Place, errors: readonly ProblemError[]): HttpError => new HttpError(400, { detail: answer.badInput(place), errors })

/** The values of all parameters, each from what stands under its name. @throws HttpError 400 with every error. */
function readAll(place: Place, parameters: readonly (readonly [string, AnyParameter])[], given: (name: string) => Given): Values {
  const values: Record<string, unknown> = {}
  let errors: ProblemError[] | undefined
  for (const [name, parameter] of parameters) {
    const value: unknown = parameter.read(given(name))
    if (value instanceof Refusal) errors = [...(errors ?? []), ...errorsOf(place, name, value)]
    else values[name] = value
  }
  if (errors !== undefined) throw refused(place, errors)
  return values
}

/** Reads the captures of a path, in their order; returns the errors where some do not convert. */
export function captureReader(
  params: Readonly<Record<string, Scalar<unknown>>>,
): (texts: readonly string[]) => Values | readonly ProblemError[] {
  const codecs = Object.entries(params)
  if (codecs.length === 0) return () => empty
  return (texts) => {
    const values: Record<string, unknown> = {}
    let errors: ProblemError[] | undefined
    for (let index = 0; index < codecs.length; index += 1) {
      const [name, codec] = codecs[index] as (typeof codecs)[number]
      const value = codec.parse(texts[index] ?? '')
      if (value instanceof Refusal) errors = [...(errors ?? []), ...errorsOf('path', name, value)]
      else values[name] = value
    }
    return errors ?? values
  }
}

/** Reads a query, the text behind `?`. Unknown names are ignored, but all of it must be percent-encoded UTF-8. */
export function queryReader(query: Readonly<Record<string, AnyParameter>>): (search: string) => Values {
  const parameters = Object.entries(query)
  const ill = (): HttpError => refused('query', [{ in: 'query', detail: `expected ${expectation.percentEncoding()}` }])
  if (parameters.length === 0) {
    return (search) => {
      if (search.includes('%') && !eachPair(search, () => {})) throw ill()
      return empty
    }
  }
  return (search) => {
    const given = new Map<string, { texts: string[]; named: boolean }>()
    if (search !== '') {
      const sound = eachPair(search, (name, value) => {
        if (!Object.hasOwn(query, name)) return
        const here = given.get(name)
        if (here === undefined) given.set(name, { texts: value === undefined ? [] : [value], named: true })
        else if (value !== undefined) here.texts.push(value)
      })
      if (!sound) throw ill()
    }
    return readAll('query', parameters, (name) => given.get(name) ?? absent)
  }
}

/** The values of a header that stands in several lines; undefined where it stands in one, or its carrier has joined them. */
function linesOf({ rawHeaders }: Incoming, lower: string): readonly string[] | undefined {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === lower)
  return values.length > 1 ? values : undefined
}

const elements = (text: string): readonly string[] =>
  text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')

/** Reads the declared headers. */
export function headerReader(headers: Readonly<Record<string, AnyParameter>>): (incoming: Incoming) => Values {
  const parameters = Object.entries(headers)
  if (parameters.length === 0) return () => empty
  return (incoming) =>
    readAll('header', parameters, (name) => {
      const lower = name.toLowerCase()
      const text = incoming.header(lower)
      if (text === undefined) return absent
      if (headers[name]?.repeats === true) return { texts: elements(text), named: true }
      // A header that takes one value and stands there in two lines is as wrong as a query parameter given twice.
      return { texts: linesOf(incoming, lower) ?? [text], named: true }
    })
}
