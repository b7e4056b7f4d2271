/** `rangePagination(Color, fields, options)`: pagination by the Range header, as a part of the description. */

import type { Pagination, RangeInput } from '../contract/endpoint.ts'
import { type WithHeaders, withHeaders } from '../contract/reply.ts'
import { toolkitErrors } from '../http/errors.ts'
import { checkFunctions } from '../http/functions.ts'
import type { HttpError, ProblemError } from '../http/httpError.ts'
import { requireInteger, requireLimit } from '../http/limits.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { createDeclaration, defaultRangeOptions, type PageHeaders, type PaginationDeclaration } from './declaration.ts'
import { checkFieldNames, checkGetters, createItemDecoder, createRepresentableTest, type Key, readKey } from './fields.ts'
import { formatLink, printQueryTarget } from './linkHeader.ts'
import {
  createMalformedFault,
  isNameable,
  parseRange,
  printRange,
  printValue,
  type Range,
  type RangeFault,
  type RangeFields,
  type RangeOptions,
  type SortOrder,
} from './range.ts'
import { createArraySource, type FieldDefinition, type FieldValue, fitLimit, type PageQuery, type PageSource, readPage } from './source.ts'
import { createRangeTokens, type PlainPosition, type RangeTokens, type TokenPosition } from './token.ts'

/** The range that a request asks for, and the position of its token, if it has one. */
interface RequestedRange {
  readonly range: Range
  readonly position: TokenPosition | undefined
}

/**
 * Compiles the reader of the range in a request.
 *
 * @param fallback the range of a request without one
 * @throws HttpError when called: 400 for a malformed range, 416 for a field without ranges.
 */
function createRangeReader(fields: RangeFields, fallback: Range, tokens: RangeTokens): (input: RangeInput) => RequestedRange {
  const createBadRequest = (error: ProblemError): HttpError =>
    toolkitErrors.badRequest({ detail: 'The range is invalid; "errors" says where and why.', errors: [error] })

  function readRange(text: string): RequestedRange | RangeFault {
    const range = parseRange(text, fields)
    if ('fault' in range) return range
    if (range.after === undefined) return { range, position: undefined }
    const position = tokens.read(range.field, range.after)
    return position === undefined
      ? createMalformedFault(`expected after with a token that a Link of these items had, on the field ${range.field}`)
      : { range, position }
  }

  return ({ headers, query }) => {
    if (headers.Range !== undefined && query.range !== undefined) {
      throw createBadRequest({ in: 'query', name: 'range', detail: 'expected the range once: in the Range header or in the query' })
    }
    const text = query.range ?? headers.Range
    if (text === undefined) return { range: fallback, position: undefined }
    const requested = readRange(text)
    if (!('fault' in requested)) return requested
    const { fault, detail } = requested
    if (fault === 'field') throw toolkitErrors.rangeNotSatisfiable({ detail })
    // A Range header with an unknown unit is ignored (RFC 9110 §14.2); in the query it is a mistake.
    if (fault === 'unit' && query.range === undefined) return { range: fallback, position: undefined }
    throw createBadRequest(query.range === undefined ? { in: 'header', name: 'Range', detail } : { in: 'query', name: 'range', detail })
  }
}

/** Reads one field of an item. */
interface ItemReader<Item> {
  readonly getValue: (item: Item) => FieldValue
  readonly getKey: (item: Item) => string | number
  /** Whether a range can name a value. */
  readonly isNameable: (value: FieldValue) => value is string | number
  /** The largest bytes of items that are read at once, of a source that has their sizes. */
  readonly maxBytes: number
}

/** How many items are read at once to count them. */
const countBatchSize = 1_000

/**
 * Finds the plain position of a token in the order that its page did not have: counts back to the nearest value that a range can name, with
 * the item of the token. Clients that follow `Link` never need it, only those that reverse the order at a token among equal values. It
 * costs as much as an offset of that size.
 */
async function recountPosition<Item, Field extends string>(
  { value, key }: TokenPosition,
  field: Field,
  order: SortOrder,
  source: PageSource<Item, Field>,
  { getValue, getKey, isNameable, maxBytes }: ItemReader<Item>,
): Promise<PlainPosition> {
  const reverse = order === 'asc' ? 'desc' : 'asc'
  let offset = 1
  for (let after = { value, key }; ; ) {
    const query = { field, order: reverse, after, offset: 0, limit: countBatchSize } as const
    const limit = await fitLimit(source, query, maxBytes)
    const items = await source.page({ ...query, limit })
    for (const item of items) {
      const previous = getValue(item)
      if (previous !== value && isNameable(previous)) return { value: previous, offset }
      offset += 1
    }
    const last = items[items.length - 1]
    if (last === undefined || items.length < limit) return { value: undefined, offset }
    after = { value: getValue(last), key: getKey(last) }
  }
}

