/** `cursorPagination(Color, fields, options)`: pagination by `?cursor=&limit=`, as a part of the description. */
import type { Pagination } from '../contract/endpoint.ts'
import { list } from '../contract/list.ts'
import type { Items } from '../contract/media/itemStreams.ts'
import { text } from '../contract/media/text.ts'
import { optional } from '../contract/optional.ts'
import { oneOf } from '../contract/parameters/oneOf.ts'
import type { Parameter, Simplify } from '../contract/parameters/parameter.ts'
import { ok, type Reply, type WithHeaders, withHeaders } from '../contract/reply.ts'
import { toolkitErrors } from '../http/errors.ts'
import { checkFunctions } from '../http/functions.ts'
import type { HttpError } from '../http/httpError.ts'
import { requireLimit } from '../http/limits.ts'
import { isParseError } from '../json-schema/parseError.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { checkFieldNames, checkGetters, createItemDecoder, createRepresentableTest, type Key, readKey } from './fields.ts'
import { formatLink, printQueryTarget, requireOwnQuery } from './linkHeader.ts'
import { createPageBody } from './pageBody.ts'
import { createLimitParameter, type PageLimits, readPageLimits } from './pageLimit.ts'
import { afterTokenPattern, type RangeFields, type SortOrder } from './range.ts'
import { createArraySource, type FieldDefinition, type KeysetSource, readPage } from './source.ts'
import { createRangeTokens, type TokenPosition } from './token.ts'

/** An order of the items: by a field, ascending; with a minus sign before it, descending. */
export type Sort<Field extends string> = Field | `-${Field}`

/** The names of the members of a body that is an object. */
export interface CursorBody {
  /** The member with the items: `items`, `data`. */
  readonly items: string
  /** The member with the cursor of the next page, which the last page does not have: `next`, `nextCursor`. */
  readonly next: string
}

/** The body of a page: the items, or an object with them and with the cursor of the next page. */
export type CursorPageBody<Items, Body> = Body extends CursorBody
  ? Simplify<{ readonly [Name in Body['items']]: Items } & { readonly [Name in Body['next']]?: string }>
  : Items

/** The response headers of a page. */
export interface CursorPageHeaders {
  /** `<…>; rel="next"` (RFC 8288). */
  readonly Link: string | undefined
}

/** The query parameters of a request. */
export interface CursorQuery<Field extends string = string> {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  readonly sort?: Sort<Field> | undefined
}

/** The part of a request that selects a page. */
export interface CursorInput<Field extends string = string> {
  readonly query: CursorQuery<Field>
}

/** What an endpoint with cursors declares: `endpoint('GET /colors', { ...colorPages.declaration })`. */
export interface CursorDeclaration<ItemInput, ItemOutput, Field extends string, Body> {
  /** How to request a page, and how to get to the next one. */
  readonly description: string
  readonly query: {
    readonly cursor: Parameter<string | undefined>
    readonly limit: Parameter<number, number | undefined>
    readonly sort: Parameter<Sort<Field>, Sort<Field> | undefined>
  }
  readonly response: Reply<
    WithHeaders<CursorPageBody<Body extends CursorBody ? readonly ItemInput[] : Items<ItemInput>, Body>, CursorPageHeaders>,
    WithHeaders<CursorPageBody<ItemOutput[], Body>, CursorPageHeaders>,
    200
  >
  /** The pages, for programs that know only the description. */
  readonly pagination: Pagination
}

/** How the pages of a collection behave. */
export interface CursorPaginationOptions<Item, Field extends string, Body> extends PageLimits {
  /**
   * What distinguishes any two items. It orders items with equal values. A function returns a text: `(color) => color.name`. Any other key
   * has a codec: `{ codec: int, get: (track) => track.id }`.
   */
  readonly key: Key<Item>
  /** The order of a request without `sort`: `name`, or `-name` for the descending one. */
  readonly default: Sort<Field>
  /** The body is an object with these members: `{ items: 'items', next: 'next' }`. @default the body is the array of the items */
  readonly body?: Body
}

/** How a page is made. */
export interface CursorPageOptions<Field extends string> {
  /**
   * The largest page in bytes, of a source that has the sizes of its items. A page ends before the item that would make it larger than
   * this, but it has at least one item.
   *
   * @default 1,048,576
   */
  readonly maxBytes?: number
  /**
   * Returns the URL of a page, for `Link`: `(query) => link(colors, { query: { ...input.query, ...query } })`. It is needed where the
   * endpoint has further query parameters.
   *
   * @default `?cursor=…&limit=…&sort=…`, relative to this page
   */
  readonly link?: (query: { readonly cursor: string; readonly limit: number; readonly sort: Sort<Field> }) => string
}

