/** Adds an example to each parameter and body that has none: Dredd and Portman send the examples of the document. */
import { generate } from 'json-schema-faker'

const options = { seed: 1, alwaysFakeOptionals: false, useExamplesValue: true, maxLength: 12, minItems: 1, maxItems: 2 }

/** What a value is, or refers to. */
export const resolve = (document, value) =>
  value?.$ref === undefined
    ? value
    : value.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key.replaceAll('~1', '/')], document)

/** Replaces references by what they refer to, so that the schema stands for itself. */
function inline(document, value) {
  if (Array.isArray(value)) return value.map((one) => inline(document, one))
  if (typeof value !== 'object' || value === null) return value
  const resolved = resolve(document, value)
  return Object.fromEntries(Object.entries(resolved).map(([key, one]) => [key, inline(document, one)]))
}

const hasExample = ({ example, examples, schema }) => (example ?? examples ?? schema?.example ?? schema?.default) !== undefined

/** @param {object} document @param {Readonly<Record<string, unknown>>} [given] */
export async function addExamples(document, given = {}) {
  const sample = (schema) => generate(inline(document, schema), options)
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path).filter((one) => one.responses !== undefined))
  for (const { parameters = [], requestBody } of operations) {
    for (const reference of parameters) {
      const parameter = resolve(document, reference)
      if (given[parameter.name] !== undefined) parameter.example = given[parameter.name]
      else if (parameter.required && parameter.schema !== undefined && !hasExample(parameter))
        parameter.example = await sample(parameter.schema)
    }
    for (const content of Object.values(resolve(document, requestBody)?.content ?? {})) {
      if (content.schema !== undefined && !hasExample(content)) content.example = await sample(content.schema)
    }
  }
}
