/** Reads the captures of a path. */
import { requireSync } from './atOnce.ts'
import type { Codec } from './parameter.ts'
import type { ProblemError } from './problem.ts'
import { noValues, type ReadResult, toProblemErrors } from './reading.ts'
import { ParseError } from './refusal.ts'

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
      if (value instanceof ParseError) errors = [...(errors ?? []), ...toProblemErrors('path', name, value)]
      else values[name] = requireSync(value, `The codec of :${name}`)
    }
    return errors ?? values
  }
}
