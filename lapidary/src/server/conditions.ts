/** What the conditions of a request (`If-Match`, `If-None-Match`) make of an answer: RFC 9110 §13, in the order of §13.2.2. */
import * as complaint from '../describe/complaint.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { isNamed } from '../describe/entityTags.ts'
import { preconditionFailed, preconditionRequired } from '../describe/errors.ts'
import type { Precondition } from '../describe/etag.ts'
import { essenceOf } from '../describe/mediaType.ts'
import { answer } from '../describe/message.ts'
import type { Values } from '../describe/reading.ts'
import { digest } from './digest.ts'
import type { Outgoing } from './kernel.ts'
import type { Writer } from './write.ts'

/** The conditions of one request. */
export interface Condition {
  /** What its handler gets; undefined where there is nothing for it to see to. */
  readonly precondition: Precondition | undefined
  /** The answer that its handler's is to be. @throws HttpError 412 */
  readonly answer: (outgoing: Outgoing, offer: number) => Outgoing
}

/** Reads the conditions of a request among its declared headers. @throws HttpError 428 */
export type Conditions = (headers: Values) => Condition

/** The tags of a value: one for each media type that a GET would answer it in. */
export type TagsOf = (value: unknown) => readonly string[]

/** The tag of a body. */
type TagOf = (body: Outgoing['body']) => string

/** Compiles the tags of one media type. The same bytes of another are something else; 128 bits of their digest are more than all versions there will be. */
function tagger(route: string, type: string): TagOf {
  const prefix = `${essenceOf(type)}\n`
  return (body) => {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError(complaint.noTag(route))
    return `"${digest(prefix, body).slice(0, 32)}"`
  }
}

/** The tags of what a GET answers, by its writer. */
export function tagsOf(route: string, { offers, body }: Writer): TagsOf {
  const essences = offers.map(essenceOf)
  // Types that differ in their parameters alone have one tag.
  const taggers = offers.flatMap((type, offer) =>
    essences.indexOf(essenceOf(type)) === offer ? [{ offer, tagOf: tagger(route, type) }] : [],
  )
  return (value) => taggers.map(({ offer, tagOf }) => tagOf(body(value, offer)))
}

/** Both as they were sent; undefined where they were not. Their codecs read texts. */
const conditionsIn = (headers: Values): readonly [match: string | undefined, noneMatch: string | undefined] => [
  headers['If-Match'] as string | undefined,
  headers['If-None-Match'] as string | undefined,
]

const failed = (): Error => preconditionFailed({ detail: answer.preconditionFailed() })

/** Headers that a 304 has where the 200 would have had them (RFC 9110 §15.4.5). */
const lasting = ['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary']

/** The same function, which makes once what it makes of a list that cannot change. */
function onceEach(make: (headers: readonly string[]) => readonly string[]): (headers: readonly string[]) => readonly string[] {
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
export function readingConditions({ route, always }: AnyEndpoint, { offers }: Writer): Conditions {
  const taggers = offers.map((type) => tagger(route, type))
  const kept = new Set([...lasting, ...Object.keys(always).map((name) => name.toLowerCase())])
  const lastingIn = onceEach((headers) => headers.filter((_, index) => kept.has((headers[index - (index % 2)] ?? '').toLowerCase())))
  return (conditions) => {
    const [match, noneMatch] = conditionsIn(conditions)
    return {
      precondition: undefined,
      answer: (outgoing, offer) => {
        // An answer that has a tag has a body, which is in one of the types.
        const etag = (taggers[offer] as TagOf)(outgoing.body)
        if (match !== undefined && !isNamed(match, etag, false)) throw failed()
        const { status, reason, headers, body } = outgoing
        if (noneMatch === undefined || !isNamed(noneMatch, etag, true))
          return { status, reason, headers: [...headers, 'ETag', etag], body, route }
        return { status: 304, headers: [...lastingIn(headers), 'ETag', etag], body: null, route }
      },
    }
  }
}

const none: Condition = Object.freeze({ precondition: undefined, answer: (outgoing: Outgoing) => outgoing })

/** Compiles the conditions of a change; `tagsOf` tells the tags of what is there. */
export const writingConditions =
  ({ route, etag }: AnyEndpoint, tagsOf: TagsOf): Conditions =>
  (conditions) => {
    const [match, noneMatch] = conditionsIn(conditions)
    if (match === undefined && etag === 'required') throw preconditionRequired({ detail: answer.preconditionRequired() })
    if (match === undefined && noneMatch === undefined) return none
    let checked = false
    return {
      precondition: (current) => {
        checked = true
        const tags = current === undefined ? [] : tagsOf(current)
        if (match !== undefined && !tags.some((tag) => isNamed(match, tag, false))) throw failed()
        if (noneMatch !== undefined && tags.some((tag) => isNamed(noneMatch, tag, true))) throw failed()
      },
      answer: (outgoing) => {
        if (!checked) throw new TypeError(complaint.uncheckedPrecondition(route))
        return outgoing
      },
    }
  }
