/**
 * The types of an OpenAPI 3.1.1 document (https://spec.openapis.org/oas/v3.1.1), with the names of the specification and the members that
 * `openapi` writes.
 */

/** An OpenAPI document. Plain data in JSON types, which the caller can change. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: InfoObject
  servers?: ServerObject[] | undefined
  tags?: TagObject[] | undefined
  /** The default security of operations. */
  security: SecurityRequirementObject[]
  paths: Record<string, PathItemObject>
  components: ComponentsObject
  /** Mounts, which OpenAPI cannot describe: all paths below a prefix, by any method. */
  'x-mounts'?: MountObject[] | undefined
  [extension: `x-${string}`]: unknown
}

/** The metadata of an API. */
interface InfoObject {
  title: string
  version: string
  summary?: string | undefined
  description?: string | undefined
  termsOfService?: string | undefined
  contact?: { name?: string; url?: string; email?: string } | undefined
  license?: { name: string; identifier?: string; url?: string } | undefined
}

/** A server of an API. */
export interface ServerObject {
  /** Absolute, or relative to the document. */
  url: string
  description?: string | undefined
}

/** A tag, which groups operations. */
export interface TagObject {
  name: string
  description?: string | undefined
  externalDocs?: { url: string; description?: string } | undefined
}

/** The names of security schemes, all of which a request needs. */
type SecurityRequirementObject = Record<string, string[]>

/** The operations of a path, by their methods in lower case. */
export type PathItemObject = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', OperationObject>> & {
  /** Operations of methods that OpenAPI 3.1 does not know, as `additionalOperations` of 3.2 has them: `{ QUERY: … }`. */
  'x-additionalOperations'?: Record<string, OperationObject>
}

/** An endpoint. */
export interface OperationObject {
  tags?: string[] | undefined
  summary?: string | undefined
  description?: string | undefined
  operationId: string
  parameters?: ParameterObject[] | undefined
  requestBody?: RequestBodyObject | undefined
  /** By status. */
  responses: Record<string, ResponseObject | ReferenceObject>
  security?: SecurityRequirementObject[] | undefined
  deprecated?: boolean | undefined
}

/** A capture, a query parameter or a request header. */
export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  description?: string | undefined
  required?: boolean | undefined
  style?: 'form' | 'simple' | 'deepObject' | undefined
  explode?: boolean | undefined
  allowEmptyValue?: boolean | undefined
  schema: SchemaObject
  example?: unknown
}

/** A request body. */
interface RequestBodyObject {
  description?: string | undefined
  required?: boolean | undefined
  content: ContentObject
}

/** A body, by media type. */
export type ContentObject = Record<string, MediaTypeObject>

/** A body in one media type. */
export interface MediaTypeObject {
  schema: SchemaObject
  example?: unknown
  /** Several, by name. */
  examples?: Record<string, ExampleObject> | undefined
  /** How the members of a form are written, by their names. */
  encoding?: Record<string, EncodingObject> | undefined
  /** The schema of one value of a stream; the whole body is a string. OpenAPI 3.2 calls it `itemSchema`, 3.1 has no such member. */
  'x-itemSchema'?: SchemaObject | undefined
}

/** How a member of a form is written. */
export interface EncodingObject {
  /** The media types of a file, separated by commas. */
  contentType?: string | undefined
  /** Of a list. */
  style?: 'form' | undefined
  explode?: boolean | undefined
}

/** One of several examples. */
interface ExampleObject {
  summary?: string | undefined
  value: unknown
}

/** A response. */
export interface ResponseObject {
  description: string
  headers?: Record<string, HeaderObject> | undefined
  content?: ContentObject | undefined
}

/** A response header. */
export interface HeaderObject {
  description?: string | undefined
  required?: boolean | undefined
  style?: 'simple' | undefined
  schema: SchemaObject
  example?: unknown
  /** Several, by name: the fields of `Set-Cookie`, by the names of their cookies. */
  examples?: Record<string, ExampleObject> | undefined
}

/** Objects that operations share. A reference names them: `#/components/schemas/User`. */
interface ComponentsObject {
  schemas: Record<string, SchemaObject>
  responses: Record<string, ResponseObject>
  securitySchemes: Record<string, Record<string, unknown>>
}

/** A JSON Schema (draft 2020-12). */
export type SchemaObject = Record<string, unknown>

/** A reference to a component. */
export interface ReferenceObject {
  $ref: string
}

/** All paths below a prefix. */
interface MountObject {
  prefix: string
  description?: string | undefined
}
