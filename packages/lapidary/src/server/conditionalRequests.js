/** What the conditions of a request (`If-Match`, `If-None-Match`) make of an answer: RFC 9110 §13, in the order of §13.2.2. */
import { hasEntityTag } from '../http/entityTags.js'
import { preconditionFailed, preconditionRequired } from '../http/httpError.js'
import { getEssence } from '../http/mediaTypeParser.js'
import * as complaint from '../messages/developerErrors.js'
import { problemDetail } from '../messages/problemMessages.js'
import { digest } from './digest.js'

/** Compiles the tags of one media type. The same bytes of another are something else; 128 bits of their digest are more than all versions there will be. */
function createEtagGenerator(route, type) {
  const prefix = `${getEssence(type)}\n`
  return (body) => {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError(complaint.etagNotSupported(route))
    return `"${digest(prefix, body).slice(0, 32)}"`
  }
}
/** The tags of what a GET answers, by its writer. */
export function createEtagsGenerator(route, { offers, writeBody: body }) {
  const essences = offers.map(getEssence)
  // Types that differ in their parameters alone have one tag.
  const taggers = offers.flatMap((type, offer) =>
    essences.indexOf(getEssence(type)) === offer ? [{ offer, tagOf: createEtagGenerator(route, type) }] : [],
  )
  return (value) => taggers.map(({ offer, tagOf }) => tagOf(body(value, offer)))
}
/** Both as they were sent; undefined where they were not. Their codecs read texts. */
const readConditionHeaders = (headers) => [headers['If-Match'], headers['If-None-Match']]
const createPreconditionFailed = () => preconditionFailed({ detail: problemDetail.preconditionFailed() })
/** Headers that a 304 has where the 200 would have had them (RFC 9110 §15.4.5). */
const notModifiedHeaders = ['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary']
/** The same function, which makes once what it makes of a list that cannot change. */
function cacheFrozen(make) {
  const made = new WeakMap()
  return (headers) => {
    const known = made.get(headers)
    if (known !== undefined) return known
    const here = make(headers)
    if (Object.isFrozen(headers)) made.set(headers, here)
    return here
  }
}
/** Compiles the conditions of a GET whose answers have tags. */
export function createReadConditions({ route, responseHeaders: always }, { offers }) {
  const taggers = offers.map((type) => createEtagGenerator(route, type))
  const kept = new Set([...notModifiedHeaders, ...Object.keys(always).map((name) => name.toLowerCase())])
  const lastingIn = cacheFrozen((headers) => headers.filter((_, index) => kept.has((headers[index - (index % 2)] ?? '').toLowerCase())))
  return (conditions) => {
    const [match, noneMatch] = readConditionHeaders(conditions)
    return {
      precondition: undefined,
      apply: (outgoing, offer) => {
        // An answer that has a tag has a body, which is in one of the types.
        const etag = taggers[offer](outgoing.body)
        if (match !== undefined && !hasEntityTag(match, etag, false)) throw createPreconditionFailed()
        const { status, reason, headers, body } = outgoing
        if (noneMatch === undefined || !hasEntityTag(noneMatch, etag, true))
          return { status, reason, headers: [...headers, 'ETag', etag], body, route }
        return { status: 304, headers: [...lastingIn(headers), 'ETag', etag], body: null, route }
      },
    }
  }
}
const noCondition = Object.freeze({ precondition: undefined, apply: (outgoing) => outgoing })
/** Compiles the conditions of a change; `createEtagsGenerator` tells the tags of what is there. */
export const createWriteConditions =
  ({ route, etag }, tagsOf) =>
  (conditions) => {
    const [match, noneMatch] = readConditionHeaders(conditions)
    if (match === undefined && etag === 'required') throw preconditionRequired({ detail: problemDetail.preconditionRequired() })
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
