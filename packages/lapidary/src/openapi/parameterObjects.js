import { getTypes, resolveSchema } from '../json-schema/jsonSchema.js'

/** A text as the value of the type that its schema names; undefined where it is none. */
function parseExample(text, schema) {
  const types = getTypes(schema)
  if (types.length === 0 || types.includes('string')) return text
  if (types.includes('boolean')) return text === 'true' || (text === 'false' ? false : undefined)
  return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}
/** Texts as values of the schema of a parameter; those of a list are one list. */
function parseExamples({ jsonSchema }, texts) {
  const schema = resolveSchema(jsonSchema, jsonSchema)
  const isList = getTypes(schema).includes('array')
  const item = isList ? resolveSchema(typeof schema.items === 'object' ? schema.items : {}, jsonSchema) : schema
  // A schema that names its values needs no examples.
  const values = item.enum === undefined ? texts.map((text) => parseExample(text, item)).filter((value) => value !== undefined) : []
  return isList && values.length > 0 ? [values] : values
}
/** How several values are written under one name. */
const getParameterStyle = (place) => (place.in === 'query' ? { style: 'form', explode: true } : { style: 'simple' })
function createParameterObject(place, parameter, schemas) {
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
export function createParameterObjects(endpoint, captures, schemas) {
  return [
    ...Object.values(endpoint.params).map((scalar, index) =>
      createParameterObject({ name: captures[index] ?? '', in: 'path' }, scalar, schemas),
    ),
    ...Object.entries(endpoint.query).map(([name, parameter]) => createParameterObject({ name, in: 'query' }, parameter, schemas)),
    ...Object.entries(endpoint.headers).map(([name, parameter]) => createParameterObject({ name, in: 'header' }, parameter, schemas)),
  ]
}
/** A header of an answer, with the texts that stand in the example of that answer. */
export function createHeaderObject(parameter, shown, schemas) {
  const { required, repeats, description, jsonSchema, examples } = parameter
  return {
    description,
    required: required ? true : undefined,
    style: repeats ? 'simple' : undefined,
    schema: schemas.of(jsonSchema),
    example: parseExamples(parameter, shown ?? examples)[0],
  }
}