/** The pages of one collection: the declaration of its endpoint, and the page for a request. */
export interface CursorPagination<ItemInput, ItemOutput, Field extends string, Body = undefined> {
  readonly declaration: CursorDeclaration<ItemInput, ItemOutput, Field, Body>
  /**
   * Returns the page that a request asks for, with its headers.
   *
   * @throws HttpError 400 for a cursor that is malformed or of another sort.
   */
  readonly page: (
    input: CursorInput<Field>,
    source: KeysetSource<ItemInput, Field> | readonly ItemInput[],
    options?: CursorPageOptions<Field>,
  ) => Promise<WithHeaders<CursorPageBody<readonly ItemInput[], Body>, CursorPageHeaders>>
}

const parameters = ['cursor', 'limit', 'sort'] as const

const createCursorError = (sort: string): HttpError =>
  toolkitErrors.badRequest({
    detail: 'The cursor is invalid; "errors" says where and why.',
    errors: [{ in: 'query', name: 'cursor', detail: `expected the cursor of a page of these items, sorted by ${sort}` }],
  })

const describeCursors = (sorts: readonly string[], fallback: string, body: CursorBody | undefined): string =>
  [
    `The items come in the order of \`sort\`: ${sorts.map((sort) => `\`${sort}\``).join(', ')}; a minus sign means descending. Without \`sort\` it is \`${fallback}\`.`,
    [
      'To get all pages, follow `Link` until there is none',
      body === undefined ? '' : `, or send \`${body.next}\` of the body back as \`cursor\`, with the same \`sort\`, until there is none`,
      ': each unchanged item comes exactly once, even while others are added and removed.',
    ].join(''),
  ].join('\n\n')

/**
 * Declares the pages of a collection, each of which has the cursor of the next one: `?cursor=…&limit=50&sort=-created`. A cursor is the
 * position of the last item of its page. So each unchanged item comes exactly once while others are added and removed, and a page costs as
 * much at the end of a collection as at its start, if its source finds a position by an index.
 *
 * @param item the schema of an item
 * @param fields the fields that the items can be sorted by
 * @throws TypeError for a default that is no field, and for limits that contradict each other
 * @returns the declaration, for the endpoint, and the function that makes pages, for the handler
 * @example
 * ```ts
 * import { endpoint, text } from 'lapidary'
 * import { cursorPagination } from 'lapidary/pagination'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const Color = z.object({ name: z.string() })
 * const pages = cursorPagination(Color, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: 'name' })
 * const api = { colors: endpoint('GET /colors', { ...pages.declaration }) }
 * const server = serve(api, { colors: (input) => pages.page(input, [{ name: 'red' }, { name: 'blue' }]) })
 * ```
 */
