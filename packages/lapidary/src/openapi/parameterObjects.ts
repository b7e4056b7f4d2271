/** What stands under a name as text: captures, query parameters, and the headers of requests and answers. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import { parseSchema } from '../json-schema/jsonSchema.ts'
import type { HeaderObject, ParameterObject } from './document.ts'
import type { SchemaObjects } from './schemaObjects.ts'

/** The value of a text that is of one of the types; undefined where there is none. */
function parseExample(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text
  if (types.includes('boolean')) return text === 'true' || (text === 'false' ? false : undefined)
  return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}

/** Texts as values of the schema of a parameter; those of a list are one list. */
function parseExamples({ jsonSchema }: AnyParameter, texts: readonly string[]): unknown[] {
  const node = parseSchema(jsonSchema)
  const isList = node.types.includes('array')
  const { schema, types } = isList ? (node.parts.items ?? node.parse(true)) : node
  // A schema that names its values needs no examples.
  const values = schema.enum === undefined ? texts.map((text) => parseExample(text, types)).filter((value) => value !== undefined) : []
  return isList && values.length > 0 ? [values] : values
}

type ParameterPlace = Pick<ParameterObject, 'name' | 'in'>

/** How several values are written under one name. */
const getParameterStyle = (place: ParameterPlace): Pick<ParameterObject, 'style' | 'explode'> =>
  place.in === 'query' ? { style: 'form', explode: true } : { style: 'simple' }

function createParameterObject(place: ParameterPlace, parameter: AnyParameter, schemas: SchemaObjects): ParameterObject {
  const { required, repeats, description, jsonSchema } = parameter
  const examples = parseExamples(parameter, parameter.examples)
  const schema = schemas.of(jsonSchema)
  // Pages for trying an API fill in an "example"; what may be left out is only filled in by who wants it.
  const isFilledIn = required && examples.length === 1
  return {
    ...place,
    description,
    required: required ? true : undefined,
    ...(repeats ? getParameterStyle(place) : {}),
    // A name without a value, as that of a flag.
    allowEmptyValue: place.in === 'query' && parameter.examples.includes('') ? true : undefined,
    schema: isFilledIn || examples.length === 0 ? schema : { ...schema, examples },
    example: required ? examples[0] : undefined,
  }
}

/** The parameters of an endpoint; its captures have the names in `captures`, in their order. */
export function createParameterObjects(endpoint: AnyEndpoint, captures: readonly string[], schemas: SchemaObjects): ParameterObject[] {
  return [
    ...Object.values(endpoint.params).map((scalar, index) =>
      createParameterObject({ name: captures[index] ?? '', in: 'path' }, scalar, schemas),
    ),
    ...Object.entries(endpoint.query).map(([name, parameter]) => createParameterObject({ name, in: 'query' }, parameter, schemas)),
    ...Object.entries(endpoint.headers).map(([name, parameter]) => createParameterObject({ name, in: 'header' }, parameter, schemas)),
  ]
}

/** A header of an answer, with the texts that stand in the example of that answer. */
export function createHeaderObject(parameter: AnyParameter, shown: readonly string[] | undefined, schemas: SchemaObjects): HeaderObject {
  const { required, repeats, description, jsonSchema, examples } = parameter
  return {
    description,
    required: required ? true : undefined,
    style: repeats ? 'simple' : undefined,
    schema: schemas.of(jsonSchema),
    example: parseExamples(parameter, shown ?? examples)[0],
  }
}
