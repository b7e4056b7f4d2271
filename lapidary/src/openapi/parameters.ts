/** What stands under a name as text: captures, query parameters, and the headers of requests and answers. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { type JsonSchema, resolved, typesOf } from '../describe/jsonSchema.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import type { HeaderObject, ParameterObject } from './document.ts'
import type { Schemas } from './schemas.ts'

/** A text as the value of the type that its schema names; undefined where it is none. */
function valued(text: string, schema: JsonSchema): unknown {
  const types = typesOf(schema)
  if (types.length === 0 || types.includes('string')) return text
  if (types.includes('boolean')) return text === 'true' || (text === 'false' ? false : undefined)
  return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}

/** Texts as values of the schema of a parameter; those of a list are one list. */
function examplesOf({ jsonSchema }: AnyParameter, texts: readonly string[]): unknown[] {
  const schema = resolved(jsonSchema, jsonSchema)
  const isList = typesOf(schema).includes('array')
  const item = isList ? resolved(typeof schema.items === 'object' ? schema.items : {}, jsonSchema) : schema
  // A schema that names its values needs no examples.
  const values = item.enum === undefined ? texts.map((text) => valued(text, item)).filter((value) => value !== undefined) : []
  return isList && values.length > 0 ? [values] : values
}

type Place = Pick<ParameterObject, 'name' | 'in'>

/** How several values are written under one name. */
const manner = (place: Place): Pick<ParameterObject, 'style' | 'explode'> =>
  place.in === 'query' ? { style: 'form', explode: true } : { style: 'simple' }

function parameterObject(place: Place, parameter: AnyParameter, schemas: Schemas): ParameterObject {
  const { required, repeats, description, jsonSchema } = parameter
  const examples = examplesOf(parameter, parameter.examples)
  const schema = schemas.of(jsonSchema)
  // Pages for trying an API fill in an "example"; what may be left out is only filled in by who wants it.
  const isFilledIn = required && examples.length === 1
  return {
    ...place,
    description,
    required: required ? true : undefined,
    ...(repeats ? manner(place) : {}),
    // A name without a value, as that of a flag.
    allowEmptyValue: place.in === 'query' && parameter.examples.includes('') ? true : undefined,
    schema: isFilledIn || examples.length === 0 ? schema : { ...schema, examples },
    example: required ? examples[0] : undefined,
  }
}

/** The parameters of an endpoint; its captures have the names in `captures`, in their order. */
export function parametersOf(endpoint: AnyEndpoint, captures: readonly string[], schemas: Schemas): ParameterObject[] {
  return [
    ...Object.values(endpoint.params).map((scalar, index) => parameterObject({ name: captures[index] ?? '', in: 'path' }, scalar, schemas)),
    ...Object.entries(endpoint.query).map(([name, parameter]) => parameterObject({ name, in: 'query' }, parameter, schemas)),
    ...Object.entries(endpoint.headers).map(([name, parameter]) => parameterObject({ name, in: 'header' }, parameter, schemas)),
  ]
}

/** A header of an answer, with the texts that stand in the example of that answer. */
export function headerObject(parameter: AnyParameter, shown: readonly string[] | undefined, schemas: Schemas): HeaderObject {
  const { required, repeats, description, jsonSchema, examples } = parameter
  return {
    description,
    required: required ? true : undefined,
    style: repeats ? 'simple' : undefined,
    schema: schemas.of(jsonSchema),
    example: examplesOf(parameter, shown ?? examples)[0],
  }
}
