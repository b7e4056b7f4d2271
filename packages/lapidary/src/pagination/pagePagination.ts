/** `pagePagination(Color, options)`: pagination by `?page=&limit=`, as a part of the description. */
import type { Pagination } from '../contract/endpoint.ts'
import { list } from '../contract/list.ts'
import type { Items } from '../contract/media/itemStreams.ts'
import { text } from '../contract/media/text.ts'
import { int } from '../contract/parameters/int.ts'
import type { Parameter, Simplify } from '../contract/parameters/parameter.ts'
import { ok, type Reply, type WithHeaders, withHeaders } from '../contract/reply.ts'
import { checkFunctions } from '../http/functions.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { createItemDecoder } from './fields.ts'
import { formatLink, printQueryTarget, requireOwnQuery } from './linkHeader.ts'
import { createPageBody } from './pageBody.ts'
import { createLimitParameter, type PageLimits, readPageLimits } from './pageLimit.ts'
import type { OffsetSource } from './source.ts'

/** The names of the members of a body that is an object. */
export interface NumberedPageBody {
  /** The member with the items: `items`, `data`. */
  readonly items: string
  /** The member with the number of items of all pages: `total`, `count`. */
  readonly total: string
}

/** The body of a page: the items, or an object with them and with the number of all items. */
type NumberedPageOf<List, Body> = Body extends NumberedPageBody
  ? Simplify<{ readonly [Name in Body['items']]: List } & { readonly [Name in Body['total']]: number }>
  : List

/** The response headers of a page. `Total-Count` is there where the body has no total. */
export type NumberedPageHeaders<Body = undefined> = Simplify<
  (Body extends NumberedPageBody ? unknown : { readonly 'Total-Count': number }) & {
    /** `<…>; rel="first"`, `rel="prev"`, `rel="next"` and `rel="last"` (RFC 8288). */
    readonly Link: string
  }
>

/** The part of a request that selects a page. */
export interface PageInput {
  readonly query: { readonly page?: number | undefined; readonly limit?: number | undefined }
}

/** What an endpoint with numbered pages declares: `endpoint('GET /colors', { ...colorPages.declaration })`. */
export interface PageDeclaration<ItemInput, ItemOutput, Body> {
  /** How to request a page, and how to get to others. */
  readonly description: string
  readonly query: {
    readonly page: Parameter<number, number | undefined>
    readonly limit: Parameter<number, number | undefined>
  }
  readonly response: Reply<
    WithHeaders<NumberedPageOf<Body extends NumberedPageBody ? readonly ItemInput[] : Items<ItemInput>, Body>, NumberedPageHeaders<Body>>,
    WithHeaders<NumberedPageOf<ItemOutput[], Body>, NumberedPageHeaders<Body>>,
    200
  >
  /** The pages, for programs that know only the description. */
  readonly pagination: Pagination
}

/** How the pages of a collection behave. */
export interface PagePaginationOptions<Body> extends PageLimits {
  /**
   * The body is an object with these members: `{ items: 'items', total: 'total' }`.
   *
   * @default the body is the array of the items, and the header `Total-Count` has the total
   */
  readonly body?: Body
}

/** How a page is made. */
export interface NumberedPageOptions {
  /**
   * Returns the URL of a page, for `Link`: `(query) => link(colors, { query: { ...input.query, ...query } })`. It is needed where the
   * endpoint has further query parameters.
   *
   * @default `?page=…&limit=…`, relative to this page
   */
  readonly link?: (query: { readonly page: number; readonly limit: number }) => string
}

/** The pages of one collection: the declaration of its endpoint, and the page for a request. */
export interface PagePagination<ItemInput, ItemOutput, Body = undefined> {
  readonly declaration: PageDeclaration<ItemInput, ItemOutput, Body>
  /** Returns the page that a request asks for, with its headers. A page after the last one has no items. */
  readonly page: (
    input: PageInput,
    source: OffsetSource<ItemInput> | readonly ItemInput[],
    options?: NumberedPageOptions,
  ) => Promise<WithHeaders<NumberedPageOf<readonly ItemInput[], Body>, NumberedPageHeaders<Body>>>
}

/** Makes a source of an array, in its order. */
const createOffsetSource = <Item>(items: readonly Item[]): OffsetSource<Item> => ({
  count: () => items.length,
  page: ({ offset, limit }) => items.slice(offset, offset + limit),
})

