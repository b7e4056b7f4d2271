/** The documentation of captures, query parameters, headers and cookies, as plain data. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { getParameterExamples } from '../contract/exampleValues.ts'
import { text } from '../contract/media/text.ts'
import type { AnyParameter, Delimiter } from '../contract/parameters/parameter.ts'
import { getTypes } from '../json-schema/jsonSchema.ts'
import * as expectation from '../messages/expectations.ts'

/** The documentation of a capture, a query parameter, a header or a cookie. Plain data. */
export interface Field {
  name: string
  /** The name of its codec, and its bounds: `integer`, `integer from 1 to 100`, `list of text`, `flag`. */
  type: string
  /** Whether it is always present. */
  required: boolean
  /** Whether it can have several values. */
  repeats: boolean
  /** What stands between its values in one text of the query; absent: each value is a text of its own. */
  delimiter?: Delimiter
  /** Texts of values; all of them where the codec names them. */
  examples: string[]
  /** The text of the value that it has where it is left out. */
  default?: string
  /** Empty where there is none. */
  description: string
  /** The parameters that a request with this one needs as well: those of the same object. */
  requires?: string[]
}

/** The values of an enumeration; of a list, those of its items. */
function getAllowedValues({ jsonSchema }: AnyParameter): readonly unknown[] | undefined {
  const { items } = jsonSchema
  return getTypes(jsonSchema).includes('array') && typeof items === 'object' ? items.enum : jsonSchema.enum
}

/** The type of a parameter, with its bounds, in the words of an error. */
function describeType({ name, jsonSchema }: AnyParameter): string {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, minItems, maxItems } = jsonSchema
  const [least, most, pattern] = [jsonSchema['minLength'], jsonSchema['maxLength'], jsonSchema['pattern']] as [number?, number?, string?]
  if (name === 'integer' && maximum - minimum < 2 * Number.MAX_SAFE_INTEGER) return expectation.boundedInteger(minimum, maximum)
  if (name === 'text' && (least ?? most ?? pattern) !== undefined) return expectation.boundedText(least, most, pattern)
  return (minItems ?? maxItems) === undefined ? name : `${name}, ${expectation.amount(minItems, maxItems)}`
}

/** @param texts examples that take precedence over those of the parameter. */
export function documentParameter(name: string, parameter: AnyParameter, texts: readonly string[] = []): Field {
  const fallback = parameter.jsonSchema.default
  const examples = texts.length > 0 ? texts : (getAllowedValues(parameter)?.map(String) ?? getParameterExamples(parameter))
  return {
    name,
    type: describeType(parameter),
    required: parameter.required,
    repeats: parameter.repeats,
    ...(parameter.delimiter !== undefined && { delimiter: parameter.delimiter }),
    // A flag has no value to show.
    examples: examples.filter((example) => example !== ''),
    ...(fallback === undefined ? {} : { default: String(fallback) }),
    description: parameter.description ?? '',
  }
}

export const documentParameters = (parameters: Readonly<Record<string, AnyParameter>>): Field[] =>
  Object.entries(parameters).map(([name, parameter]) => documentParameter(name, parameter))

export function documentQuery({ query, parameterGroups }: AnyEndpoint): Field[] {
  const nested = parameterGroups.query.flatMap(({ members }) => members.filter(({ path }) => path.length === 2))
  return documentParameters(query).map((field) => {
    const object = nested.find(({ parameter }) => parameter === field.name)?.path[0]
    const required = nested.filter(
      ({ path, parameter, isRequired, isList }) => path[0] === object && parameter !== field.name && isRequired && !isList,
    )
    return required.length === 0 ? field : { ...field, requires: required.map(({ parameter }) => parameter) }
  })
}

/** Headers with constant values. */
export const documentConstants = (headers: Readonly<Record<string, string | readonly string[] | AnyParameter>>): Field[] =>
  Object.entries(headers).map(([name, value]) =>
    typeof value === 'object' && 'read' in value ? documentParameter(name, value) : documentParameter(name, text, [value].flat()),
  )
