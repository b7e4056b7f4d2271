/** From the texts of paths and flags to the values that an endpoint takes, each read by its codec. */
import type { Given } from '../../describe/parameter.ts'
import * as usage from '../../describe/usage.ts'
import { Mistake } from '../mistake.ts'
import type { Flag, Part } from './flag.ts'
import type { Parsed } from './flagsIn.ts'
import { isRefusal } from './refused.ts'
import type { Told } from './target.ts'

/** Values by their names, for each part of a request. */
export type Input = Readonly<Record<Part, Readonly<Record<string, unknown>>>>

interface Place extends Given {
  /** How complaints call it: as it was written. */
  readonly label: string
}

function placeOf({ flag, part, name }: Flag, told: readonly Told[], flags: ReadonlyMap<string, readonly string[]>): Place {
  const inPath = told.filter((one) => one.part === part && one.name === name)
  const byFlag = flags.get(flag)
  return {
    texts: [...inPath.flatMap(({ text }) => (text === undefined ? [] : [text])), ...(byFlag ?? [])],
    named: inPath.length > 0 || byFlag !== undefined,
    label: inPath.length > 0 && byFlag === undefined ? `${part === 'params' ? ':' : '?'}${name}` : `--${flag}`,
  }
}

/**
 * The values that the path and the flags give.
 *
 * @throws Mistake with a line for each that its codec refuses, in the codec's own words.
 */
export function valuesOf({ command, flags, texts }: Parsed, told: readonly Told[]): Input {
  const input: Record<Part, Record<string, unknown>> = { params: {}, query: {}, headers: {} }
  const complaints: string[] = []
  for (const flag of flags) {
    const { label, ...given } = placeOf(flag, told, texts)
    const value: unknown = flag.parameter.read(given)
    if (isRefusal(value)) complaints.push(...value.flaws.map(({ detail }) => `${label}: ${detail}`))
    else input[flag.part][flag.name] = value
  }
  if (complaints.length > 0) throw new Mistake(2, [...complaints, usage.moreInHelp(command)].join('\n'))
  return input
}
