/** The short word for what a parameter takes. */
import type { AnyParameter } from '../describe/parameter.ts'

/** `integer`; `age|name` for a choice, `list of age|name` for many. */
export function labelType({ name, jsonSchema, repeats }: AnyParameter): string {
  const { items } = jsonSchema
  const choices = (typeof items === 'object' ? items : jsonSchema).enum?.map(String).join('|')
  if (choices === undefined) return name
  return repeats ? `list of ${choices}` : choices
}
