/** `ranges(Color, fields, options)`: pagination by the Range header as a part of the description. */
import {
  badRequest,
  type HttpError,
  type Items,
  int,
  list,
  optional,
  type Parameter,
  type ProblemError,
  partial,
  type Reply,
  rangeNotSatisfiable,
  reply,
  type Scalar,
  type Schema,
  scalar,
  text,
  type WithHeaders,
  withHeaders,
} from '../describe/index.ts'
import { parseRange, printRange, printValue, type Range, type RangeField, type RangeOptions } from './range.ts'
import { arraySource, type Source } from './source.ts'

/** A field on which ranges are defined: how its values stand in a header, and where they are in an item. */
export interface FieldDefinition<Item> {
  readonly codec: Scalar<string> | Scalar<number>
  readonly of: (item: Item) => string | number
}

/** How the ranges of a collection behave. */
export interface RangesOptions<Item, Field extends string> {
  /** The field that tells any two items apart; it orders those whose values are equal. */
  readonly key: (item: Item) => string | number
  /** The field of a request without a range. */
  readonly default: Field
  /** Options that differ from the usual ones (offset 0, limit 100, order desc), by field. */
  readonly options?: { readonly [Name in Field]?: Partial<RangeOptions> }
}

/** The response headers of a page. */
export interface PageHeaders {
  readonly 'Total-Count': number
  readonly 'Content-Range': string | undefined
  readonly 'Next-Range': string | undefined
}

/** The input that a ranged endpoint takes: the Range header, or the same text as the query parameter `range`. */
export interface RangeInput {
  readonly headers: { readonly Range: string | undefined }
  readonly query: { readonly range: string | undefined }
}

/** The ranges of one collection: what its endpoint declares, and the page that answers a request. */
export interface Ranges<ItemInput, ItemOutput, Field extends string> {
  /** To be spread into the endpoint: `endpoint('GET /colors', { ...colorRanges.declaration })`. */
  readonly declaration: {
    readonly headers: { readonly Range: Parameter<string | undefined> }
    readonly query: { readonly range: Parameter<string | undefined> }
    readonly response: Reply<WithHeaders<Items<ItemInput>, PageHeaders>, WithHeaders<ItemOutput[], PageHeaders>>
    readonly errors: readonly Reply<unknown, unknown>[]
    /** `Accept-Ranges`, on every answer. */
    readonly always: Readonly<Record<string, string>>
  }
  /**
   * The page that a request asks for, with its headers. `most` is the largest limit; a larger one is lowered to it. Default: 1,000.
   *
   * @throws HttpError 400 for a malformed range, 416 for a field without ranges.
   */
  readonly page: (
    input: RangeInput,
    source: Source<ItemInput, Field> | readonly ItemInput[],
    options?: { readonly most?: number },
  ) => Promise<WithHeaders<readonly ItemInput[], PageHeaders>>
}

const usual: RangeOptions = Object.freeze({ offset: 0, limit: 100, order: 'desc' })

const grammar: Scalar<string> = scalar({
  name: 'range',
  parse: (given) => given,
  print: (given) => given,
  schema: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]*( [^; ]+)?( *; *(offset [0-9]+|limit [0-9]+|order (asc|desc)))*$' },
  example: 'name; limit 10; order asc',
})

/** The range of the items behind a full page: the next one goes on exactly there, in the middle of equal values too. */
function nextRange<Item>(range: Range, page: readonly Item[], beyond: Item, valueIn: (item: Item) => string | number): Range {
  const last = valueIn(page[page.length - 1] as Item)
  // The page may end among equal values: then it is the value before them that is named, and those that were sent are counted.
  const before = valueIn(beyond) !== last ? page.length - 1 : page.findLastIndex((item) => valueIn(item) !== last)
  const value = before < 0 ? '' : valueIn(page[before] as Item)
  // Nothing to name, or an empty text, which a range cannot name: go on counting from where this page was counted.
  if (value === '') return { ...range, offset: range.offset + page.length }
  return { ...range, value, offset: page.length - 1 - before }
}

/** Declares the ranges of a collection of `item`, on the fields given. */
export function ranges<ItemInput, ItemOutput, Field extends string>(
  item: Schema<ItemInput, ItemOutput>,
  fields: { readonly [Name in Field]: FieldDefinition<ItemInput> },
  options: RangesOptions<ItemInput, NoInfer<Field>>,
): Ranges<ItemInput, ItemOutput, Field> {
  const names = Object.keys(fields) as Field[]
  const known: Readonly<Record<string, RangeField>> = Object.fromEntries(
    names.map((name) => [name, { codec: fields[name].codec, options: { ...usual, ...options.options?.[name] } }]),
  )
  const fallback: Range = { ...(known[options.default]?.options ?? usual), field: options.default, value: undefined }

  const malformed = (error: ProblemError): HttpError =>
    badRequest({ detail: 'The range cannot be read; "errors" says where and why.', errors: [error] })

  function rangeOf({ headers, query }: RangeInput): Range {
    if (headers.Range !== undefined && query.range !== undefined) {
      throw malformed({ in: 'query', name: 'range', detail: 'expected the range once: in the Range header or in the query' })
    }
    const given = query.range ?? headers.Range
    if (given === undefined) return fallback
    const range = parseRange(given, known)
    if (!('fault' in range)) return range
    const { fault, detail } = range
    if (fault === 'field') throw rangeNotSatisfiable({ detail })
    // A range in a unit that is not understood is ignored (RFC 9110 §14.2); in the query it can only be a mistake.
    if (fault === 'unit' && query.range === undefined) return fallback
    throw malformed(query.range === undefined ? { in: 'header', name: 'Range', detail } : { in: 'query', name: 'range', detail })
  }

  async function page(
    input: RangeInput,
    source: Source<ItemInput, Field> | readonly ItemInput[],
    { most = 1_000 }: { readonly most?: number } = {},
  ): Promise<WithHeaders<readonly ItemInput[], PageHeaders>> {
    const asked = rangeOf(input)
    const range = { ...asked, limit: Math.min(asked.limit, most) }
    const { field, order, offset, limit, value } = range
    const valueIn = fields[field as Field].of
    const read: Source<ItemInput, Field> =
      'page' in source ? source : arraySource(source, (one, name) => fields[name as Field].of(one), options.key)
    const total = await read.count()
    const after = value === undefined ? {} : { after: { value } }
    // One more than is sent tells whether there is a next page.
    const rows = limit === 0 ? [] : await read.page({ field: field as Field, order, offset, limit: limit + 1, ...after })
    const items = rows.slice(0, limit)
    const [first, last, beyond] = [items[0], items[items.length - 1], rows[limit]]
    return withHeaders(items, {
      'Total-Count': total,
      'Content-Range':
        first === undefined || last === undefined ? undefined : `${field} ${printValue(valueIn(first))}..${printValue(valueIn(last))}`,
      'Next-Range': beyond === undefined ? undefined : printRange(nextRange(range, items, beyond, valueIn)),
    })
  }

  return Object.freeze({
    declaration: Object.freeze({
      headers: { Range: optional(grammar) },
      query: { range: optional(grammar) },
      response: partial(list(item), {
        headers: { 'Total-Count': int, 'Content-Range': optional(text), 'Next-Range': optional(text) },
      }),
      errors: [reply(416)],
      always: { 'Accept-Ranges': names.join(',') },
    }),
    page,
  })
}
