/** Changes all Schema Objects and Media Type Objects of a document, wherever they stand. */
import type {
  ContentObject,
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OpenApiVersion,
  OperationObject,
  PathItemObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from './documentTypes.ts'

type OperationsByMethod<Version extends OpenApiVersion> = Readonly<Record<string, OperationObject<Version>>>

/** How the parts of a document change on the way to another version. */
export interface PartChanges<Version extends OpenApiVersion> {
  readonly schema: (schema: SchemaObject) => SchemaObject
  /** @param type the media type that it describes */
  readonly mediaType: (object: MediaTypeObject, type: string) => MediaTypeObject<Version>
  /** @param usual by methods in lower case @param others of methods that 3.1 does not know, in upper case */
  readonly pathItem: (usual: OperationsByMethod<Version>, others: OperationsByMethod<Version> | undefined) => PathItemObject<Version>
}

/** The parts of a document that have Schema Objects. */
interface ChangedParts<Version extends OpenApiVersion> {
  readonly paths: Record<string, PathItemObject<Version>>
  readonly webhooks: Record<string, PathItemObject<Version>> | undefined
  readonly components: OpenApiDocument<Version>['components']
}

const mapValues = <Value, Changed>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Changed,
): Record<string, Changed> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

/** The parts of a document, changed. The document itself stays as it is. */
export function changeParts<Version extends OpenApiVersion>(
  { paths, webhooks, components }: Pick<OpenApiDocument, 'paths' | 'webhooks' | 'components'>,
  { schema, mediaType, pathItem }: PartChanges<Version>,
): ChangedParts<Version> {
  const changeSchema = <Part extends { readonly schema: SchemaObject }>(part: Part): Part => ({ ...part, schema: schema(part.schema) })
  const changeContent = (content: ContentObject): ContentObject<Version> => mapValues(content, mediaType)
  function changeResponse(response: ResponseObject): ResponseObject<Version>
  function changeResponse(response: ResponseObject | ReferenceObject): ResponseObject<Version> | ReferenceObject
  function changeResponse(response: ResponseObject | ReferenceObject): ResponseObject<Version> | ReferenceObject {
    if ('$ref' in response) return response
    const { headers, content } = response
    return {
      ...(response as ResponseObject<Version>),
      ...(headers && { headers: mapValues<HeaderObject, HeaderObject>(headers, changeSchema) }),
      ...(content && { content: changeContent(content) }),
    }
  }
  function changeOperation(operation: OperationObject): OperationObject<Version> {
    const { parameters, requestBody, responses } = operation
    return {
      // The members keep their order.
      ...(operation as OperationObject<Version>),
      ...(parameters && { parameters: parameters.map(changeSchema) }),
      ...(requestBody && { requestBody: { ...requestBody, content: changeContent(requestBody.content) } }),
      responses: mapValues(responses, changeResponse),
    }
  }
  const changePathItem = ({ 'x-additionalOperations': others, ...usual }: PathItemObject): PathItemObject<Version> =>
    pathItem(mapValues(usual, changeOperation), others && mapValues(others, changeOperation))
  return {
    paths: mapValues(paths, changePathItem),
    webhooks: webhooks && mapValues(webhooks, changePathItem),
    components: {
      ...components,
      schemas: mapValues(components.schemas, schema),
      responses: mapValues(components.responses, (response) => changeResponse(response)),
    },
  }
}
