/** `paginate(call, { range })`: iterates over all items of a collection, page by page. */
import type { RangeInput } from '../contract/endpoint.ts'
import type { WithHeaders } from '../contract/reply.ts'
import { requireFunction } from '../http/functions.ts'
import type { Awaitable } from '../http/promises.ts'

/** The headers of a page that say where the next one is. */
export interface NextPageHeaders {
  readonly Link?: string | undefined
  readonly 'Next-Range'?: string | undefined
}

/** A function that returns a page: a call of a client, or `(input) => colorRanges.page(input, source)` in the same process. */
export type PageCall<Item> = (
  input: RangeInput,
  options: { readonly signal?: AbortSignal },
) => Awaitable<WithHeaders<readonly Item[], NextPageHeaders>>

/** Which pages to read. */
interface PaginateOptions {
  /** The range of the first page: `name; limit 50`. @default the default of the server */
  readonly range?: string
  /** A signal that stops the iteration before the next page. Every call gets this signal as well. */
  readonly signal?: AbortSignal
}

/** One link of a Link header: its target and its parameters (RFC 8288 §3). */
const linkPattern = /<([^<>]*)>((?:\s*;\s*(?:[^\s=;,<>"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,<>"]*))?)?)*)/g
const parameterPattern = /;\s*([^\s=;,<>"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,<>"]*)))?/g

/** The parameters of a link, by their names in lower case. Of several with one name, the first counts. */
function parseParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, bare = ''] of text.matchAll(parameterPattern)) {
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, quoted ?? bare)
  }
  return parameters
}

/** The target of the link to the next page. A link with an anchor is about something else. */
function getNextTarget(header: string): string | undefined {
  for (const [, target = '', text = ''] of header.matchAll(linkPattern)) {
    const parameters = parseParameters(text)
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    if (relations.includes('next') && !parameters.has('anchor')) return target
  }
  return undefined
}

/** The parameter `range` of a link. */
function getRange(target: string): string | undefined {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(target) ?? []
  return new URLSearchParams(query).get('range') || undefined
}

/** The range of the next page. @throws Error where there is a next page, and nothing says its range */
function getNextRange({ Link = '', 'Next-Range': plain }: NextPageHeaders): string | undefined {
  const target = getNextTarget(Link)
  const range = (target === undefined ? undefined : getRange(target)) ?? plain
  if (target === undefined || range !== undefined) return range
  throw new Error(
    `The Link of the next page has no parameter "range": <${target}>. The pages after it would be lost. Correct the server's Link.`,
  )
}

/**
 * Iterates over the items of a collection. It follows the `Link` of each page, so that unchanged items come exactly once while others are
 * added and removed; if a server sends none, it follows `Next-Range`. If the loop ends early, it requests no further page.
 *
 * @throws Error if a page leads back to an earlier page (at the latest when all pages have come three times), or if the Link of the next
 * page has no range; and each error of `call`.
 * @example
 * ```ts
 * import { endpoint, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 * import { paginate, rangePagination } from 'lapidary/pagination'
 * import { z } from 'zod'
 *
 * const Color = z.object({ name: z.string() })
 * const ranges = rangePagination(Color, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: 'name' })
 * const api = { colors: endpoint('GET /colors', { ...ranges.declaration }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * for await (const color of paginate(call.colors, { range: 'name; limit 50' })) console.log(color.name)
 * ```
 */
export async function* paginate<Item>(
  call: PageCall<Item>,
  { range: firstRange, signal }: PaginateOptions = {},
): AsyncGenerator<Item, void, undefined> {
  requireFunction('paginate(): call', call)
  let range = firstRange
  // Brent's search for a circle: a page is compared with one before it, twice as far back each time.
  let earlier: string | undefined
  let distance = 0
  let maxDistance = 1
  for (;;) {
    signal?.throwIfAborted()
    const { body, headers } = await call({ headers: { Range: undefined }, query: { range } }, signal === undefined ? {} : { signal })
    yield* body
    const next = getNextRange(headers)
    if (next === undefined) return
    if (next === range || next === earlier)
      throw new Error(
        `The pages after "${range}" lead back to "${next}", so the iteration would never end. Correct the server's Link or Next-Range.`,
      )
    distance += 1
    if (distance === maxDistance) {
      earlier = next
      distance = 0
      maxDistance *= 2
    }
    range = next
  }
}
