/** `paginate(call, { range })`: every item of a collection, a page at a time, each of them once. */
import type { WithHeaders } from '../contract/reply.ts'
import type { Awaitable } from '../http/promises.ts'
import type { RangeInput } from './rangeRequest.ts'

/** The headers of a page that say where the next one is. */
export interface NextPageHeaders {
  readonly Link?: string | undefined
  readonly 'Next-Range'?: string | undefined
}

/** Anything that answers with pages: a client's call, or `(input) => colorRanges.page(input, source)` in the same process. */
export type PageCall<Item> = (
  input: RangeInput,
  options: { readonly signal?: AbortSignal },
) => Awaitable<WithHeaders<readonly Item[], NextPageHeaders>>

/** How to walk. */
export interface PaginateOptions {
  /** The range of the first page: `name; limit 50`. Default: what the server sends without one. */
  readonly range?: string
  /** Stops the walk before its next page. It is handed on to every call as well. */
  readonly signal?: AbortSignal
}

/** One link of a Link header: its target, and its parameters (RFC 8288 §3). */
const linkPattern = /<([^<>]*)>((?:\s*;\s*[^\s=;,<>"]+(?:=(?:"(?:[^"\\]|\\.)*"|[^\s;,<>"]*))?)*)/g
const relationPattern = /;\s*rel=(?:"([^"]*)"|([^\s;,"]*))/i

/** The `range` parameter of the link to the next page. */
function getNextRange(header: string): string | undefined {
  for (const [, target = '', parameters = ''] of header.matchAll(linkPattern)) {
    const [, quoted, bare = ''] = relationPattern.exec(parameters) ?? []
    if (!(quoted ?? bare).toLowerCase().split(/\s+/).includes('next')) continue
    const question = target.indexOf('?')
    const query = question < 0 ? '' : target.slice(question).replace(/#.*$/, '')
    return new URLSearchParams(query).get('range') ?? undefined
  }
  return undefined
}

/**
 * Walks a collection: `for await (const color of pages(call.colors, { range: 'name; limit 50' }))`. It follows the `Link` of each page, so that
 * items which nobody touches come once each while others come and go; where a server sends none, it follows `Next-Range`. A walk that is left early asks no further.
 *
 * @throws Error when the next page of a page is that page again, and whatever `call` throws.
 */
export async function* paginate<Item>(
  call: PageCall<Item>,
  { range, signal }: PaginateOptions = {},
): AsyncGenerator<Item, void, undefined> {
  let asked = range
  for (;;) {
    signal?.throwIfAborted()
    const { body, headers } = await call({ headers: { Range: undefined }, query: { range: asked } }, signal === undefined ? {} : { signal })
    yield* body
    const next = (headers.Link === undefined ? undefined : getNextRange(headers.Link)) ?? headers['Next-Range']
    if (next === undefined) return
    if (next === asked)
      throw new Error(
        `The next page of "${asked}" is that page itself, so that this walk would never end. Mend the server's Link or Next-Range.`,
      )
    asked = next
  }
}
