/** What an endpoint declares to have ranges: the header, its twin in the query, the page and what can go wrong, all of it documented. */

import { type Items, list } from '../contract/list.ts'
import { int } from '../contract/parameters/int.ts'
import { optional } from '../contract/parameters/optional.ts'
import { codec, described, type Parameter } from '../contract/parameters/parameter.ts'
import { text } from '../contract/parameters/text.ts'
import { partialContent, type Reply, reply, type WithHeaders } from '../contract/reply.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import { printRange, printWord, type Range, type RangeField, type RangeOptions } from './range.ts'
import type { RangeInput } from './rangeRequest.ts'

// How whoever has nothing but a description answers with its pages: the header `Range` of a declaration carries it along.

/** What the ranges of a collection do with items that somebody else has. */
export interface Paging {
  /** The page that a request asks for. @throws HttpError 400, 416. */
  readonly page: (input: RangeInput, items: readonly unknown[]) => Promise<WithHeaders<readonly unknown[], PageHeaders>>
  /** What tells any two items apart. */
  readonly getKey: (item: unknown) => string | number
  /** Whether the codecs of the fields can say what is in an item. Whatever `of` or a codec throws, this throws. */
  readonly isRepresentable: (item: unknown) => boolean
}

/** Not a word of the description: a parameter behaves as it did. */
const pagingKey = '~paging'

/** The same parameter, which carries it. */
export const attachPaging = <Parameter extends object>(parameter: Parameter, paging: Paging): Parameter =>
  Object.freeze({ ...parameter, [pagingKey]: paging })

/** What a parameter carries; undefined for any but the header `Range` of a declaration. */
export const getPaging = (parameter: object | undefined): Paging | undefined =>
  parameter === undefined ? undefined : (Reflect.get(parameter, pagingKey) as Paging | undefined)

/** The response headers of a page. */
export interface PageHeaders {
  readonly 'Total-Count': number
  readonly 'Content-Range': string | undefined
  readonly 'Next-Range': string | undefined
  /** `<…>; rel="next"` (RFC 8288). */
  readonly Link: string | undefined
}

/** To be spread into the endpoint: `endpoint('GET /colors', { ...colorRanges.declaration })`. */
export interface PaginationDeclaration<ItemInput, ItemOutput> {
  /** How to ask for a page, and how to come to the next one. */
  readonly description: string
  readonly headers: { readonly Range: Parameter<string | undefined> }
  readonly query: { readonly range: Parameter<string | undefined> }
  readonly response: Reply<WithHeaders<Items<ItemInput>, PageHeaders>, WithHeaders<ItemOutput[], PageHeaders>>
  readonly errors: readonly Reply<void, void, 416>[]
  /** `Accept-Ranges`, on every answer. */
  readonly responseHeaders: Readonly<Record<string, string>>
}

type RangeFields = Readonly<Record<string, RangeField>>

export const defaultRangeOptions: RangeOptions = Object.freeze({ offset: 0, limit: 100, order: 'desc' })

const rangeOptionNames = ['offset', 'limit', 'order'] as const

/** `name`, `hex` or `rgb`. */
const joinAlternatives = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')

/** The options of a field that are not the usual ones: `on sum limit 5`. */
const describeFieldDefaults = (fields: RangeFields): readonly string[] =>
  Object.entries(fields).flatMap(([field, { options }]) => {
    const own = rangeOptionNames.filter((name) => options[name] !== defaultRangeOptions[name]).map((name) => `${name} ${options[name]}`)
    return own.length === 0 ? [] : [`; on \`${field}\` ${own.join(', ')}`]
  })

const rangeSyntax = ' [<value>][; after <token>][; offset <o>][; limit <l>][; order <asc|desc>]'

const describeRanges = (fields: RangeFields, fallback: string): string =>
  [
    [
      `Which items to send is said by the header \`Range: <field>${rangeSyntax}\`,`,
      `where the field is ${joinAlternatives(Object.keys(fields))}; without a range it is \`${fallback}\`.`,
      'Strictly behind the value (percent-encoded), or behind the item that a token of `Link` stands for, `offset` items are skipped and `limit` sent.',
      `Defaults: offset ${defaultRangeOptions.offset}, limit ${defaultRangeOptions.limit}, order ${defaultRangeOptions.order}${describeFieldDefaults(fields).join('')}.`,
    ].join(' '),
    'To walk all pages, follow `Link` until there is none: each item that stays as it is comes once, also while others come and go. Or send `Next-Range` back as `Range`, which is as good while nobody writes.',
  ].join('\n\n')

const escapeFieldName = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Every range that can be read matches it; what it cannot say is that an option stands there once, and `after` or a value, not both. */
const createRangePattern = (fields: RangeFields): string =>
  `^ *(${Object.keys(fields).map(escapeFieldName).join('|')})( +[!-:<-~]+)?( *; *(after +[A-Za-z0-9_-]+|offset +[0-9]+|limit +[0-9]+|order +(asc|desc)))* *$`

const createRangeParameter = (fields: RangeFields, fallback: string, description: string): Parameter<string | undefined> => {
  const range = codec<string>({
    name: 'range',
    parse: (given) => given,
    print: (given) => given,
    schema: { type: 'string', pattern: createRangePattern(fields) },
    example: `${fallback}; limit 10; order asc`,
  })
  return optional(described(range, description))
}

/** The declaration of the ranges of `item` on these fields; `fallback` is the field of a request without a range, `paging` makes their pages. */
export function createDeclaration<ItemInput, ItemOutput>(
  item: Schema<ItemInput, ItemOutput>,
  fields: RangeFields,
  fallback: Range,
  paging: Paging,
): PaginationDeclaration<ItemInput, ItemOutput> {
  const { field } = fallback
  const value = printWord(fields[field]?.codec.examples[0] ?? 'value')
  const options = printRange(fallback, fields).slice(field.length)
  return Object.freeze({
    description: describeRanges(fields, field),
    headers: { Range: attachPaging(createRangeParameter(fields, field, 'Which items to send.'), paging) },
    query: { range: createRangeParameter(fields, field, 'The text of the header `Range`, in its place: one of the two.') },
    response: partialContent(list(item), {
      headers: {
        'Total-Count': described(int, 'How many items there are in all.'),
        'Content-Range': optional(
          described(
            text,
            'The field, and its values in the first and the last item of the page. Absent from an empty page.',
            `${field} ${value}..${value}`,
          ),
        ),
        'Next-Range': optional(described(text, 'The Range of the next page. Absent from the last one.', `${field} ${value}${options}`)),
        Link: optional(
          described(
            text,
            'The address of the next page, which stays the right one while items are added and removed. Absent from the last page.',
            `<?range=${percentEncode(`${field}; after token${options}`)}>; rel="next"`,
          ),
        ),
      },
    }),
    errors: [reply(416, undefined, { description: 'The field has no ranges; `Accept-Ranges` lists those that have.' })],
    responseHeaders: { 'Accept-Ranges': Object.keys(fields).join(',') },
  })
}
