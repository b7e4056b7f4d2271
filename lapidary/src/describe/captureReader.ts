/** Reads the captures of a path. */
import { atOnce } from './atOnce.ts'
import type { Scalar } from './parameter.ts'
import type { ProblemError } from './problem.ts'
import { errorsOf, nothing, type Reading } from './reading.ts'
import { Refusal } from './refusal.ts'

/** Compiles the reader of captures: from their decoded texts, in the order of the path, to their values by name. */
export function captureReader(params: Readonly<Record<string, Scalar<unknown>>>): (texts: readonly string[]) => Reading {
  const codecs = Object.entries(params)
  if (codecs.length === 0) return () => nothing
  return (texts) => {
    const values: Record<string, unknown> = {}
    let errors: ProblemError[] | undefined
    for (let index = 0; index < codecs.length; index += 1) {
      const [name, codec] = codecs[index] as (typeof codecs)[number]
      const value = codec.parse(texts[index] ?? '')
      if (value instanceof Refusal) errors = [...(errors ?? []), ...errorsOf('path', name, value)]
      else values[name] = atOnce(value, `The codec of :${name}`)
    }
    return errors ?? values
  }
}
