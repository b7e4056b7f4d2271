import { parseError } from '../../json-schema/parseError.js'
import { expectation } from '../../messages/problemMessages.js'
/** Makes a codec of two functions: `codec({ name: 'hex', parse, print, schema, example })`. */
export function codec(definition) {
  const { name, parse, print, schema, example } = definition
  return Object.freeze({
    name,
    parse,
    print,
    jsonSchema: schema,
    required: true,
    repeats: false,
    examples: Object.freeze([print(example)]),
    read: ({ values: texts }) => {
      const [text] = texts
      if (text === undefined) return parseError(expectation.present())
      return texts.length === 1 ? parse(text) : parseError(expectation.oneValue(texts.length))
    },
    write: (value) => [print(value)],
  })
}
/** The same parameter with words and values for the documentation: `described(int, 'how many', 5, 10)`. */
export function described(parameter, description, ...examples) {
  const shown = examples.flatMap((example) => parameter.write(example))
  return Object.freeze({ ...parameter, description, examples: shown.length > 0 ? Object.freeze(shown) : parameter.examples })
}
