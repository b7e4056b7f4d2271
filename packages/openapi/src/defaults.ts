/** Defaults of parameters, headers and parts of forms. */
import type { JsonSchema } from 'lapidary'
import { isValid, parseSchema } from 'lapidary/internal'
import type { LimitList } from './limits.ts'

/**
 * A schema without a default that has no effect, which is a limit: what is required is never its default, and neither is a value that the schema
 * does not allow.
 *
 * @param pointer the place of the schema
 */
export function dropUselessDefault(schema: JsonSchema, isRequired: boolean, pointer: string, limits: LimitList): JsonSchema {
  const { default: fallback, ...rest } = schema
  if (fallback === undefined || (!isRequired && isValid(parseSchema(schema), fallback))) return schema
  const problem = isRequired ? 'has no effect: the value is always there' : 'is no value of the schema'
  limits.add('malformed-schema', `${pointer}/default`, `The default ${JSON.stringify(fallback)} ${problem}. It is left out.`)
  return rest
}
