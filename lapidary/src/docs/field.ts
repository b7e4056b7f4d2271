/** What documentation says of one capture, query parameter or header. */
import { getTypes } from '../describe/jsonSchema.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import { text } from '../describe/text.ts'

/** One name and what stands under it. Plain data. */
export interface Field {
  name: string
  /** What its codec calls itself: `integer`, `list of text`, `flag`. */
  type: string
  /** Whether it is always there. */
  required: boolean
  /** Whether the name may stand there more than once. */
  repeats: boolean
  /** Values as they are written; all of them where they are few and known. */
  examples: string[]
  /** Empty where there is none. */
  description: string
}

/** The values that a codec allows, where it names them; of a list, those of its items. */
function getAllowedValues({ jsonSchema }: AnyParameter): readonly unknown[] | undefined {
  const { items } = jsonSchema
  return getTypes(jsonSchema).includes('array') && typeof items === 'object' ? items.enum : jsonSchema.enum
}

/** The field of a parameter; its examples are the values of `shown`, where there are some. */
export function documentParameter(name: string, parameter: AnyParameter, shown: readonly string[] = []): Field {
  const examples = shown.length > 0 ? shown : (getAllowedValues(parameter)?.map(String) ?? parameter.examples)
  return {
    name,
    type: parameter.name,
    required: parameter.required,
    repeats: parameter.repeats,
    // A flag is written as its name alone: there is no value to show.
    examples: examples.filter((example) => example !== ''),
    description: parameter.description ?? '',
  }
}

/** The fields of a record of parameters, in its order. */
export const documentParameters = (parameters: Readonly<Record<string, AnyParameter>>): Field[] =>
  Object.entries(parameters).map(([name, parameter]) => documentParameter(name, parameter))

/** The fields of headers that always have the same value. */
export const documentConstants = (headers: Readonly<Record<string, string>>): Field[] =>
  Object.entries(headers).map(([name, value]) => documentParameter(name, text, [value]))
