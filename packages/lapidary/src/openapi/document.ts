/** The form of an OpenAPI 3.1.1 document (https://spec.openapis.org/oas/v3.1.1), as far as it is written here; its parts have the names that they have there. */

/** The whole. Plain data, all of it JSON, and yours: change what you like. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: InfoObject
  servers?: ServerObject[] | undefined
  tags?: TagObject[] | undefined
  /** What an operation asks for that says nothing itself. */
  security: SecurityRequirementObject[]
  paths: Record<string, PathItemObject>
  components: ComponentsObject
  /** What OpenAPI has no words for: everything under a prefix, by any method. */
  'x-mounts'?: MountObject[] | undefined
  [extension: `x-${string}`]: unknown
}

/** What is said of the API as a whole. */
export interface InfoObject {
  title: string
  version: string
  summary?: string | undefined
  description?: string | undefined
  termsOfService?: string | undefined
  contact?: { name?: string; url?: string; email?: string } | undefined
  license?: { name: string; identifier?: string; url?: string } | undefined
}

/** One place where the API is. */
export interface ServerObject {
  /** Absolute, or relative to where the document is found. */
  url: string
  description?: string | undefined
}

/** A name that operations are grouped by. */
export interface TagObject {
  name: string
  description?: string | undefined
  externalDocs?: { url: string; description?: string } | undefined
}

/** The names of security schemes; all of them are needed. */
export type SecurityRequirementObject = Record<string, string[]>

/** The operations at one path, by their methods in lower case. */
export type PathItemObject = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', OperationObject>>

/** One endpoint. */
export interface OperationObject {
  tags?: string[] | undefined
  summary?: string | undefined
  description?: string | undefined
  operationId: string
  parameters?: ParameterObject[] | undefined
  requestBody?: RequestBodyObject | undefined
  /** By their statuses. */
  responses: Record<string, ResponseObject | ReferenceObject>
  security?: SecurityRequirementObject[] | undefined
  deprecated?: boolean | undefined
}

/** A capture, a query parameter or a request header. */
export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string | undefined
  required?: boolean | undefined
  style?: 'form' | 'simple' | undefined
  explode?: boolean | undefined
  allowEmptyValue?: boolean | undefined
  schema: SchemaObject
  example?: unknown
}

/** What an operation takes. */
export interface RequestBodyObject {
  description?: string | undefined
  required: boolean
  content: ContentObject
}

/** What stands in a body, by its media types. */
export type ContentObject = Record<string, MediaTypeObject>

/** A body in one of its media. */
export interface MediaTypeObject {
  schema: SchemaObject
  example?: unknown
  /** Of a body that is a series of values: the schema of one. OpenAPI 3.2 calls it `itemSchema`; 3.1 has no word for it. The body as a whole is a string. */
  'x-itemSchema'?: SchemaObject | undefined
}

/** One answer, by whatever status it stands under. */
export interface ResponseObject {
  description: string
  headers?: Record<string, HeaderObject> | undefined
  content?: ContentObject | undefined
}

/** A header of an answer. */
export interface HeaderObject {
  description?: string | undefined
  required?: boolean | undefined
  style?: 'simple' | undefined
  schema: SchemaObject
  example?: unknown
}

/** What operations share. Whoever refers to it does so by its name: `#/components/schemas/User`. */
export interface ComponentsObject {
  schemas: Record<string, SchemaObject>
  responses: Record<string, ResponseObject>
  securitySchemes: Record<string, Record<string, unknown>>
}

/** A JSON Schema (draft 2020-12). */
export type SchemaObject = Record<string, unknown>

/** In place of an object: where among the components it is. */
export interface ReferenceObject {
  $ref: string
}

/** A prefix below which something else answers. */
export interface MountObject {
  prefix: string
  description?: string | undefined
}
