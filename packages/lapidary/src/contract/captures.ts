/** The codecs of the captures of a path. */
import { listCaptures, type Segment } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { text } from './media/text.ts'
import type { AnyCodec } from './parameters/parameter.ts'
import type { ParameterPart } from './parameters/parameterGroups.ts'

/** A codec for each capture. */
export type CaptureCodecs = Readonly<Record<string, AnyCodec>>

/**
 * Returns one codec for each capture, in the order of the path. A capture without a codec is text.
 *
 * @param line The route or the prefix, for messages.
 * @throws TypeError for a codec without its capture, for one of several texts, and for a schema of all captures that lacks one.
 */
export function completeParams(line: string, segments: readonly Segment[], { parameters, groups }: ParameterPart): CaptureCodecs {
  const captures = listCaptures(segments)
  const codecs = parameters as CaptureCodecs
  const missing = groups.length === 0 ? undefined : captures.find((name) => !Object.hasOwn(codecs, name))
  if (missing !== undefined) throw new TypeError(developerErrors.captureWithoutMember(line, missing))
  for (const [name, codec] of Object.entries(codecs)) {
    if (!captures.includes(name)) throw new TypeError(developerErrors.codecWithoutCapture(line, name))
    if (typeof codec.parse !== 'function' || !codec.required || codec.repeats)
      throw new TypeError(developerErrors.invalidCaptureCodec(line, name))
  }
  return Object.freeze(Object.fromEntries(captures.map((name) => [name, (Object.hasOwn(codecs, name) && codecs[name]) || text])))
}
