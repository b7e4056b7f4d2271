/** `paginate(call, options)`: iterates over all items of a collection, page by page. */
import type { RangeInput } from '../contract/endpoint.ts'
import type { Nothing } from '../contract/parameters/parameter.ts'
import type { WithHeaders } from '../contract/reply.ts'
import { checkFunctions, describeKind, requireFunction } from '../http/functions.ts'
import type { Awaitable } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'

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
interface RangePaginateOptions {
  /** The range of the first page: `name; limit 50`. @default the default of the server */
  readonly range?: string
  /** A signal that stops the iteration before the next page. Every call gets this signal as well. */
  readonly signal?: AbortSignal
}

/** The items of a body: those of an array, or of the member of an object that is one. */
type ItemsOf<Body> = Body extends readonly (infer Item)[]
  ? Item
  : { [Name in keyof Body]-?: NonNullable<Body[Name]> extends readonly (infer Item)[] ? Item : never }[keyof Body]

/** The items of a page: of its body, if it has headers as well. */
export type PageItem<Page> = Page extends WithHeaders<infer Body, object> ? ItemsOf<Body> : ItemsOf<Page>

/** What the input of the next page has in place of that of the first one, by the part: `{ query: { cursor } }`. */
export type NextPageInput<Input> = { readonly [Part in keyof Input]?: Partial<Input[Part]> }

/** Which pages to read, and how to get from one to the next. */
export interface PaginateOptions<Input, Page, Item> {
  /** The input of the first page: `{ query: { limit: 50, sort: '-created' } }`. The other pages get the same, and what the page before them tells. */
  readonly input?: Input
  /** A signal that stops the iteration before the next page. Every call gets this signal as well. */
  readonly signal?: AbortSignal
  /** Returns the items of a page. @default its body, or the only member of its body that is an array */
  readonly items?: (page: Page) => readonly Item[]
  /**
   * Returns what the input of the next page has in place of that of the first one; `undefined` after the last page. For the servers of others:
   * `({ nextToken }) => nextToken && { query: { token: nextToken } }`.
   *
   * @default the query parameter `cursor`, `range` or `page` of the `Link` to the next page; without it, `next` of the body as the `cursor`
   */
  readonly next?: (page: Page) => NextPageInput<Input> | undefined
}

/** The options; they are needed where the input has a part that is required, such as captures. */
type PaginateArguments<Input, Page, Item> =
  Nothing extends NonNullable<Input>
    ? readonly [options?: PaginateOptions<NonNullable<Input>, Page, Item>]
    : readonly [options: PaginateOptions<NonNullable<Input>, Page, Item> & { readonly input: Input }]

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

/** Values of parameters, by the part of the input that has them. */
type PartValues = Readonly<Record<string, unknown>>

/** A page as a call returns it: a body with headers, or the body alone. */
interface ReceivedPage {
  readonly body: unknown
  readonly headers: NextPageHeaders
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const toReceivedPage = (page: unknown): ReceivedPage =>
  isObject(page) && 'body' in page && isObject(page['headers'])
    ? { body: page['body'], headers: page['headers'] }
    : { body: page, headers: {} }

/** The items of a page. @throws TypeError where it is not clear which member has the items */
export function getPageItems(page: unknown): readonly unknown[] {
  const { body } = toReceivedPage(page)
  if (Array.isArray(body)) return body
  const lists = Object.values(Object(body)).filter((member) => Array.isArray(member))
  if (lists.length !== 1) throw new TypeError(developerErrors.unclearItems(lists.length))
  return lists[0] as readonly unknown[]
}

/** The query parameters that select a page. */
type PageParameter = 'cursor' | 'range' | 'page'

/** Returns the input of the page that the target of a link selects. */
function getLinkedInput(target: string, parameters: readonly PageParameter[]): PartValues | undefined {
  const [, text = ''] = /^[^?#]*\?([^#]*)/.exec(target) ?? []
  const query = new URLSearchParams(text)
  const name = parameters.find((parameter) => query.get(parameter))
  if (name === undefined) return undefined
  const value = query.get(name) ?? ''
  return { query: { [name]: name === 'page' ? Number(value) : value } }
}

/** Whether `next` of a body is a URL, as some APIs have it there. A cursor can begin with a slash as well, and has no parameter. */
const isUrl = (next: string, parameters: readonly PageParameter[]): boolean =>
  /^https?:/.test(next) || (/^[/?]/.test(next) && getLinkedInput(next, parameters) !== undefined)

/** Returns the input of the next page. @throws Error where there is a next page, and nothing says how to request it */
export function getNextInput(page: unknown, parameters: readonly PageParameter[] = ['cursor', 'range', 'page']): PartValues | undefined {
  const {
    body,
    headers: { Link = '', 'Next-Range': range },
  } = toReceivedPage(page)
  const next: unknown = isObject(body) && !Array.isArray(body) ? body['next'] : undefined
  const url = typeof next === 'string' && isUrl(next, parameters) ? next : undefined
  const target = getNextTarget(Link) ?? url
  const linked = target === undefined ? undefined : getLinkedInput(target, parameters)
  if (linked !== undefined) return linked
  if (range !== undefined) return { query: { range } }
  if (target === undefined) {
    if (typeof next === 'string' && next !== '') return { query: { cursor: next } }
    // None of these says that there is a page.
    if (next === undefined || next === null || next === '' || next === false) return undefined
    throw new Error(
      `The member "next" of the body is ${describeKind(next)}, and it is not clear which parameter requests this page. The pages after it would be lost. Write the option next.`,
    )
  }
  throw new Error(
    `The Link of the next page has no parameter ${parameters.map((name) => `"${name}"`).join(' or ')}: <${target}>. The pages after it would be lost. Correct the server's Link, or write the option next.`,
  )
}

/** The input of a page: that of the first one, with what selects the page. */
export const mergeParts = (input: PartValues, next: PartValues): PartValues => ({
  ...input,
  ...Object.fromEntries(
    Object.entries(next).map(([part, values]) => [
      part,
      isObject(values) && isObject(input[part]) ? { ...input[part], ...values } : values,
    ]),
  ),
})

/** What JSON has not, as something that tells two values apart. */
const toJson = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value instanceof Map || value instanceof Set ? [...value] : value

/** What tells the input of a page from that of another one: each value, with the names of its part and its member. */
const createInputKey = (next: PartValues): string => JSON.stringify(next, toJson)

/** What a page was requested by, for a message: its cursor, its range or its number. */
const describeInput = (next: PartValues): string => {
  const values = Object.values(next).flatMap((values) => (isObject(values) ? Object.values(values) : []))
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value, toJson))).join(' ')
}

