/** What an endpoint with ranges declares: the header, the same text in the query, the page and the errors, with their documentation. */
import type { Pagination } from '../contract/endpoint.ts'
import { list } from '../contract/list.ts'
import type { Items } from '../contract/media/itemStreams.ts'
import { text } from '../contract/media/text.ts'
import { optional } from '../contract/optional.ts'
import { int } from '../contract/parameters/int.ts'
import { codec, type Parameter } from '../contract/parameters/parameter.ts'
import { partialContent, type Reply, reply, type WithHeaders } from '../contract/reply.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import { escapeRegExp } from '../json-schema/escapeRegExp.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import { printRange, printWord, type Range, type RangeFields, type RangeOptions } from './range.ts'

/** The response headers of a page. */
export interface PageHeaders {
  readonly 'Total-Count': number
  readonly 'Content-Range': string | undefined
  readonly 'Next-Range': string | undefined
  /** `<…>; rel="next"` (RFC 8288). */
  readonly Link: string | undefined
}

/** What an endpoint with ranges declares: `endpoint('GET /colors', { ...colorRanges.declaration })`. */
export interface PaginationDeclaration<ItemInput, ItemOutput> {
  /** How to request a page, and how to get to the next one. */
  readonly description: string
  readonly headers: { readonly Range: Parameter<string | undefined> }
  readonly query: { readonly range: Parameter<string | undefined> }
  readonly response: Reply<WithHeaders<Items<ItemInput>, PageHeaders>, WithHeaders<ItemOutput[], PageHeaders>, 206>
  readonly errors: readonly Reply<void, void, 416>[]
  /** `Accept-Ranges`. */
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The pages, for programs that know only the description. */
  readonly pagination: Pagination
}

export const defaultRangeOptions: RangeOptions = Object.freeze({ offset: 0, limit: 100, order: 'desc' })

const rangeOptionNames = ['offset', 'limit', 'order'] as const

/** Returns `name`, `hex` or `rgb`. */
const joinAlternatives = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')

/** Returns the defaults of fields that differ from the usual ones: `on sum limit 5`. */
const describeFieldDefaults = (fields: RangeFields): readonly string[] =>
  Object.entries(fields).flatMap(([field, { options }]) => {
    const own = rangeOptionNames.filter((name) => options[name] !== defaultRangeOptions[name]).map((name) => `${name} ${options[name]}`)
    return own.length === 0 ? [] : [`; on \`${field}\` ${own.join(', ')}`]
  })

const rangeSyntax = ' [<value>][; after <token>][; offset <o>][; limit <l>][; order <asc|desc>]'

const describeRanges = (fields: RangeFields, defaultField: string): string =>
  [
    [
      `The header \`Range: <field>${rangeSyntax}\` selects the items,`,
      `where the field is ${joinAlternatives(Object.keys(fields))}; without a range it is \`${defaultField}\`.`,
      'After the value (percent-encoded), or after the item that a token of `Link` stands for, `offset` items are skipped and `limit` sent.',
      `Defaults: offset ${defaultRangeOptions.offset}, limit ${defaultRangeOptions.limit}, order ${defaultRangeOptions.order}${describeFieldDefaults(fields).join('')}.`,
    ].join(' '),
    'To get all pages, follow `Link` until there is none: each unchanged item comes exactly once, even while others are added and removed. You can also send `Next-Range` back as `Range`, which is as good while the collection does not change.',
  ].join('\n\n')

/** Every valid range matches this pattern. It cannot express that an option comes once, and that `after` and a value exclude each other. */
const createRangePattern = (fields: RangeFields): string =>
  `^ *(${Object.keys(fields).map(escapeRegExp).join('|')})( +[!-:<-~]+)?( *; *(after +[A-Za-z0-9_-]+|offset +[0-9]+|limit +[0-9]+|order +(asc|desc)))* *$`

const createRangeParameter = (fields: RangeFields, defaultField: string, description: string): Parameter<string | undefined> => {
  const range = codec<string>({
    name: 'range',
    parse: (text) => text,
    print: (text) => text,
    schema: { type: 'string', pattern: createRangePattern(fields) },
    example: `${defaultField}; limit 10; order asc`,
    description,
  })
  return optional(range)
}

/**
 * Declares the ranges of a collection.
 *
 * @param item the schema of an item
 * @param fallback the range of a request without one
 * @param pagination the pages of the collection
 */
export function createDeclaration<ItemInput, ItemOutput>(
  item: Schema<ItemInput, ItemOutput>,
  fields: RangeFields,
  fallback: Range,
  pagination: Pagination,
): PaginationDeclaration<ItemInput, ItemOutput> {
  const { field } = fallback
  const value = printWord(fields[field]?.codec.examples[0] ?? 'value')
  const options = printRange(fallback, fields).slice(field.length)
  return Object.freeze({
    description: describeRanges(fields, field),
    headers: { Range: createRangeParameter(fields, field, 'Selects the items.') },
    query: { range: createRangeParameter(fields, field, 'The text of the header `Range`, in its place: send one of the two.') },
    response: partialContent(list(item), {
      headers: {
        'Total-Count': int({ description: 'How many items there are in all.' }),
        'Content-Range': optional(text, {
          description: 'The field, and its values in the first and the last item of the page. Absent from an empty page.',
          examples: [`${field} ${value}..${value}`],
        }),
        'Next-Range': optional(text, {
          description: 'The Range of the next page. Absent from the last page.',
          examples: [`${field} ${value}${options}`],
        }),
        Link: optional(text, {
          description: 'The URL of the next page, which stays right while items are added and removed. Absent from the last page.',
          examples: [`<?range=${percentEncode(`${field}; after token${options}`)}>; rel="next"`],
        }),
      },
    }),
    errors: [reply(416, undefined, { description: 'The field has no ranges. `Accept-Ranges` lists the fields that have ranges.' })],
    responseHeaders: { 'Accept-Ranges': Object.keys(fields).join(',') },
    pagination,
  })
}
