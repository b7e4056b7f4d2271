/** What the conditions of a request (`If-Match`, `If-None-Match`) make of an answer: RFC 9110 §13, in the order of §13.2.2. */

import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { Precondition } from '../contract/etag.ts'
import type { ParameterValues } from '../contract/parameters/readers.ts'
import { hasEntityTag } from '../http/entityTags.ts'
import { errors } from '../http/errors.ts'
import type { HttpResponse } from '../http/httpHandler.ts'
import { getEssence } from '../http/mediaTypeParser.ts'
import * as complaint from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { digest } from './digest.ts'
import type { ReplyWriter } from './write.ts'

/** The conditions of one request. */
export interface RequestCondition {
  /** What its handler gets; undefined where there is nothing for it to see to. */
  readonly precondition: Precondition | undefined
  /** The answer that its handler's is to be. @throws HttpError 412 */
  readonly apply: (outgoing: HttpResponse, offer: number) => HttpResponse
}

/** Reads the conditions of a request among its declared headers. @throws HttpError 428 */
export type ConditionReader = (headers: ParameterValues) => RequestCondition

/** The tags of a value: one for each media type that a GET would answer it in. */
export type EtagsGenerator = (value: unknown) => readonly string[]

/** The tag of a body. */
type EtagGenerator = (body: HttpResponse['body']) => string

/** Compiles the tags of one media type. The same bytes of another are something else; 128 bits of their digest are more than all versions there will be. */
function createEtagGenerator(route: string, type: string): EtagGenerator {
  const prefix = `${getEssence(type)}\n`
  return (body) => {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError(complaint.etagNotSupported(route))
    return `"${digest(prefix, body).slice(0, 32)}"`
  }
}

/** The tags of what a GET answers, by its writer. */
export function createEtagsGenerator(route: string, { offers, writeBody: body }: ReplyWriter): EtagsGenerator {
  const essences = offers.map(getEssence)
  // Types that differ in their parameters alone have one tag.
  const taggers = offers.flatMap((type, offer) =>
    essences.indexOf(getEssence(type)) === offer ? [{ offer, tagOf: createEtagGenerator(route, type) }] : [],
  )
  return (value) => taggers.map(({ offer, tagOf }) => tagOf(body(value, offer)))
}

/** Both as they were sent; undefined where they were not. Their codecs read texts. */
const readConditionHeaders = (headers: ParameterValues): readonly [match: string | undefined, noneMatch: string | undefined] => [
  headers['If-Match'] as string | undefined,
  headers['If-None-Match'] as string | undefined,
]

const createPreconditionFailed = (): Error => errors.preconditionFailed({ detail: problemDetail.preconditionFailed() })

/** Headers that a 304 has where the 200 would have had them (RFC 9110 §15.4.5). */
const notModifiedHeaders = ['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary']

/** The same function, which makes once what it makes of a list that cannot change. */
function cacheFrozen(make: (headers: readonly string[]) => readonly string[]): (headers: readonly string[]) => readonly string[] {
  const made = new WeakMap<readonly string[], readonly string[]>()
  return (headers) => {
    const known = made.get(headers)
    if (known !== undefined) return known
    const here = make(headers)
    if (Object.isFrozen(headers)) made.set(headers, here)
    return here
  }
}

/** Compiles the conditions of a GET whose answers have tags. */
export function createReadConditions({ route, responseHeaders: always }: AnyEndpoint, { offers }: ReplyWriter): ConditionReader {
  const taggers = offers.map((type) => createEtagGenerator(route, type))
  const kept = new Set([...notModifiedHeaders, ...Object.keys(always).map((name) => name.toLowerCase())])
  const lastingIn = cacheFrozen((headers) => headers.filter((_, index) => kept.has((headers[index - (index % 2)] ?? '').toLowerCase())))
  return (conditions) => {
    const [match, noneMatch] = readConditionHeaders(conditions)
    return {
      precondition: undefined,
      apply: (outgoing, offer) => {
        // An answer that has a tag has a body, which is in one of the types.
        const etag = (taggers[offer] as EtagGenerator)(outgoing.body)
        if (match !== undefined && !hasEntityTag(match, etag, false)) throw createPreconditionFailed()
        const { status, reason, headers, body } = outgoing
        if (noneMatch === undefined || !hasEntityTag(noneMatch, etag, true))
          return { status, reason, headers: [...headers, 'ETag', etag], body, route }
        return { status: 304, headers: [...lastingIn(headers), 'ETag', etag], body: null, route }
      },
    }
  }
}

const noCondition: RequestCondition = Object.freeze({ precondition: undefined, apply: (outgoing: HttpResponse) => outgoing })

/** Compiles the conditions of a change; `createEtagsGenerator` tells the tags of what is there. */
export const createWriteConditions =
  ({ route, etag }: AnyEndpoint, tagsOf: EtagsGenerator): ConditionReader =>
  (conditions) => {
    const [match, noneMatch] = readConditionHeaders(conditions)
    if (match === undefined && etag === 'required') throw errors.preconditionRequired({ detail: problemDetail.preconditionRequired() })
    if (match === undefined && noneMatch === undefined) return noCondition
    let checked = false
    return {
      precondition: (current) => {
        checked = true
        const tags = current === undefined ? [] : tagsOf(current)
        if (match !== undefined && !tags.some((tag) => hasEntityTag(match, tag, false))) throw createPreconditionFailed()
        if (noneMatch !== undefined && tags.some((tag) => hasEntityTag(noneMatch, tag, true))) throw createPreconditionFailed()
      },
      apply: (outgoing) => {
        if (!checked) throw new TypeError(complaint.uncheckedPrecondition(route))
        return outgoing
      },
    }
  }