/**
 * Iterates over the items of a collection, whose pages have a range, a cursor or a number. It follows the `Link` of each page. By ranges and
 * cursors, unchanged items come exactly once while others are added and removed. Without a `Link` it follows `Next-Range`, or `next` of the
 * body. If the loop ends early, it requests no further page.
 *
 * @throws Error if a page leads back to an earlier page (at the latest when all pages have come three times), or if the Link of the next
 * page does not say how to request it; TypeError if it is not clear which member of the body has the items; and each error of `call`.
 * @example
 * ```ts
 * import { endpoint, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 * import { cursorPagination, paginate } from 'lapidary/pagination'
 * import { z } from 'zod'
 *
 * const Color = z.object({ name: z.string() })
 * const pages = cursorPagination(Color, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: 'name' })
 * const api = { colors: endpoint('GET /colors', { ...pages.declaration }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * for await (const color of paginate(call.colors, { input: { query: { limit: 50 } } })) console.log(color.name)
 * ```
 */
export function paginate<Item>(call: PageCall<Item>, options?: RangePaginateOptions): AsyncGenerator<Item, void, undefined>
export function paginate<Input, Page, Item = PageItem<Page>>(
  call: (input: Input, options: { readonly signal?: AbortSignal }) => Awaitable<Page>,
  ...options: PaginateArguments<NoInfer<Input>, NoInfer<Page>, Item>
): AsyncGenerator<Item, void, undefined>
export async function* paginate(
  call: (input: never, options: { readonly signal?: AbortSignal }) => unknown,
  options: RangePaginateOptions & PaginateOptions<PartValues, unknown, unknown> = {},
): AsyncGenerator<unknown, void, undefined> {
  requireFunction('paginate(): call', call)
  const { range, input, signal, items, next } = options
  checkFunctions('paginate()', { items, next })
  const first: PartValues = input ?? { headers: { Range: undefined }, query: { range } }
  const parameters: readonly PageParameter[] | undefined = range === undefined ? undefined : ['range']
  let current = { input: first, key: createInputKey({ query: { range } }), description: range ?? 'the first one' }
  // Brent's search for a circle: a page is compared with one before it, twice as far back each time.
  let earlier: string | undefined
  let distance = 0
  let maxDistance = 1
  for (;;) {
    signal?.throwIfAborted()
    const page = await call(current.input as never, signal === undefined ? {} : { signal })
    yield* items === undefined ? getPageItems(page) : items(page)
    const selection = next === undefined ? getNextInput(page, parameters) : (next(page) as PartValues | undefined)
    if (selection === undefined) return
    const key = createInputKey(selection)
    const description = describeInput(selection)
    if (key === current.key || key === earlier)
      throw new Error(
        `The pages after "${current.description}" lead back to "${description}", so the iteration would never end. Correct the server's Link or Next-Range.`,
      )
    distance += 1
    if (distance === maxDistance) {
      earlier = key
      distance = 0
      maxDistance *= 2
    }
    current = { input: mergeParts(first, selection), key, description }
  }
}
