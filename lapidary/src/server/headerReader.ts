/** Reads the declared headers of a request. */
import { elementsOf } from '../describe/headerField.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import { absent, nothing, type Reading, reading } from '../describe/reading.ts'
import type { Incoming } from './kernel.ts'

/** The values of a header that stands in several lines; undefined where it stands in one, or its carrier has joined them. */
function linesOf({ rawHeaders }: Incoming, lower: string): readonly string[] | undefined {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === lower)
  return values.length > 1 ? values : undefined
}

/** Compiles the reader of headers. */
export function headerReader(headers: Readonly<Record<string, AnyParameter>>): (incoming: Incoming) => Reading {
  const parameters = Object.entries(headers)
  if (parameters.length === 0) return () => nothing
  const declared = parameters.map(([name, { repeats }]) => ({ lower: name.toLowerCase(), repeats }))
  return (incoming) =>
    reading('header', parameters, (_name, index) => {
      const { lower, repeats } = declared[index] as (typeof declared)[number] // one for each parameter
      const text = incoming.header(lower)
      if (text === undefined) return absent
      if (repeats) return { texts: elementsOf(text), named: true }
      // A header that takes one value and stands there in two lines, which are joined by a comma, is as wrong as a query parameter given twice.
      return { texts: (text.includes(',') ? linesOf(incoming, lower) : undefined) ?? [text], named: true }
    })
}