/** Finds the plain position at which the requested page begins. */
async function getPageStart<Item, Field extends string>(
  { range: { field, value, offset, order }, position }: RequestedRange,
  source: PageSource<Item, Field>,
  reader: ItemReader<Item>,
): Promise<PlainPosition> {
  if (position === undefined) return { value, offset }
  // parseRange() has found the field among those of the source.
  const plain = position.order === order ? position.plain : await recountPosition(position, field as Field, order, source, reader)
  return { value: plain.value, offset: plain.offset + offset }
}

/**
 * Computes where the next page begins. After a page that ends among equal values it names the value before them, and counts those that were
 * sent. If no value that a range can name ends within the page, it continues the count of the page itself.
 *
 * @param next the item after the page
 */
async function computeNextRange<Item, Field extends string>(
  requested: RequestedRange,
  items: readonly Item[],
  next: Item,
  source: PageSource<Item, Field>,
  reader: ItemReader<Item>,
): Promise<PlainPosition> {
  const { getValue, isNameable } = reader
  const index = items.findLastIndex((item, at) => {
    const value = getValue(item)
    return value !== getValue(items[at + 1] ?? next) && isNameable(value)
  })
  const value = index < 0 ? null : getValue(items[index] as Item)
  if (value !== null) return { value, offset: items.length - 1 - index }
  const start = await getPageStart(requested, source, reader)
  return { value: start.value, offset: start.offset + items.length }
}

/** How the ranges of a collection behave. */
export interface RangePaginationOptions<Item, Field extends string> {
  /**
   * What distinguishes any two items. It orders items with equal values. A function returns a text: `(color) => color.name`. Any other key
   * has a codec: `{ codec: int, get: (track) => track.id }`.
   */
  readonly key: Key<Item>
  /** The field of a request without a range. */
  readonly default: Field
  /** The defaults of a field. @default `{ offset: 0, limit: 100, order: 'desc' }` */
  readonly options?: { readonly [Name in Field]?: Partial<RangeOptions> }
}

const getRangeTarget = (range: string): string => printQueryTarget({ range })

/** How a page is made. */
export interface PageOptions {
  /** The largest limit; a larger one is reduced to it. @default 1,000 */
  readonly maxLimit?: number
  /**
   * The largest page in bytes, of a source that has the sizes of its items (`sizes`, `kyselySource` with `size`). A page ends before the
   * item that would make it larger than this, but it has at least one item. `Link` and `Next-Range` continue there.
   *
   * @default 1,048,576
   */
  readonly maxBytes?: number
  /**
   * Returns the URL of the page at a range, for `Link`: `(range) => link(colors, { query: { range } })`.
   *
   * @default `?range=…`, relative to this page
   */
  readonly link?: (range: string) => string
}

/** The ranges of one collection: the declaration of its endpoint, and the page for a request. */
export interface RangePagination<ItemInput, ItemOutput, Field extends string> {
  readonly declaration: PaginationDeclaration<ItemInput, ItemOutput>
  /**
   * Returns the page that a request asks for, with its headers.
   *
   * @throws HttpError 400 for a malformed range, 416 for a field without ranges.
   */
  readonly page: (
    input: RangeInput,
    source: PageSource<ItemInput, Field> | readonly ItemInput[],
    options?: PageOptions,
  ) => Promise<WithHeaders<readonly ItemInput[], PageHeaders>>
}

function createPageQuery<Field extends string>(
  { range: { value, order, offset }, position }: RequestedRange,
  field: Field,
  limit: number,
): PageQuery<Field> {
  if (position !== undefined) return { field, order, after: { value: position.value, key: position.key }, offset, limit }
  return value === undefined ? { field, order, offset, limit } : { field, order, after: { value }, offset, limit }
}

/** @throws TypeError for defaults with which pages would be empty, or a page would be the last one though there are more. */
function checkFields(fields: RangeFields, { default: defaultField, options = {} }: RangePaginationOptions<never, string>): void {
  checkFieldNames('rangePagination()', 'range', fields)
  const names = Object.keys(fields)
  for (const [place, name] of [['default', defaultField], ...Object.keys(options).map((name) => ['a field of options', name])])
    if (!names.includes(name as string)) throw new TypeError(developerErrors.unknownRangeField(place as string, name, names.join(', ')))
  for (const [name, { options: ofField }] of Object.entries(fields)) {
    const place = `rangePagination(): options.${name}`
    requireInteger(`${place}.limit`, ofField.limit, 1)
    requireInteger(`${place}.offset`, ofField.offset, 0)
    if (ofField.order !== 'asc' && ofField.order !== 'desc')
      throw new TypeError(developerErrors.invalidRangeOrder(`${place}.order`, ofField.order))
  }
}

