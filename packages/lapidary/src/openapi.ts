/** `lapidary/openapi`: the OpenAPI document of an API. */
export type {
  ComponentsObject,
  ContentObject,
  ExampleObject,
  HeaderObject,
  InfoObject,
  MediaTypeObject,
  MountObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
  SecurityRequirementObject,
  ServerObject,
  TagObject,
} from './openapi/document.ts'
export { type OpenApiOptions, openapi } from './openapi/openapi.ts'
