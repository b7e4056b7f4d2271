/** The ETags of responses (RFC 9110 §8.8.3): digests of their bodies. */

import { digest } from '../http/digest.ts'
import type { ResponseBody } from '../http/httpHandler.ts'
import { getEssence } from '../http/mediaTypes.ts'
import { isResponseStream } from '../http/responseStream.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { ReplyWriter } from './write.ts'

/** Returns the ETags of a value: one for each media type that a GET can answer it in. */
export type EtagsGenerator = (value: unknown) => readonly string[]

/** Returns the ETag of a body. */
export type EtagGenerator = (body: ResponseBody) => string

/**
 * Compiles the ETags of one media type, which is part of the digest: the same bytes as another type are another representation. 128 bits of
 * the digest are enough for all versions that there will be.
 */
export function createEtagGenerator(route: string, type: string): EtagGenerator {
  const prefix = `${getEssence(type)}\n`
  return (body) => {
    if (body === null || isResponseStream(body)) throw new TypeError(developerErrors.etagNotSupported(route))
    return `"${digest(prefix, body).slice(0, 32)}"`
  }
}

/** Compiles the ETags of what a GET answers, from its writer. */
export function createEtagsGenerator(route: string, { offers, writeBody }: ReplyWriter): EtagsGenerator {
  const essences = offers.map(getEssence)
  // Types that differ only in their parameters share one ETag.
  const generators = offers.flatMap((type, offer) =>
    essences.indexOf(getEssence(type)) === offer ? [{ offer, generateEtag: createEtagGenerator(route, type) }] : [],
  )
  return (value) => generators.map(({ offer, generateEtag }) => generateEtag(writeBody(value, offer)))
}