/**
 * Declares the ranges of a collection.
 *
 * @param item the schema of an item
 * @param fields the fields with ranges
 * @throws TypeError for a default that is no field, and for options that no range has
 * @returns the declaration, for the endpoint, and the function that makes pages, for the handler
 * @example
 * ```ts
 * import { endpoint, text } from 'lapidary'
 * import { rangePagination } from 'lapidary/pagination'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const Color = z.object({ name: z.string() })
 * const ranges = rangePagination(Color, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: 'name' })
 * const api = { colors: endpoint('GET /colors', { ...ranges.declaration }) }
 * const server = serve(api, { colors: (input) => ranges.page(input, [{ name: 'red' }, { name: 'blue' }]) })
 * ```
 */
export function rangePagination<ItemInput, ItemOutput, Field extends string>(
  item: Schema<ItemInput, ItemOutput>,
  fields: { readonly [Name in Field]: FieldDefinition<ItemInput> },
  options: RangePaginationOptions<ItemInput, NoInfer<Field>>,
): RangePagination<ItemInput, ItemOutput, Field> {
  const rangeFields: RangeFields = Object.fromEntries(
    (Object.keys(fields) as Field[]).map((name) => [
      name,
      { codec: fields[name].codec, options: { ...defaultRangeOptions, ...options.options?.[name] } },
    ]),
  )
  checkFields(rangeFields, options)
  const fallback: Range = { ...(rangeFields[options.default]?.options ?? defaultRangeOptions), field: options.default, value: undefined }
  const { codec: keyCodec, get: getKey } = readKey('rangePagination()', options.key)
  checkGetters('rangePagination()', fields)
  const tokens = createRangeTokens(rangeFields, keyCodec)
  const readRequest = createRangeReader(rangeFields, fallback, tokens)

  async function page(
    input: RangeInput,
    collection: PageSource<ItemInput, Field> | readonly ItemInput[],
    { maxLimit = 1_000, maxBytes = 1_048_576, link = getRangeTarget }: PageOptions = {},
  ): Promise<WithHeaders<readonly ItemInput[], PageHeaders>> {
    requireLimit('page(): maxLimit', maxLimit, 1)
    requireLimit('page(): maxBytes', maxBytes, 1)
    checkFunctions('page()', { link })
    const requested = readRequest(input)
    const { order } = requested.range
    const field = requested.range.field as Field // createRangeReader() has found it
    const limit = Math.min(requested.range.limit, maxLimit)
    const { codec, get: getValue } = fields[field]
    const source: PageSource<ItemInput, Field> = 'page' in collection ? collection : createArraySource(collection, fields, getKey)
    const total = await source.count()
    const { items, next } = await readPage(source, createPageQuery(requested, field, limit), maxBytes)
    const [first, last] = [items[0], items[items.length - 1]]
    const printField = (one: ItemInput): string => printValue(getValue(one), codec)
    const contentRange = first === undefined || last === undefined ? undefined : `${field} ${printField(first)}..${printField(last)}`
    if (last === undefined || next === undefined) {
      return withHeaders(items, { 'Total-Count': total, 'Content-Range': contentRange, 'Next-Range': undefined, Link: undefined })
    }
    const plain = await computeNextRange(requested, items, next, source, {
      getValue,
      getKey,
      isNameable: (value): value is string | number => isNameable(value, codec),
      maxBytes,
    })
    const after = tokens.write(field, { value: getValue(last), key: getKey(last), plain, order })
    const print = (range: Range): string => printRange(range, rangeFields)
    return withHeaders(items, {
      'Total-Count': total,
      'Content-Range': contentRange,
      'Next-Range': print({ field, value: plain.value, offset: plain.offset, limit, order }),
      Link: after === undefined ? undefined : formatLink(link(print({ field, value: undefined, after, offset: 0, limit, order })), 'next'),
    })
  }

  const pagination = Object.freeze<Pagination>({
    kind: 'range',
    parameters: ['range'],
    body: undefined,
    page: (input, items, link) =>
      page(input as RangeInput, items as readonly ItemInput[], link === undefined ? {} : { link: (range) => link({ range }) }),
    ...createItemDecoder(item),
    getKey: getKey as Pagination['getKey'],
    isRepresentable: createRepresentableTest(fields, keyCodec, getKey) as Pagination['isRepresentable'],
  })

  return Object.freeze({ declaration: createDeclaration(item, rangeFields, fallback, pagination), page })
}
