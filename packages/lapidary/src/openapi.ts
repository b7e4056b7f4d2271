/** `lapidary/openapi`: the OpenAPI document of an API. */
export type {
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ResponseObject,
  SchemaObject,
} from './openapi/document.ts'
export { type OpenApiOptions, openapi } from './openapi/openapi.ts'
