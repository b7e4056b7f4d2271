/** A value that may be given any number of times. */
import type { Parameter, Scalar } from './parameter.ts'
import { Refusal } from './refusal.ts'

/** All values in their order, none given = the empty list: `?tag=a&tag=b`; in a header, `X-Tag: a,b`. */
export function many<T>(item: Scalar<T>): Parameter<readonly T[], readonly T[] | undefined> {
  return Object.freeze({
    name: `list of ${item.name}`,
    required: false,
    repeats: true,
    read: ({ texts }) => {
      const values: T[] = []
      for (const text of texts) {
        const value = item.parse(text)
        if (value instanceof Refusal) return value
        values.push(value)
      }
      return values
    },
    write: (values = []) => values.map(item.print),
    jsonSchema: { type: 'array', items: item.jsonSchema },
    examples: item.examples,
  } satisfies Parameter<readonly T[], readonly T[] | undefined>)
}
