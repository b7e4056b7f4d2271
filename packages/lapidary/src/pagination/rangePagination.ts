/** `rangePagination(Color, fields, options)`: pagination by the Range header as a part of the description. */

import type { Codec } from '../contract/parameters/parameter.ts'
import { text } from '../contract/parameters/text.ts'
import { type WithHeaders, withHeaders } from '../contract/reply.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import type { Paging } from './declaration.ts'
import { createDeclaration, defaultRangeOptions, type PageHeaders, type PaginationDeclaration } from './declaration.ts'
import { computeNextRange } from './nextRange.ts'
import { hasRoundTrip, isNameable, printRange, printValue, type Range, type RangeField, type RangeOptions } from './range.ts'
import { createRangeReader, type RangeInput, type RequestedRange } from './rangeRequest.ts'
import { createArraySource, type FieldDefinition, type PageQuery, type PageSource } from './source.ts'
import { createRangeTokens } from './token.ts'

/** What tells any two items apart: how it stands in a token, and where it is in an item. */
export type KeyDefinition<Item> =
  | { readonly codec: Codec<string>; readonly get: (item: Item) => string }
  | { readonly codec: Codec<number>; readonly get: (item: Item) => number }

/** How the ranges of a collection behave. */
export interface RangePaginationOptions<Item, Field extends string> {
  /**
   * What tells any two items apart; it orders those whose values are equal. A function gives a text: `(color) => color.name`.
   * Anything else comes with its codec: `{ codec: int, of: (track) => track.id }`.
   */
  readonly key: ((item: Item) => string) | KeyDefinition<Item>
  /** The field of a request without a range. */
  readonly default: Field
  /** Options that differ from the usual ones (offset 0, limit 100, order desc), by field. */
  readonly options?: { readonly [Name in Field]?: Partial<RangeOptions> }
}

/** How a page is made. */
export interface PageOptions {
  /** The largest limit; a larger one is lowered to it. Default: 1,000. */
  readonly maxLimit?: number
  /** The URL of the page at a range, for `Link`: `(range) => link(colors, { query: { range } })`. Default: `?range=…`, the address of this very page. */
  readonly link?: (range: string) => string
}

/** The ranges of one collection: what its endpoint declares, and the page that answers a request. */
export interface RangePagination<ItemInput, ItemOutput, Field extends string> {
  readonly declaration: PaginationDeclaration<ItemInput, ItemOutput>
  /**
   * The page that a request asks for, with its headers.
   *
   * @throws HttpError 400 for a malformed range, 416 for a field without ranges.
   */
  readonly page: (
    input: RangeInput,
    source: PageSource<ItemInput, Field> | readonly ItemInput[],
    options?: PageOptions,
  ) => Promise<WithHeaders<readonly ItemInput[], PageHeaders>>
}

const getRelativeTarget = (range: string): string => `?range=${percentEncode(range)}`

/** Within the angle brackets of a Link there are only characters that a URI has (RFC 3986 §2). */
const nonUriCharacter = /[^!#-;=?-[\]_a-z~]/u
const formatNextLink = (target: string): string =>
  `<${nonUriCharacter.test(target) ? target.replace(new RegExp(nonUriCharacter, 'gu'), percentEncode) : target}>; rel="next"`

/** What a source is asked for. */
function createPageQuery<Field extends string>(
  { range: { value, order, offset }, position: place }: RequestedRange,
  field: Field,
  limit: number,
): PageQuery<Field> {
  if (place !== undefined) return { field, order, after: { value: place.value, key: place.key }, offset, limit }
  return value === undefined ? { field, order, offset, limit } : { field, order, after: { value }, offset, limit }
}

/** Declares the ranges of a collection of `item`, on the fields given. */
export function rangePagination<ItemInput, ItemOutput, Field extends string>(
  item: Schema<ItemInput, ItemOutput>,
  fields: { readonly [Name in Field]: FieldDefinition<ItemInput> },
  options: RangePaginationOptions<ItemInput, NoInfer<Field>>,
): RangePagination<ItemInput, ItemOutput, Field> {
  const known: Readonly<Record<string, RangeField>> = Object.fromEntries(
    (Object.keys(fields) as Field[]).map((name) => [
      name,
      { codec: fields[name].codec, options: { ...defaultRangeOptions, ...options.options?.[name] } },
    ]),
  )
  const fallback: Range = { ...(known[options.default]?.options ?? defaultRangeOptions), field: options.default, value: undefined }
  const { codec: keyCodec, get: keyIn } = typeof options.key === 'function' ? { codec: text, get: options.key } : options.key
  const places = createRangeTokens(known, keyCodec)
  const askedBy = createRangeReader(known, fallback, places)

  async function page(
    input: RangeInput,
    given: PageSource<ItemInput, Field> | readonly ItemInput[],
    { maxLimit: most = 1_000, link = getRelativeTarget }: PageOptions = {},
  ): Promise<WithHeaders<readonly ItemInput[], PageHeaders>> {
    const asked = askedBy(input)
    const { field, order } = asked.range
    const limit = Math.min(asked.range.limit, most)
    const { codec, get: valueIn } = fields[field as Field]
    const source: PageSource<ItemInput, Field> = 'page' in given ? given : createArraySource(given, fields, keyIn)
    const total = await source.count()
    // One more than is sent tells whether there is a next page.
    const rows = limit === 0 ? [] : await source.page(createPageQuery(asked, field as Field, limit + 1))
    const items = rows.slice(0, limit)
    const [first, last, beyond] = [items[0], items[items.length - 1], rows[limit]]
    const printed = (one: ItemInput): string => printValue(valueIn(one), codec)
    const range = first === undefined || last === undefined ? undefined : `${field} ${printed(first)}..${printed(last)}`
    if (last === undefined || beyond === undefined) {
      return withHeaders(items, { 'Total-Count': total, 'Content-Range': range, 'Next-Range': undefined, Link: undefined })
    }
    const plain = await computeNextRange(asked, items, beyond, source, {
      getValue: valueIn,
      getKey: keyIn,
      isNameable: (value): value is string | number => isNameable(value, codec),
    })
    const after = places.write(field, { value: valueIn(last), key: keyIn(last), plain, order })
    return withHeaders(items, {
      'Total-Count': total,
      'Content-Range': range,
      'Next-Range': printRange({ field, value: plain.value, offset: plain.offset, limit, order }, known),
      Link:
        after === undefined
          ? undefined
          : formatNextLink(link(printRange({ field, value: undefined, after, offset: 0, limit, order }, known))),
    })
  }

  const isShown = (one: ItemInput): boolean =>
    hasRoundTrip(keyIn(one), keyCodec) &&
    Object.values<FieldDefinition<ItemInput>>(fields).every(({ codec, get: of }) => {
      const value = of(one)
      return value === null || hasRoundTrip(value, codec)
    })
  const paging: Paging = { page, getKey: keyIn, isRepresentable: isShown } as Paging

  return Object.freeze({ declaration: createDeclaration(item, known, fallback, paging), page })
}
