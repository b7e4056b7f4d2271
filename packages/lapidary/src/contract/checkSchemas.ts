/** Checks that the schemas of all bodies of an endpoint have a JSON Schema: the message names the body, and the member where it can. */
import { encodePointerStep } from '../json-schema/parseError.ts'
import { getJsonSchema, type JsonSchemaError, type Schema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { checkEncoder } from './schemaCodec.ts'

const hasJsonSchema = (schema: Schema): boolean => {
  try {
    return schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' }) !== undefined
  } catch {
    return false
  }
}

/** A member of a value, of a path in its JSON Schema: `/stones/*\/at` for an item of a list. */
const toMemberPointer = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) => {
      const previous = path[index - 1]
      if (previous === 'properties' || previous === 'prefixItems') return encodePointerStep(step)
      return step === 'items' || step === 'additionalProperties' ? '/*' : ''
    })
    .join('')

/** Options of zod: what has no JSON Schema is any value, and each schema is shown, the innermost first. */
interface ZodJsonSchemaOptions {
  readonly unrepresentable: 'any'
  readonly override: (found: { readonly zodSchema: Schema; readonly path: readonly PropertyKey[] }) => void
}

/** The place of the innermost schema that has no JSON Schema; empty where it is the whole value, and where the library does not tell. */
function findUnrepresentable(schema: Schema): string {
  let longest: readonly PropertyKey[] | undefined
  const libraryOptions: ZodJsonSchemaOptions = {
    unrepresentable: 'any',
    override: ({ zodSchema, path }) => {
      if (path.length >= (longest?.length ?? 0) && !hasJsonSchema(zodSchema)) longest = [...path]
    },
  }
  try {
    schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12', libraryOptions: { ...libraryOptions } })
  } catch {
    return ''
  }
  return toMemberPointer(longest ?? [])
}

/** @param place Of the schema, as the message begins: `GET /stones: response 200`. */
function describeJsonSchemaError(place: string, { message, schema }: JsonSchemaError): string {
  return developerErrors.unrepresentableSchema(place, findUnrepresentable(schema), message)
}

/** @throws TypeError if the schema of a body has no JSON Schema. */
export function checkSchemas({ route, body, responses, errors }: AnyEndpoint): void {
  const all = [
    ['body', body?.schema] as const,
    ...responses.map(({ status, content }) => [`response ${status}`, content?.schema] as const),
    ...errors.map(({ status, content }) => [`error ${status}`, content?.schema] as const),
  ]
  for (const [part, schema] of all) {
    if (schema === undefined) continue
    try {
      getJsonSchema(schema)
    } catch (error) {
      throw new TypeError(describeJsonSchemaError(`${route}: ${part}`, error as JsonSchemaError), { cause: error })
    }
    checkEncoder(schema, `${route}: ${part}`)
  }
}