/**
 * Declares the pages of a collection by their numbers, from 1: `?page=2&limit=50`. Each page has the total, and links to the first, the
 * previous, the next and the last page.
 *
 * People like numbers of pages. Programs that read all items do better with `cursorPagination`: if an item is added or removed before the
 * page that is read, a walk by numbers gets an item twice or misses one, and a page costs more the further it is from the start.
 *
 * @param item the schema of an item
 * @throws TypeError for limits that contradict each other
 * @returns the declaration, for the endpoint, and the function that makes pages, for the handler
 * @example
 * ```ts
 * import { endpoint } from 'lapidary'
 * import { pagePagination } from 'lapidary/pagination'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const Color = z.object({ name: z.string() })
 * const pages = pagePagination(Color, { limit: 20, body: { items: 'items', total: 'total' } })
 * const api = { colors: endpoint('GET /colors', { ...pages.declaration }) }
 * const server = serve(api, { colors: (input) => pages.page(input, [{ name: 'red' }, { name: 'blue' }]) })
 * ```
 */
export function pagePagination<ItemInput, ItemOutput, const Body extends NumberedPageBody | undefined = undefined>(
  item: Schema<ItemInput, ItemOutput>,
  options: PagePaginationOptions<Body> = {},
): PagePagination<ItemInput, ItemOutput, Body> {
  const { body } = options
  const limits = readPageLimits('pagePagination()', options)
  if (body !== undefined && body.items === body.total) throw new TypeError(developerErrors.sameMemberTwice('pagePagination()', body.total))
  const query = {
    page: int({ min: 1, default: 1, description: 'The number of the page, from 1. A page after the last one has no items.' }),
    limit: createLimitParameter(limits),
  }
  const parameters = Object.keys(query)

  async function page(
    input: PageInput,
    collection: OffsetSource<ItemInput> | readonly ItemInput[],
    { link }: NumberedPageOptions = {},
  ): Promise<WithHeaders<NumberedPageOf<readonly ItemInput[], Body>, NumberedPageHeaders<Body>>> {
    checkFunctions('page()', { link })
    if (link === undefined) requireOwnQuery('page()', input.query, parameters)
    const { page: number = 1, limit: requestedLimit = limits.limit } = input.query
    const limit = Math.min(requestedLimit, limits.maxLimit)
    const source = 'page' in collection ? collection : createOffsetSource(collection)
    const total = await source.count()
    const offset = (number - 1) * limit
    // A database cannot skip as many items as the largest number of a page asks for.
    const items = offset >= total ? [] : await source.page({ offset, limit })
    const last = Math.max(1, Math.ceil(total / limit))
    const print = (relation: 'first' | 'prev' | 'next' | 'last', target: number): string =>
      formatLink((link ?? printQueryTarget)({ page: target, limit }), relation)
    const Link = [
      print('first', 1),
      ...(number > 1 ? [print('prev', Math.min(number - 1, last))] : []),
      ...(number < last ? [print('next', number + 1)] : []),
      print('last', last),
    ].join(', ')
    const result =
      body === undefined
        ? withHeaders(items, { 'Total-Count': total, Link })
        : withHeaders({ [body.items]: items, [body.total]: total }, { Link })
    return result as WithHeaders<NumberedPageOf<readonly ItemInput[], Body>, NumberedPageHeaders<Body>>
  }

  const pagination = Object.freeze<Pagination>({
    kind: 'page',
    parameters,
    body: body && { items: body.items, total: body.total },
    page: (input, items, link) => page(input as PageInput, items as readonly ItemInput[], link && { link }),
    ...createItemDecoder(item),
    getKey: undefined,
    isRepresentable: () => true,
  })

  const totalDescription = 'How many items there are in all.'
  const example = (relation: 'first' | 'next' | 'last', target: number): string =>
    formatLink(printQueryTarget({ page: target, limit: limits.limit }), relation)
  const linkHeader = text({
    description:
      'The URLs of the first, the previous, the next and the last page. The first page has no previous one, the last page no next one.',
    examples: [`${example('first', 1)}, ${example('next', 2)}, ${example('last', 9)}`],
  })
  const response =
    body === undefined
      ? ok(list(item), { headers: { 'Total-Count': int({ description: totalDescription }), Link: linkHeader } })
      : ok(
          createPageBody(item, body.items, {
            name: body.total,
            jsonSchema: { type: 'integer', minimum: 0, description: totalDescription },
            isRequired: true,
            isValid: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
            expected: 'an integer from 0',
          }),
          { headers: { Link: linkHeader } },
        )
  const declaration = Object.freeze({
    description: [
      'The header `Link` has the URLs of the first, the previous, the next and the last page.',
      'While items are added and removed, an item can come twice or not at all.',
    ].join(' '),
    query,
    response,
    pagination,
  })
  return Object.freeze({ declaration: declaration as unknown as PageDeclaration<ItemInput, ItemOutput, Body>, page })
}
