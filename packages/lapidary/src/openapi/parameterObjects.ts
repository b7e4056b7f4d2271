/** The Parameter Objects and Header Objects of a document. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import { getRestName } from '../http/route.ts'
import { parseSchema } from '../json-schema/jsonSchema.ts'
import { restText } from '../messages/documentationTexts.ts'
import type { HeaderObject, ParameterObject } from './document.ts'
import type { SchemaObjects } from './schemaObjects.ts'

/** The value of a text, in one of the types; undefined where it has none. */
function parseExample(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text
  if (types.includes('boolean')) return text === 'true' || (text === 'false' ? false : undefined)
  return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}

/** The values of texts. Those of a list are one list. */
function parseExamples({ jsonSchema }: AnyParameter, texts: readonly string[]): unknown[] {
  const node = parseSchema(jsonSchema)
  const isList = node.types.includes('array')
  const { schema, types } = isList ? (node.parts.items ?? node.parse(true)) : node
  // An enumeration needs no examples.
  const values = schema.enum === undefined ? texts.map((text) => parseExample(text, types)).filter((value) => value !== undefined) : []
  return isList && values.length > 0 ? [values] : values
}

type ParameterPlace = Pick<ParameterObject, 'name' | 'in'>

/** The serialization of several values. */
const getParameterStyle = (place: ParameterPlace): Pick<ParameterObject, 'style' | 'explode'> =>
  place.in === 'query' ? { style: 'form', explode: true } : { style: 'simple' }

function createParameterObject(place: ParameterPlace, parameter: AnyParameter, schemas: SchemaObjects): ParameterObject {
  const { required, repeats, description, jsonSchema } = parameter
  const examples = parseExamples(parameter, parameter.examples)
  const schema = schemas.of(jsonSchema)
  // A page that sends requests fills in an "example", which an optional parameter should not have.
  const isFilledIn = required && examples.length === 1
  return {
    ...place,
    description,
    required: required ? true : undefined,
    ...(repeats ? getParameterStyle(place) : {}),
    // A flag has a name without a value.
    allowEmptyValue: place.in === 'query' && parameter.examples.includes('') ? true : undefined,
    schema: isFilledIn || examples.length === 0 ? schema : { ...schema, examples },
    example: required ? examples[0] : undefined,
  }
}

/** @param captures the names of the captures in the document, in order. */
export function createParameterObjects(endpoint: AnyEndpoint, captures: readonly string[], schemas: SchemaObjects): ParameterObject[] {
  // No path template of OpenAPI has slashes in a value, so its description tells of them.
  const rest = getRestName(endpoint.segments)
  return [
    ...Object.entries(endpoint.params).map(([declared, codec], index) =>
      createParameterObject(
        { name: captures[index] ?? '', in: 'path' },
        declared === rest ? { ...codec, description: restText(codec.description) } : codec,
        schemas,
      ),
    ),
    ...Object.entries(endpoint.query).map(([name, parameter]) => createParameterObject({ name, in: 'query' }, parameter, schemas)),
    ...Object.entries(endpoint.headers).map(([name, parameter]) => createParameterObject({ name, in: 'header' }, parameter, schemas)),
    ...Object.entries(endpoint.cookies).map(([name, parameter]) => createParameterObject({ name, in: 'cookie' }, parameter, schemas)),
  ]
}

/** @param texts the texts of the header in the example of its response. */
export function createHeaderObject(parameter: AnyParameter, texts: readonly string[] | undefined, schemas: SchemaObjects): HeaderObject {
  const { required, repeats, description, jsonSchema, examples } = parameter
  return {
    description,
    required: required ? true : undefined,
    style: repeats ? 'simple' : undefined,
    schema: schemas.of(jsonSchema),
    example: parseExamples(parameter, texts ?? examples)[0],
  }
}
