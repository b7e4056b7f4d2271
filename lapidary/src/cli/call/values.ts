/** From the texts of paths and flags to the values that an endpoint takes, each read by its codec. */
import type { ParameterInput } from '../../describe/parameter.ts'
import * as usage from '../../describe/usage.ts'
import { CliError } from '../mistake.ts'
import type { CallFlag, RequestPart } from './flag.ts'
import type { ParsedCall } from './flagsIn.ts'
import { isParseErrorLike } from './refused.ts'
import type { PathValue } from './target.ts'

/** Values by their names, for each part of a request. */
export type CallInput = Readonly<Record<RequestPart, Readonly<Record<string, unknown>>>>

interface FlagPlace extends ParameterInput {
  /** How complaints call it: as it was written. */
  readonly label: string
}

function locateFlag({ flag, part, name }: CallFlag, told: readonly PathValue[], flags: ReadonlyMap<string, readonly string[]>): FlagPlace {
  const inPath = told.filter((one) => one.part === part && one.name === name)
  const byFlag = flags.get(flag)
  return {
    values: [...inPath.flatMap(({ text }) => (text === undefined ? [] : [text])), ...(byFlag ?? [])],
    isPresent: inPath.length > 0 || byFlag !== undefined,
    label: inPath.length > 0 && byFlag === undefined ? `${part === 'params' ? ':' : '?'}${name}` : `--${flag}`,
  }
}

/**
 * The values that the path and the flags give.
 *
 * @throws Mistake with a line for each that its codec refuses, in the codec's own words.
 */
export function readValues({ command, flags, texts }: ParsedCall, told: readonly PathValue[]): CallInput {
  const input: Record<RequestPart, Record<string, unknown>> = { params: {}, query: {}, headers: {} }
  const complaints: string[] = []
  for (const flag of flags) {
    const { label, ...given } = locateFlag(flag, told, texts)
    const value: unknown = flag.parameter.read(given)
    if (isParseErrorLike(value)) complaints.push(...value.issues.map(({ detail }) => `${label}: ${detail}`))
    else input[flag.part][flag.name] = value
  }
  if (complaints.length > 0) throw new CliError(2, [...complaints, usage.seeHelp(command)].join('\n'))
  return input
}
