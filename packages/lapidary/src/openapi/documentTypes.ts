/**
 * The types of an OpenAPI document (https://spec.openapis.org/oas/), with the names of the specification and the members that `openapi`
 * writes. Where the versions differ, `Version` tells which members there are.
 */

/** A version of the OpenAPI Specification. */
export type OpenApiVersion = '3.0' | '3.1' | '3.2'

/** The release of each version, as documents name it. */
interface OpenApiReleases {
  '3.0': '3.0.4'
  '3.1': '3.1.1'
  '3.2': '3.2.0'
}

/** An OpenAPI document. Plain data in JSON types, which the caller can change. */
export interface OpenApiDocument<Version extends OpenApiVersion = '3.1'> {
  openapi: OpenApiReleases[Version]
  info: InfoObject
  servers?: ServerObject[] | undefined
  tags?: TagObject[] | undefined
  /** The default security of operations. */
  security: SecurityRequirementObject[]
  paths: Record<string, PathItemObject<Version>>
  /** The webhooks that the server sends, by name. OpenAPI 3.0 has no such member. */
  webhooks?: (Version extends '3.0' ? never : Record<string, PathItemObject<Version>>) | undefined
  /** The webhooks in a document of OpenAPI 3.0. */
  'x-webhooks'?: (Version extends '3.0' ? Record<string, PathItemObject<Version>> : never) | undefined
  components: ComponentsObject<Version>
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
  /** OpenAPI 3.0 has no `identifier`. */
  license?: { name: string; identifier?: string; url?: string } | undefined
}

/** A server of an API. */
export interface ServerObject {
  /** Absolute, or relative to the document. */
  url: string
  /** OpenAPI 3.2 only. */
  name?: string | undefined
  description?: string | undefined
}

/** A tag, which groups operations. */
export interface TagObject {
  name: string
  /** A short title. OpenAPI 3.2 only. */
  summary?: string | undefined
  description?: string | undefined
  /** The name of the tag that contains this one. OpenAPI 3.2 only. */
  parent?: string | undefined
  /** What the tag is for, such as `nav` or `audience`. OpenAPI 3.2 only. */
  kind?: string | undefined
  externalDocs?: { url: string; description?: string } | undefined
}

/** The names of security schemes, all of which a request needs. */
type SecurityRequirementObject = Record<string, string[]>

/** The operations of a path, by their methods in lower case. */
export type PathItemObject<Version extends OpenApiVersion = '3.1'> = Partial<
  Record<'get' | 'post' | 'put' | 'patch' | 'delete', OperationObject<Version>>
> &
  (Version extends '3.2'
    ? {
        query?: OperationObject<Version>
        /** Operations of other methods: `{ PURGE: … }`. */
        additionalOperations?: Record<string, OperationObject<Version>>
      }
    : {
        /** Operations of methods that OpenAPI 3.1 does not know, as `additionalOperations` of 3.2 has them: `{ QUERY: … }`. */
        'x-additionalOperations'?: Record<string, OperationObject<Version>>
      })

/** An endpoint. */
export interface OperationObject<Version extends OpenApiVersion = '3.1'> {
  tags?: string[] | undefined
  summary?: string | undefined
  description?: string | undefined
  operationId: string
  parameters?: ParameterObject[] | undefined
  requestBody?: RequestBodyObject<Version> | undefined
  /** By status. */
  responses: Record<string, ResponseObject<Version> | ReferenceObject>
  security?: SecurityRequirementObject[] | undefined
  deprecated?: boolean | undefined
}

/** A capture, a query parameter or a request header. */
export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  description?: string | undefined
  required?: boolean | undefined
  style?: 'form' | 'simple' | 'deepObject' | 'pipeDelimited' | 'spaceDelimited' | undefined
  explode?: boolean | undefined
  allowEmptyValue?: boolean | undefined
  schema: SchemaObject
  example?: unknown
}

/** A request body. */
interface RequestBodyObject<Version extends OpenApiVersion = '3.1'> {
  description?: string | undefined
  required?: boolean | undefined
  content: ContentObject<Version>
}

/** A body, by media type. */
export type ContentObject<Version extends OpenApiVersion = '3.1'> = Record<string, MediaTypeObject<Version>>

/** A body in one media type. */
export type MediaTypeObject<Version extends OpenApiVersion = '3.1'> = {
  example?: unknown
  /** Several, by name. */
  examples?: Record<string, ExampleObject> | undefined
  /** How the members of a form are written, by their names. */
  encoding?: Record<string, EncodingObject> | undefined
} & (Version extends '3.2'
  ? {
      /** Absent for a stream of values. */
      schema?: SchemaObject
      /** The schema of one value of a stream. */
      itemSchema?: SchemaObject
    }
  : {
      schema: SchemaObject
      /** The schema of one value of a stream; the whole body is a string. OpenAPI 3.2 calls it `itemSchema`, 3.1 has no such member. */
      'x-itemSchema'?: SchemaObject | undefined
    })

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
  value?: unknown
  /** The text of a stream. OpenAPI 3.2 only. */
  serializedValue?: string | undefined
}

/** A response. */
export interface ResponseObject<Version extends OpenApiVersion = '3.1'> {
  description: string
  headers?: Record<string, HeaderObject> | undefined
  content?: ContentObject<Version> | undefined
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
interface ComponentsObject<Version extends OpenApiVersion = '3.1'> {
  schemas: Record<string, SchemaObject>
  responses: Record<string, ResponseObject<Version>>
  securitySchemes: Record<string, Record<string, unknown>>
}

/** A JSON Schema (draft 2020-12). In OpenAPI 3.0, a Schema Object with keywords of its own, such as `nullable`. */
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
