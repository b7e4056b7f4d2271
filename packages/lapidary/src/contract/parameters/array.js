/** A value that may be given any number of times. */
import { ParseError } from '../../json-schema/parseError.js'
/** All values in their order, none given = the empty list: `?tag=a&tag=b`; in a header, `X-Tag: a,b`. */
export function array(item) {
  return Object.freeze({
    name: `list of ${item.name}`,
    required: false,
    repeats: true,
    read: ({ values: texts }) => {
      const values = []
      for (const text of texts) {
        const value = item.parse(text)
        if (value instanceof ParseError) return value
        values.push(value)
      }
      return values
    },
    write: (values = []) => values.map(item.print),
    jsonSchema: { type: 'array', items: item.jsonSchema },
    examples: item.examples,
  })
}
