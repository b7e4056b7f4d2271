/** What an endpoint declares to have ranges: the header, its twin in the query, the page and what can go wrong, all of it documented. */
import {
  described,
  type Items,
  int,
  list,
  optional,
  type Parameter,
  partial,
  percentEncoded,
  type Reply,
  reply,
  type Schema,
  scalar,
  text,
  type WithHeaders,
} from '../describe/index.ts'
import { type Paging, withPaging } from './paging.ts'
import { printRange, printWord, type Range, type RangeField, type RangeOptions } from './range.ts'

/** The response headers of a page. */
export interface PageHeaders {
  readonly 'Total-Count': number
  readonly 'Content-Range': string | undefined
  readonly 'Next-Range': string | undefined
  /** `<…>; rel="next"` (RFC 8288). */
  readonly Link: string | undefined
}

/** To be spread into the endpoint: `endpoint('GET /colors', { ...colorRanges.declaration })`. */
export interface Declaration<ItemInput, ItemOutput> {
  /** How to ask for a page, and how to come to the next one. */
  readonly description: string
  readonly headers: { readonly Range: Parameter<string | undefined> }
  readonly query: { readonly range: Parameter<string | undefined> }
  readonly response: Reply<WithHeaders<Items<ItemInput>, PageHeaders>, WithHeaders<ItemOutput[], PageHeaders>>
  readonly errors: readonly Reply<void, void, 416>[]
  /** `Accept-Ranges`, on every answer. */
  readonly always: Readonly<Record<string, string>>
}

type Fields = Readonly<Record<string, RangeField>>

export const usual: RangeOptions = Object.freeze({ offset: 0, limit: 100, order: 'desc' })

const optionNames = ['offset', 'limit', 'order'] as const

/** `name`, `hex` or `rgb`. */
const either = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')

/** The options of a field that are not the usual ones: `on sum limit 5`. */
const unusual = (fields: Fields): readonly string[] =>
  Object.entries(fields).flatMap(([field, { options }]) => {
    const own = optionNames.filter((name) => options[name] !== usual[name]).map((name) => `${name} ${options[name]}`)
    return own.length === 0 ? [] : [`; on \`${field}\` ${own.join(', ')}`]
  })

const pieces = ' [<value>][; after <token>][; offset <o>][; limit <l>][; order <asc|desc>]'

const paragraphs = (fields: Fields, fallback: string): string =>
  [
    [
      `Which items to send is said by the header \`Range: <field>${pieces}\`,`,
      `where the field is ${either(Object.keys(fields))}; without a range it is \`${fallback}\`.`,
      'Strictly behind the value (percent-encoded), or behind the item that a token of `Link` stands for, `offset` items are skipped and `limit` sent.',
      `Defaults: offset ${usual.offset}, limit ${usual.limit}, order ${usual.order}${unusual(fields).join('')}.`,
    ].join(' '),
    'To walk all pages, follow `Link` until there is none: each item that stays as it is comes once, also while others come and go. Or send `Next-Range` back as `Range`, which is as good while nobody writes.',
  ].join('\n\n')

const escaped = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Every range that can be read matches it; what it cannot say is that an option stands there once, and `after` or a value, not both. */
const patternOf = (fields: Fields): string =>
  `^ *(${Object.keys(fields).map(escaped).join('|')})( +[!-:<-~]+)?( *; *(after +[A-Za-z0-9_-]+|offset +[0-9]+|limit +[0-9]+|order +(asc|desc)))* *$`

const asked = (fields: Fields, fallback: string, description: string): Parameter<string | undefined> => {
  const range = scalar<string>({
    name: 'range',
    parse: (given) => given,
    print: (given) => given,
    schema: { type: 'string', pattern: patternOf(fields) },
    example: `${fallback}; limit 10; order asc`,
  })
  return optional(described(range, description))
}

/** The declaration of the ranges of `item` on these fields; `fallback` is the field of a request without a range, `paging` makes their pages. */
export function declaration<ItemInput, ItemOutput>(
  item: Schema<ItemInput, ItemOutput>,
  fields: Fields,
  fallback: Range,
  paging: Paging,
): Declaration<ItemInput, ItemOutput> {
  const { field } = fallback
  const value = printWord(fields[field]?.codec.examples[0] ?? 'value')
  const options = printRange(fallback, fields).slice(field.length)
  return Object.freeze({
    description: paragraphs(fields, field),
    headers: { Range: withPaging(asked(fields, field, 'Which items to send.'), paging) },
    query: { range: asked(fields, field, 'The text of the header `Range`, in its place: one of the two.') },
    response: partial(list(item), {
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
            `<?range=${percentEncoded(`${field}; after token${options}`)}>; rel="next"`,
          ),
        ),
      },
    }),
    errors: [reply(416, undefined, { description: 'The field has no ranges; `Accept-Ranges` lists those that have.' })],
    always: { 'Accept-Ranges': Object.keys(fields).join(',') },
  })
}
