/** Conditional requests (RFC 9110 §13): `If-Match` and `If-None-Match`, in the order of §13.2.2. */

import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { Precondition } from '../contract/etag.ts'
import type { ParameterValues } from '../contract/parameters/parameter.ts'
import { toolkitErrors } from '../http/errors.ts'
import { filterHeaders } from '../http/headerFields.ts'
import type { HttpResponse } from '../http/httpHandler.ts'
import { memoizeFrozen } from '../http/memoize.ts'
import { hasEntityTag } from '../http/preconditions.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { createEtagGenerator, type EtagGenerator, type EtagsGenerator } from './etags.ts'
import type { ReplyWriter } from './write.ts'

/** The condition of one request. */
export interface RequestCondition {
  /** What the handler receives; undefined if the server evaluates the condition itself. */
  readonly precondition: Precondition | undefined
  /** Turns the response of the handler into the conditional one. @throws HttpError 412 */
  readonly apply: (response: HttpResponse, offer: number) => HttpResponse
}

/** Reads the condition of a request from its declared headers. @throws HttpError 428 */
type ConditionReader = (headers: ParameterValues) => RequestCondition

/** Returns both headers as they were sent, or undefined. Their codecs read texts. */
const readConditionHeaders = (headers: ParameterValues): readonly [ifMatch: string | undefined, ifNoneMatch: string | undefined] => [
  headers['If-Match'] as string | undefined,
  headers['If-None-Match'] as string | undefined,
]

export const createPreconditionFailed = (): Error => toolkitErrors.preconditionFailed({ detail: problemDetail.preconditionFailed() })

/** Headers that a 304 has if the 200 would have had them (RFC 9110 §15.4.5). */
const notModifiedHeaders = ['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary']

/** Compiles the function that returns those headers of a 200 that a 304 has as well. */
export function createHeaderFilter({ responseHeaders }: AnyEndpoint): (headers: readonly string[]) => readonly string[] {
  const keptNames = new Set([...notModifiedHeaders, ...Object.keys(responseHeaders).map((name) => name.toLowerCase())])
  return memoizeFrozen((headers) => filterHeaders(headers, (name) => keptNames.has(name.toLowerCase())))
}

/** Compiles the condition reader of a GET whose responses have ETags. */
export function createGetConditionReader(endpoint: AnyEndpoint, { offers }: ReplyWriter): ConditionReader {
  const { route } = endpoint
  const generators = offers.map((type) => createEtagGenerator(route, type))
  const keepHeaders = createHeaderFilter(endpoint)
  return (requestHeaders) => {
    const [ifMatch, ifNoneMatch] = readConditionHeaders(requestHeaders)
    return {
      precondition: undefined,
      apply: (response, offer) => {
        // A response with an ETag has a body, and so one of the types.
        const etag = (generators[offer] as EtagGenerator)(response.body)
        if (ifMatch !== undefined && !hasEntityTag(ifMatch, etag, false)) throw createPreconditionFailed()
        const { status, reason, headers, body } = response
        if (ifNoneMatch === undefined || !hasEntityTag(ifNoneMatch, etag, true))
          return { status, reason, headers: [...headers, 'ETag', etag], body, route }
        return { status: 304, headers: [...keepHeaders(headers), 'ETag', etag], body: null, route }
      },
    }
  }
}

const noCondition: RequestCondition = Object.freeze({ precondition: undefined, apply: (response: HttpResponse) => response })

/** Compiles the condition reader of a change. Its handler checks the condition, in the transaction that writes. */
export const createChangeConditionReader =
  ({ route, etag }: AnyEndpoint, generateCurrentEtags: EtagsGenerator): ConditionReader =>
  (requestHeaders) => {
    const [ifMatch, ifNoneMatch] = readConditionHeaders(requestHeaders)
    if (ifMatch === undefined && etag === 'required')
      throw toolkitErrors.preconditionRequired({ detail: problemDetail.preconditionRequired() })
    if (ifMatch === undefined && ifNoneMatch === undefined) return noCondition
    let isChecked = false
    return {
      precondition: (current) => {
        isChecked = true
        const etags = current === undefined ? [] : generateCurrentEtags(current)
        if (ifMatch !== undefined && !etags.some((tag) => hasEntityTag(ifMatch, tag, false))) throw createPreconditionFailed()
        if (ifNoneMatch !== undefined && etags.some((tag) => hasEntityTag(ifNoneMatch, tag, true))) throw createPreconditionFailed()
      },
      apply: (response) => {
        if (!isChecked) throw new TypeError(developerErrors.uncheckedPrecondition(route))
        return response
      },
    }
  }
