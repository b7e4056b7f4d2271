/** Examples of parameters, for documentation and tests. */
import { createExample } from '../../json-schema/example.ts'
import { isParseError } from '../../json-schema/parseError.ts'
import type { AnyParameter } from './parameter.ts'

/** The texts to show for a parameter: its own; without any, those of a value that its JSON Schema allows. */
export function getParameterExamples(parameter: AnyParameter): readonly string[] {
  if (parameter.examples.length > 0) return parameter.examples
  try {
    const values = parameter.write(createExample(parameter.jsonSchema))
    // The schema may have rules that its JSON Schema does not tell.
    return isParseError(parameter.read({ values, isPresent: true })) ? [] : values
  } catch {
    return []
  }
}
