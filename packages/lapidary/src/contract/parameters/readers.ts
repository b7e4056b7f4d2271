/**
 * Readers of the captures, the query, the headers and the cookies of a request: from texts to values. A reader reports all errors of its part at once.
 */
import { getCookie } from '../../http/cookies.ts'
import { decodeExactUtf8 } from '../../http/encodings.ts'
import { listHeaderValues, splitHeaderList } from '../../http/headerFields.ts'
import type { ProblemError } from '../../http/httpError.ts'
import type { HttpRequest } from '../../http/httpHandler.ts'
import { forEachPair, type MalformedPair } from '../../http/percentEncoding.ts'
import { requireSync } from '../../http/promises.ts'
import { getCause, isParseError, type ParseError, parseError } from '../../json-schema/parseError.ts'
import * as expectation from '../../messages/expectations.ts'
import {
  type AnyParameter,
  type Codec,
  defineValue,
  type ParameterInput,
  type ParameterRecord,
  type ParameterValues,
  splitTexts,
} from './parameter.ts'
import { combineValues, type InputError, type ParameterGroup } from './parameterGroups.ts'

/** The values of one part of a request, or all of its errors. */
export type ReadResult = ParameterValues | readonly InputError[]

/** The values of a part without declared parameters. */
export const noValues: ParameterValues = Object.freeze({})

/** The input of a parameter that the request does not have. */
const absentInput: ParameterInput = Object.freeze({ values: Object.freeze([]), isPresent: false })

/** Whether a reader returned errors. */
export const isReadError = (result: ReadResult): result is readonly InputError[] => Array.isArray(result)

/** The issues of one value, as entries of problem details. */
const toProblemErrors = (place: ProblemError['in'], name: string, { issues }: ParseError): readonly InputError[] =>
  issues.map((issue) => ({ in: place, name, detail: issue.detail, ...getCause(issue) }))

/**
 * Reads all parameters of one part.
 *
 * @param getInput Returns the texts of a parameter, by its name and its index.
 */
function readParameters(
  place: ProblemError['in'],
  groups: readonly ParameterGroup[],
  parameters: readonly (readonly [string, AnyParameter])[],
  getInput: (name: string, index: number) => ParameterInput,
): ReadResult {
  const values: Record<string, unknown> = {}
  let errors: InputError[] | undefined
  for (let index = 0; index < parameters.length; index += 1) {
    const [name, parameter] = parameters[index] as (typeof parameters)[number]
    const value: unknown = parameter.read(getInput(name, index))
    if (isParseError(value)) errors = [...(errors ?? []), ...toProblemErrors(place, name, value)]
    // An assignment here is faster than one that other functions share.
    else if (name === '__proto__') defineValue(values, name, requireSync(value, `The codec of ${name}`))
    else values[name] = requireSync(value, `The codec of ${name}`)
  }
  if (errors !== undefined) return errors
  return groups.length === 0 ? values : combineValues(place, groups, values)
}

/** Compiles the reader of captures: from their decoded texts, in the order of the path, to values by name. */
export function createCaptureReader(
  params: Readonly<Record<string, Codec<unknown>>>,
  groups: readonly ParameterGroup[] = [],
): (texts: readonly (string | undefined)[]) => ReadResult {
  const codecs = Object.entries(params)
  if (codecs.length === 0) return () => noValues
  return (texts) => {
    const values: Record<string, unknown> = {}
    let errors: InputError[] | undefined
    for (let index = 0; index < codecs.length; index += 1) {
      const [name, codec] = codecs[index] as (typeof codecs)[number]
      const text = texts[index]
      const value = text === undefined ? parseError(expectation.plainSegments()) : codec.parse(text)
      if (isParseError(value)) errors = [...(errors ?? []), ...toProblemErrors('path', name, value)]
      else if (name === '__proto__') defineValue(values, name, requireSync(value, `The codec of :${name}`))
      else values[name] = requireSync(value, `The codec of :${name}`)
    }
    if (errors !== undefined) return errors
    return groups.length === 0 ? values : combineValues('path', groups, values)
  }
}

