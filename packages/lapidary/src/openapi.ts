/** `lapidary/openapi`: the OpenAPI document of an API. */
export type {
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OpenApiVersion,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ResponseObject,
  SchemaObject,
} from './openapi/documentTypes.ts'
export { type OpenApiOptions, openapi } from './openapi/openapi.ts'
