/** A document in the version of OpenAPI that a program reads: what that version lacks is renamed, translated or left out. */
import * as developerErrors from '../messages/developerErrors.ts'
import { changeParts } from './documentParts.ts'
import type {
  MediaTypeObject,
  OpenApiDocument,
  OpenApiVersion,
  OperationObject,
  ParameterObject,
  PathItemObject,
  SchemaObject,
} from './documentTypes.ts'
import { createSchemaTranslator } from './schemaObjects30.ts'

/** A document with all that its description says, written as in 3.1, whether or not 3.1 has a place for it. */
export type FullDocument = Omit<OpenApiDocument, 'openapi'>

const omit = <Value extends object>(value: Value, ...names: readonly string[]): Value =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) as Value

/** Without what only OpenAPI 3.2 has: members of servers, tags and security schemes. */
function omitNewMembers(document: FullDocument): FullDocument {
  const { servers, tags, components } = document
  const olderScheme = ({ flows, ...scheme }: Record<string, unknown>): Record<string, unknown> => ({
    ...omit(scheme, 'deprecated', 'oauth2MetadataUrl'),
    ...(flows !== undefined && { flows: omit(Object(flows) as object, 'deviceAuthorization') }),
  })
  return {
    ...document,
    servers: servers?.map((server) => omit(server, 'name')),
    tags: tags?.map((tag) => omit(tag, 'summary', 'parent', 'kind')),
    components: {
      ...components,
      securitySchemes: Object.fromEntries(Object.entries(components.securitySchemes).map(([name, one]) => [name, olderScheme(one)])),
    },
  }
}

// OpenAPI 3.2

/** A body of 3.2: a stream has the schema of one value, and its examples are texts. */
function toMediaType32({ 'x-itemSchema': itemSchema, schema, ...rest }: MediaTypeObject): MediaTypeObject<'3.2'> {
  if (itemSchema === undefined) return { schema, ...rest }
  const { example, examples = example === undefined ? undefined : { example: { value: example } }, ...others } = rest
  const toSerialized = ({ value, ...one }: { readonly value?: unknown }): object => ({ ...one, serializedValue: value })
  return {
    itemSchema,
    ...others,
    ...(examples && { examples: Object.fromEntries(Object.entries(examples).map(([name, one]) => [name, toSerialized(one)])) }),
  }
}

const toDocument32 = (document: FullDocument): OpenApiDocument<'3.2'> => ({
  openapi: '3.2.0',
  ...document,
  ...changeParts<'3.2'>(document, {
    schema: (schema) => schema,
    mediaType: toMediaType32,
    pathItem: (usual, { QUERY: query, ...others } = {}) => ({
      ...usual,
      ...(query && { query }),
      ...(Object.keys(others).length > 0 && { additionalOperations: others }),
    }),
  }),
})

// OpenAPI 3.0

/** Media types whose values a schema describes. Any other body without a schema is bytes. */
const valueTypePattern = /[/+]json$|^text\/|^multipart\/|^application\/x-www-form-urlencoded$/
const binarySchema: SchemaObject = { type: 'string', format: 'binary' }

/** The types of security schemes that have scopes in 3.0. */
const scopedTypes: readonly unknown[] = ['oauth2', 'openIdConnect']

/** Changes what an operation says besides its schemas. @param schemes the security schemes of the document */
function createOperationTranslator(
  schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): (operation: OperationObject<'3.0'>) => OperationObject<'3.0'> {
  const typeOf = (name: string): unknown => schemes[name]?.['type']
  // 3.0 has no `mutualTLS`, and scopes for some schemes only.
  const translateRequirement = (requirement: Readonly<Record<string, string[]>>): Record<string, string[]> =>
    Object.fromEntries(
      Object.entries(requirement)
        .filter(([name]) => typeOf(name) !== 'mutualTLS')
        .map(([name, scopes]) => [name, scopedTypes.includes(typeOf(name)) ? scopes : []]),
    )
  // A page that sends requests fills in an `example`, which an optional parameter should not have.
  const translateParameter = (parameter: ParameterObject): ParameterObject =>
    parameter.required ? parameter : { ...parameter, schema: omit(parameter.schema, 'example') }
  return (operation) => ({
    ...operation,
    ...(operation.parameters && { parameters: operation.parameters.map(translateParameter) }),
    ...(operation.security && { security: operation.security.map(translateRequirement) }),
  })
}

function toDocument30(document: FullDocument): OpenApiDocument<'3.0'> {
  const { webhooks: _, ...rest } = document
  const { schemas, securitySchemes } = document.components
  const schema = createSchemaTranslator(schemas)
  const translateOperation = createOperationTranslator(securitySchemes)
  const mapOperations = (operations: Readonly<Record<string, OperationObject<'3.0'>>>): Record<string, OperationObject<'3.0'>> =>
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, translateOperation(operation)]))
  const { paths, webhooks, components } = changeParts<'3.0'>(document, {
    schema,
    mediaType: (object, type) => {
      const { schema: whole, 'x-itemSchema': item, ...rest } = object
      const isBytes = Object.keys(whole).length === 0 && !valueTypePattern.test(type.split(';')[0] ?? '')
      return { schema: isBytes ? binarySchema : schema(whole), ...rest, ...(item && { 'x-itemSchema': schema(item) }) }
    },
    pathItem: (usual, others): PathItemObject<'3.0'> => ({
      ...mapOperations(usual),
      ...(others && { 'x-additionalOperations': mapOperations(others) }),
    }),
  })
  return {
    openapi: '3.0.4',
    ...rest,
    paths,
    'x-webhooks': webhooks,
    components: {
      ...components,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([, { type }]) => type !== 'mutualTLS')),
    },
  }
}

// All versions

const versions: { readonly [Version in OpenApiVersion]: (document: FullDocument) => OpenApiDocument<Version> } = {
  '3.0': (document) => toDocument30(omitNewMembers(document)),
  '3.1': (document) => ({ openapi: '3.1.1', ...omitNewMembers(document) }),
  '3.2': toDocument32,
}

/** @throws TypeError for a version that there is not. */
export function checkVersion(version: OpenApiVersion): void {
  // Plain JavaScript can pass any value.
  if (!Object.hasOwn(versions, version))
    throw new TypeError(developerErrors.unknownOpenApiVersion(version, `'${Object.keys(versions).join("', '")}'`))
}

export const toVersion = <Version extends OpenApiVersion>(document: FullDocument, version: Version): OpenApiDocument<Version> =>
  versions[version](document)