/** The error of a query that is not percent-encoded UTF-8, with the name of the parameter where that can be read. */
const toQueryErrors = ({ name, expected }: MalformedPair): readonly ProblemError[] => [
  { in: 'query', ...(name === undefined ? {} : { name }), detail: `expected ${expected}` },
]

const ignorePair = (): void => {}

/** The texts of a parameter while the query is read. */
interface CollectedInput extends ParameterInput {
  readonly values: string[]
}

/** Compiles the reader of a query, the text after `?`. It ignores unknown names, but the whole query must be percent-encoded UTF-8. */
export function createQueryReader(query: ParameterRecord, groups: readonly ParameterGroup[] = []): (search: string) => ReadResult {
  const parameters = Object.entries(query)
  if (parameters.length === 0) {
    return (search) => {
      const malformed = search.includes('%') ? forEachPair(search, ignorePair) : undefined
      return malformed === undefined ? noValues : toQueryErrors(malformed)
    }
  }
  const indexes = new Map(parameters.map(([name], index) => [name, index]))
  return (search) => {
    const inputs: (CollectedInput | undefined)[] = []
    const malformed = forEachPair(search, (name, value) => {
      const index = indexes.get(name)
      if (index === undefined) return
      const input = inputs[index]
      if (input === undefined) inputs[index] = { values: value === undefined ? [] : [value], isPresent: true }
      else if (value !== undefined) input.values.push(value)
    })
    if (malformed !== undefined) return toQueryErrors(malformed)
    return readParameters('query', groups, parameters, (_name, index) => {
      const input = inputs[index]
      if (input === undefined) return absentInput
      const delimiter = parameters[index]?.[1].delimiter
      return delimiter === undefined ? input : { ...input, values: splitTexts(input.values, delimiter) }
    })
  }
}

/** The values of a header that has several fields; undefined where it has one, or where the adapter has joined them. */
function getRepeatedValues({ rawHeaders }: HttpRequest, lower: string): readonly string[] | undefined {
  const values = listHeaderValues(rawHeaders, lower)
  return values.length > 1 ? values : undefined
}

/** `Last-Event-ID` is UTF-8 (WHATWG HTML §9.2.3), and fields are read as one character for each byte. Other bytes stay as they are. */
function decodeEventId(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text
  return decodeExactUtf8(Uint8Array.from(text, (character) => character.charCodeAt(0))) ?? text
}

/** Compiles the reader of headers; undefined where none is declared. */
export function createHeaderReader(
  headers: ParameterRecord,
  groups: readonly ParameterGroup[] = [],
): ((request: HttpRequest) => ReadResult) | undefined {
  const parameters = Object.entries(headers)
  if (parameters.length === 0) return undefined
  const declared = parameters.map(([name, { repeats }]) => ({ lower: name.toLowerCase(), repeats }))
  return (request) =>
    readParameters('header', groups, parameters, (_name, index) => {
      const { lower, repeats } = declared[index] as (typeof declared)[number]
      const field = request.header(lower)
      if (field === undefined) return absentInput
      const text = lower === 'last-event-id' ? decodeEventId(field) : field
      if (repeats) return { values: splitHeaderList(text), isPresent: true }
      // Two fields of a header with one value are an error, as a query parameter that is given twice. The adapter joins them by a comma.
      return { values: (text.includes(',') ? getRepeatedValues(request, lower) : undefined) ?? [text], isPresent: true }
    })
}

/** Compiles the reader of cookies; undefined where none is declared. It ignores other cookies: they may belong to another application. */
export function createCookieReader(
  cookies: ParameterRecord,
  groups: readonly ParameterGroup[] = [],
): ((request: HttpRequest) => ReadResult) | undefined {
  const parameters = Object.entries(cookies)
  if (parameters.length === 0) return undefined
  return (request) => {
    const header = request.header('cookie') ?? ''
    return readParameters('cookie', groups, parameters, (name) => {
      const value = getCookie(header, name)
      return value === undefined ? absentInput : { values: [value], isPresent: true }
    })
  }
}