export function cursorPagination<ItemInput, ItemOutput, Field extends string, const Body extends CursorBody | undefined = undefined>(
  item: Schema<ItemInput, ItemOutput>,
  fields: { readonly [Name in Field]: FieldDefinition<ItemInput> },
  options: CursorPaginationOptions<ItemInput, NoInfer<Field>, Body>,
): CursorPagination<ItemInput, ItemOutput, Field, Body> {
  const { default: fallback, body } = options
  const limits = readPageLimits('cursorPagination()', options)
  const names = Object.keys(fields) as Field[]
  const sorts = names.flatMap((name) => [name, `-${name}` as const])
  checkFieldNames('cursorPagination()', 'sort', fields)
  checkGetters('cursorPagination()', fields)
  if (!sorts.includes(fallback)) throw new TypeError(developerErrors.unknownSort(fallback, sorts.join(', ')))
  if (body !== undefined && body.items === body.next) throw new TypeError(developerErrors.sameMemberTwice('cursorPagination()', body.next))
  const { codec: keyCodec, get: getKey } = readKey('cursorPagination()', options.key)
  const codecs = Object.fromEntries(names.map((name) => [name, { codec: fields[name].codec }])) as RangeFields
  const tokens = createRangeTokens(codecs, keyCodec)

  function readCursor(cursor: string, sort: string, field: string, order: SortOrder): TokenPosition {
    const position = tokens.read(field, cursor)
    if (position === undefined || position.order !== order) throw createCursorError(sort)
    return position
  }

  async function page(
    { query }: CursorInput<Field>,
    collection: KeysetSource<ItemInput, Field> | readonly ItemInput[],
    { maxBytes = 1_048_576, link }: CursorPageOptions<Field> = {},
  ): Promise<WithHeaders<CursorPageBody<readonly ItemInput[], Body>, CursorPageHeaders>> {
    requireLimit('page(): maxBytes', maxBytes, 1)
    checkFunctions('page()', { link })
    if (link === undefined) requireOwnQuery('page()', query, parameters)
    const { cursor, limit = limits.limit, sort = fallback } = query
    const order: SortOrder = sort.startsWith('-') ? 'desc' : 'asc'
    const field = sort.replace(/^-/, '') as Field
    const { get } = fields[field]
    const position = cursor === undefined ? undefined : readCursor(cursor, sort, field, order)
    const source = 'page' in collection ? collection : createArraySource(collection, fields, getKey)
    const start = { field, order, offset: 0, limit: Math.min(limit, limits.maxLimit) }
    const read = await readPage(
      source,
      position === undefined ? start : { ...start, after: { value: position.value, key: position.key } },
      maxBytes,
    )
    const end = read.next === undefined ? undefined : findEnd(read.items, field, get, order)
    const items = end === undefined ? read.items : read.items.slice(0, end.length)
    const target = end && (link ?? printQueryTarget)({ cursor: end.cursor, limit, sort })
    const members = body === undefined ? items : { [body.items]: items, ...(end && { [body.next]: end.cursor }) }
    return withHeaders(members as CursorPageBody<readonly ItemInput[], Body>, {
      Link: target === undefined ? undefined : formatLink(target, 'next'),
    })
  }

  /**
   * Returns the cursor of a page, and the number of its items. An item whose position cannot be written does not end a page.
   *
   * @throws TypeError where no item can end it
   */
  function findEnd(
    items: readonly ItemInput[],
    field: Field,
    get: FieldDefinition<ItemInput>['get'],
    order: SortOrder,
  ): { readonly cursor: string; readonly length: number } {
    for (let length = items.length; length > 0; length -= 1) {
      const last = items[length - 1] as ItemInput
      const cursor = tokens.write(field, { value: get(last), key: getKey(last), plain: { value: undefined, offset: 0 }, order })
      if (cursor !== undefined) return { cursor, length }
    }
    throw new TypeError(developerErrors.unwritablePosition(field))
  }

  /** Lists cursors that requests in documentation can have: the position of the examples of the codecs. */
  function listExampleCursors(field: Field, order: SortOrder): readonly string[] {
    const [value, key] = [fields[field].codec, keyCodec].map((codec) => codec.parse(codec.examples[0] ?? ''))
    if (value === undefined || key === undefined || isParseError(value) || isParseError(key)) return []
    const cursor = tokens.write(field, { value, key, plain: { value: undefined, offset: 0 }, order })
    return cursor === undefined ? [] : [cursor]
  }

  const pagination = Object.freeze<Pagination>({
    kind: 'cursor',
    parameters,
    body: body && { items: body.items, next: body.next },
    page: ({ query }, items, link) => page({ query: query as CursorQuery<Field> }, items as readonly ItemInput[], link && { link }),
    ...createItemDecoder(item),
    getKey: getKey as Pagination['getKey'],
    isRepresentable: createRepresentableTest(fields, keyCodec, getKey) as Pagination['isRepresentable'],
  })

  const exampleCursors = listExampleCursors(fallback.replace(/^-/, '') as Field, fallback.startsWith('-') ? 'desc' : 'asc')
  const headers = {
    Link: optional(text, {
      description: 'The URL of the next page, which stays right while items are added and removed. Absent from the last page.',
      examples: [`<${printQueryTarget({ cursor: exampleCursors[0] ?? 'cursor', limit: limits.limit, sort: fallback })}>; rel="next"`],
    }),
  }
  const content =
    body === undefined
      ? list(item)
      : createPageBody(item, body.items, {
          name: body.next,
          jsonSchema: { type: 'string', description: 'The cursor of the next page. Absent from the last page.', examples: exampleCursors },
          isRequired: false,
          isValid: (value) => typeof value === 'string',
          expected: 'a text',
        })
  const declaration = Object.freeze({
    description: describeCursors(sorts, fallback, body),
    query: {
      cursor: optional(text({ pattern: afterTokenPattern }), {
        description: 'The position at which the page begins: the cursor that the page before it has. Absent: the first page.',
        examples: exampleCursors,
      }),
      limit: createLimitParameter(limits),
      sort: oneOf(sorts as [Sort<Field>, ...Sort<Field>[]], {
        default: fallback as never,
        description: 'The order of the items. A minus sign means descending.',
      }),
    },
    response: ok(content, { headers }),
    pagination,
  })
  return Object.freeze({ declaration: declaration as unknown as CursorDeclaration<ItemInput, ItemOutput, Field, Body>, page })
}
