/** Reads the captures of a path. */
import { splitHeaderList } from '../../http/headerFields.js'
import { forEachPair } from '../../http/percentEncoding.js'
import { requireSync } from '../../http/promises.js'
import { ParseError } from '../../json-schema/parseError.js'
/** Of a part where nothing is declared. */
export const noValues = Object.freeze({})
/** What stands under a name that is not there. */
export const absentInput = Object.freeze({ values: Object.freeze([]), isPresent: false })
/** Whether what was read is wrong. */
export const isReadError = (reading) => Array.isArray(reading)
/** The flaws of one value, as problem details say them. */
export const toProblemErrors = (place, name, { issues: flaws }) => flaws.map(({ detail }) => ({ in: place, name, detail }))
/** The values of all parameters, each from what stands under its name. */
export function readParameters(place, parameters, given) {
  const values = {}
  let errors
  for (let index = 0; index < parameters.length; index += 1) {
    const [name, parameter] = parameters[index]
    const value = parameter.read(given(name, index))
    if (value instanceof ParseError) errors = [...(errors ?? []), ...toProblemErrors(place, name, value)]
    else values[name] = requireSync(value, `The codec of ${name}`)
  }
  return errors ?? values
}
/** Compiles the reader of captures: from their decoded texts, in the order of the path, to their values by name. */
export function createCaptureReader(params) {
  const codecs = Object.entries(params)
  if (codecs.length === 0) return () => noValues
  return (texts) => {
    const values = {}
    let errors
    for (let index = 0; index < codecs.length; index += 1) {
      const [name, codec] = codecs[index]
      const value = codec.parse(texts[index] ?? '')
      if (value instanceof ParseError) errors = [...(errors ?? []), ...toProblemErrors('path', name, value)]
      else values[name] = requireSync(value, `The codec of :${name}`)
    }
    return errors ?? values
  }
}
// Reads a query. Unknown names are ignored, but all of it must be percent-encoded UTF-8.
/** A query that cannot be read, with the name of the parameter, declared or not, where that can be read. */
const toQueryErrors = ({ name, expected }) => [{ in: 'query', ...(name === undefined ? {} : { name }), detail: `expected ${expected}` }]
const ignorePair = () => {}
/** Compiles the reader of a query, the text behind `?`. */
export function createQueryReader(query) {
  const parameters = Object.entries(query)
  if (parameters.length === 0) {
    return (search) => {
      const flaw = search.includes('%') ? forEachPair(search, ignorePair) : undefined
      return flaw === undefined ? noValues : toQueryErrors(flaw)
    }
  }
  const indexes = new Map(parameters.map(([name], index) => [name, index]))
  return (search) => {
    const given = []
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
function getRepeatedLines({ rawHeaders }, lower) {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === lower)
  return values.length > 1 ? values : undefined
}
/** Compiles the reader of headers. */
export function createHeaderReader(headers) {
  const parameters = Object.entries(headers)
  if (parameters.length === 0) return () => noValues
  const declared = parameters.map(([name, { repeats }]) => ({ lower: name.toLowerCase(), repeats }))
  return (incoming) =>
    readParameters('header', parameters, (_name, index) => {
      const { lower, repeats } = declared[index] // one for each parameter
      const text = incoming.header(lower)
      if (text === undefined) return absentInput
      if (repeats) return { values: splitHeaderList(text), isPresent: true }
      // A header that takes one value and stands there in two lines, which are joined by a comma, is as wrong as a query parameter given twice.
      return { values: (text.includes(',') ? getRepeatedLines(incoming, lower) : undefined) ?? [text], isPresent: true }
    })
}
