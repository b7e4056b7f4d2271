/** The Parameter Objects and Header Objects of a document. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { getParameterExamples } from '../contract/exampleValues.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import type { GroupMember } from '../contract/parameters/parameterGroups.ts'
import { isSetCookie } from '../http/headerFields.ts'
import { getRestName } from '../http/route.ts'
import { parseSchema } from '../json-schema/schemaNode.ts'
import { restText } from '../messages/documentationTexts.ts'
import type { HeaderObject, ParameterObject } from './documentTypes.ts'
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

const delimitedStyles = { ',': 'form', '|': 'pipeDelimited', ' ': 'spaceDelimited' } as const

/** The serialization of several values. */
function getParameterStyle(place: ParameterPlace, { delimiter }: AnyParameter): Pick<ParameterObject, 'style' | 'explode'> {
  if (place.in !== 'query') return { style: 'simple' }
  return delimiter === undefined ? { style: 'form', explode: true } : { style: delimitedStyles[delimiter], explode: false }
}

function createParameterObject(place: ParameterPlace, parameter: AnyParameter, schemas: SchemaObjects): ParameterObject {
  const { required, repeats, description, jsonSchema } = parameter
  const examples = parseExamples(parameter, getParameterExamples(parameter))
  const schema = schemas.of(jsonSchema)
  // A page that sends requests fills in an "example", which an optional parameter should not have.
  const isFilledIn = required && examples.length === 1
  return {
    ...place,
    description,
    required: required ? true : undefined,
    ...(repeats ? getParameterStyle(place, parameter) : {}),
    // A flag has a name without a value.
    allowEmptyValue: place.in === 'query' && parameter.examples.includes('') ? true : undefined,
    schema: isFilledIn || examples.length === 0 ? schema : { ...schema, examples },
    example: required ? examples[0] : undefined,
  }
}

/** The members of an object in the query, as one Parameter Object in the style `deepObject`: `filter[owner]=x`. */
function createDeepObject(name: string, members: readonly GroupMember[], { query }: AnyEndpoint, schemas: SchemaObjects): ParameterObject {
  const inner = members.map(({ parameter, path }) => [path[1] as string, query[parameter] as AnyParameter] as const)
  const examples = inner.flatMap(([member, parameter]) =>
    parseExamples(parameter, getParameterExamples(parameter))
      .slice(0, 1)
      .map((example) => [member, example] as const),
  )
  const required = members.filter(({ isRequired, isList }) => isRequired && !isList).map(({ path }) => path[1] as string)
  const isRequired = inner.some(([, parameter]) => parameter.required)
  return {
    name,
    in: 'query',
    required: isRequired ? true : undefined,
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(inner.map(([member, { jsonSchema }]) => [member, schemas.of(jsonSchema)])),
      ...(required.length > 0 && { required }),
    },
    example: isRequired && examples.length === inner.length ? Object.fromEntries(examples) : undefined,
  }
}

function createQueryObjects(endpoint: AnyEndpoint, schemas: SchemaObjects): ParameterObject[] {
  const nested = endpoint.parameterGroups.query.flatMap(({ members }) => members.filter(({ path }) => path.length === 2))
  const objectNames = new Map(nested.map(({ parameter, path }) => [parameter, path[0]]))
  const objects = new Set<string>()
  return Object.entries(endpoint.query).flatMap(([name, parameter]) => {
    const object = objectNames.get(name)
    if (object === undefined) return [createParameterObject({ name, in: 'query' }, parameter, schemas)]
    if (objects.has(object)) return []
    objects.add(object)
    const members = nested.filter(({ path }) => path[0] === object)
    return [createDeepObject(object, members, endpoint, schemas)]
  })
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
    ...createQueryObjects(endpoint, schemas),
    ...Object.entries(endpoint.headers).map(([name, parameter]) => createParameterObject({ name, in: 'header' }, parameter, schemas)),
    ...Object.entries(endpoint.cookies).map(([name, parameter]) => createParameterObject({ name, in: 'cookie' }, parameter, schemas)),
  ]
}

/** `Set-Cookie` has a field for each cookie, never a list (RFC 9110 §5.3), and so it is described as one field. */
function createSetCookieObject(parameter: AnyParameter, fields: readonly string[], schemas: SchemaObjects): HeaderObject {
  const { required, description, jsonSchema } = parameter
  const named = fields.map((value) => [value.replace(/=.*/s, ''), { value }] as const)
  return {
    description,
    required: required ? true : undefined,
    schema: schemas.of(parseSchema(jsonSchema).parts.items?.schema ?? jsonSchema),
    ...(fields.length > 1 ? { examples: Object.fromEntries(named) } : { example: fields[0] }),
  }
}

/** @param texts the texts of the header in the example of its response. */
export function createHeaderObject(
  name: string,
  parameter: AnyParameter,
  texts: readonly string[] | undefined,
  schemas: SchemaObjects,
): HeaderObject {
  const { required, repeats, description, jsonSchema, examples } = parameter
  if (isSetCookie(name) && repeats) return createSetCookieObject(parameter, texts ?? examples, schemas)
  return {
    description,
    required: required ? true : undefined,
    style: repeats ? 'simple' : undefined,
    schema: schemas.of(jsonSchema),
    example: parseExamples(parameter, texts ?? examples)[0],
  }
}
