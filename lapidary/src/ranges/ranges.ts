/** `ranges(Color, fields, options)`: pagination by the Range header as a part of the description. */
import { percentEncoded, type Scalar, type Schema, text, type WithHeaders, withHeaders } from '../describe/index.ts'
import { type Asked, asking, type RangeInput } from './asked.ts'
import { type Declaration, declaration, type PageHeaders, usual } from './declaration.ts'
import { nextRange } from './next.ts'
import type { Paging } from './paging.ts'
import { isNameable, isReadable, printRange, printValue, type Range, type RangeField, type RangeOptions } from './range.ts'
import { arraySource, type FieldDefinition, type PageQuery, type Source } from './source.ts'
import { tokens } from './token.ts'

/** What tells any two items apart: how it stands in a token, and where it is in an item. */
export type KeyDefinition<Item> =
  | { readonly codec: Scalar<string>; readonly of: (item: Item) => string }
  | { readonly codec: Scalar<number>; readonly of: (item: Item) => number }

/** How the ranges of a collection behave. */
export interface RangesOptions<Item, Field extends string> {
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
  readonly most?: number
  /** The URL of the page at a range, for `Link`: `(range) => link(colors, { query: { range } })`. Default: `?range=…`, the address of this very page. */
  readonly link?: (range: string) => string
}

/** The ranges of one collection: what its endpoint declares, and the page that answers a request. */
export interface Ranges<ItemInput, ItemOutput, Field extends string> {
  readonly declaration: Declaration<ItemInput, ItemOutput>
  /**
   * The page that a request asks for, with its headers.
   *
   * @throws HttpError 400 for a malformed range, 416 for a field without ranges.
   */
  readonly page: (
    input: RangeInput,
    source: Source<ItemInput, Field> | readonly ItemInput[],
    options?: PageOptions,
  ) => Promise<WithHeaders<readonly ItemInput[], PageHeaders>>
}

const hereAt = (range: string): string => `?range=${percentEncoded(range)}`

/** Within the angle brackets of a Link there are only characters that a URI has (RFC 3986 §2). */
const noUri = /[^!#-;=?-[\]_a-z~]/u
const linked = (target: string): string =>
  `<${noUri.test(target) ? target.replace(new RegExp(noUri, 'gu'), percentEncoded) : target}>; rel="next"`

/** What a source is asked for. */
function queryOf<Field extends string>({ range: { value, order, offset }, place }: Asked, field: Field, limit: number): PageQuery<Field> {
  if (place !== undefined) return { field, order, after: { value: place.value, key: place.key }, offset, limit }
  return value === undefined ? { field, order, offset, limit } : { field, order, after: { value }, offset, limit }
}

/** Declares the ranges of a collection of `item`, on the fields given. */
export function ranges<ItemInput, ItemOutput, Field extends string>(
  item: Schema<ItemInput, ItemOutput>,
  fields: { readonly [Name in Field]: FieldDefinition<ItemInput> },
  options: RangesOptions<ItemInput, NoInfer<Field>>,
): Ranges<ItemInput, ItemOutput, Field> {
  const known: Readonly<Record<string, RangeField>> = Object.fromEntries(
    (Object.keys(fields) as Field[]).map((name) => [
      name,
      { codec: fields[name].codec, options: { ...usual, ...options.options?.[name] } },
    ]),
  )
  const fallback: Range = { ...(known[options.default]?.options ?? usual), field: options.default, value: undefined }
  const { codec: keyCodec, of: keyIn } = typeof options.key === 'function' ? { codec: text, of: options.key } : options.key
  const places = tokens(known, keyCodec)
  const askedBy = asking(known, fallback, places)

  async function page(
    input: RangeInput,
    given: Source<ItemInput, Field> | readonly ItemInput[],
    { most = 1_000, link = hereAt }: PageOptions = {},
  ): Promise<WithHeaders<readonly ItemInput[], PageHeaders>> {
    const asked = askedBy(input)
    const { field, order } = asked.range
    const limit = Math.min(asked.range.limit, most)
    const { codec, of: valueIn } = fields[field as Field]
    const source: Source<ItemInput, Field> = 'page' in given ? given : arraySource(given, fields, keyIn)
    const total = await source.count()
    // One more than is sent tells whether there is a next page.
    const rows = limit === 0 ? [] : await source.page(queryOf(asked, field as Field, limit + 1))
    const items = rows.slice(0, limit)
    const [first, last, beyond] = [items[0], items[items.length - 1], rows[limit]]
    const printed = (one: ItemInput): string => printValue(valueIn(one), codec)
    const range = first === undefined || last === undefined ? undefined : `${field} ${printed(first)}..${printed(last)}`
    if (last === undefined || beyond === undefined) {
      return withHeaders(items, { 'Total-Count': total, 'Content-Range': range, 'Next-Range': undefined, Link: undefined })
    }
    const plain = await nextRange(asked, items, beyond, source, {
      valueIn,
      keyIn,
      isNameable: (value): value is string | number => isNameable(value, codec),
    })
    const after = places.write(field, { value: valueIn(last), key: keyIn(last), plain, order })
    return withHeaders(items, {
      'Total-Count': total,
      'Content-Range': range,
      'Next-Range': printRange({ field, value: plain.value, offset: plain.offset, limit, order }, known),
      Link: after === undefined ? undefined : linked(link(printRange({ field, value: undefined, after, offset: 0, limit, order }, known))),
    })
  }

  const isShown = (one: ItemInput): boolean =>
    isReadable(keyIn(one), keyCodec) &&
    Object.values<FieldDefinition<ItemInput>>(fields).every(({ codec, of }) => {
      const value = of(one)
      return value === null || isReadable(value, codec)
    })
  const paging: Paging = { page, keyOf: keyIn, isShown } as Paging

  return Object.freeze({ declaration: declaration(item, known, fallback, paging), page })
}
