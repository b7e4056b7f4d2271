/** Reads the declared headers of a request. */
import { splitHeaderList } from '../describe/headerField.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import { absentInput, noValues, type ReadResult, readParameters } from '../describe/reading.ts'
import type { HttpRequest } from './kernel.ts'

/** The values of a header that stands in several lines; undefined where it stands in one, or its carrier has joined them. */
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
