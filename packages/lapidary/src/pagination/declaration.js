/** What an endpoint declares to have ranges: the header, its twin in the query, the page and what can go wrong, all of it documented. */
import { list } from '../contract/list.js'
import { int } from '../contract/parameters/int.js'
import { optional } from '../contract/parameters/optional.js'
import { codec, described } from '../contract/parameters/parameter.js'
import { text } from '../contract/parameters/text.js'
import { partialContent, reply } from '../contract/reply.js'
import { percentEncode } from '../http/percentEncoding.js'
import { printRange, printWord } from './range.js'

/** Not a word of the description: a parameter behaves as it did. */
const pagingKey = '~paging'
/** The same parameter, which carries it. */
export const attachPaging = (parameter, paging) => Object.freeze({ ...parameter, [pagingKey]: paging })
/** What a parameter carries; undefined for any but the header `Range` of a declaration. */
export const getPaging = (parameter) => (parameter === undefined ? undefined : Reflect.get(parameter, pagingKey))
export const defaultRangeOptions = Object.freeze({ offset: 0, limit: 100, order: 'desc' })
const rangeOptionNames = ['offset', 'limit', 'order']
/** `name`, `hex` or `rgb`. */
const joinAlternatives = (names) =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
/** The options of a field that are not the usual ones: `on sum limit 5`. */
const describeFieldDefaults = (fields) =>
  Object.entries(fields).flatMap(([field, { options }]) => {
    const own = rangeOptionNames.filter((name) => options[name] !== defaultRangeOptions[name]).map((name) => `${name} ${options[name]}`)
    return own.length === 0 ? [] : [`; on \`${field}\` ${own.join(', ')}`]
  })
const rangeSyntax = ' [<value>][; after <token>][; offset <o>][; limit <l>][; order <asc|desc>]'
const describeRanges = (fields, fallback) =>
  [
    [
      `Which items to send is said by the header \`Range: <field>${rangeSyntax}\`,`,
      `where the field is ${joinAlternatives(Object.keys(fields))}; without a range it is \`${fallback}\`.`,
      'Strictly behind the value (percent-encoded), or behind the item that a token of `Link` stands for, `offset` items are skipped and `limit` sent.',
      `Defaults: offset ${defaultRangeOptions.offset}, limit ${defaultRangeOptions.limit}, order ${defaultRangeOptions.order}${describeFieldDefaults(fields).join('')}.`,
    ].join(' '),
    'To walk all pages, follow `Link` until there is none: each item that stays as it is comes once, also while others come and go. Or send `Next-Range` back as `Range`, which is as good while nobody writes.',
  ].join('\n\n')
const escapeFieldName = (name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
/** Every range that can be read matches it; what it cannot say is that an option stands there once, and `after` or a value, not both. */
const createRangePattern = (fields) =>
  `^ *(${Object.keys(fields).map(escapeFieldName).join('|')})( +[!-:<-~]+)?( *; *(after +[A-Za-z0-9_-]+|offset +[0-9]+|limit +[0-9]+|order +(asc|desc)))* *$`
const createRangeParameter = (fields, fallback, description) => {
  const range = codec({
    name: 'range',
    parse: (given) => given,
    print: (given) => given,
    schema: { type: 'string', pattern: createRangePattern(fields) },
    example: `${fallback}; limit 10; order asc`,
  })
  return optional(described(range, description))
}
/** The declaration of the ranges of `item` on these fields; `fallback` is the field of a request without a range, `paging` makes their pages. */
export function createDeclaration(item, fields, fallback, paging) {
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
