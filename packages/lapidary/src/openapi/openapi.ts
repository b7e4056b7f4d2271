/** `openapi(api, { title, version })`: the OpenAPI document of an API. */

import { type Api, type NamedOperation, operations } from '../contract/api.ts'
import { getReasonPhrase } from '../http/status.ts'
import { getJsonSchema, type Schema } from '../json-schema/standardSchema.ts'
import type {
  OpenApiDocument,
  OperationObject,
  PathItemObject,
  ReferenceObject,
  ResponseObject,
  ServerObject,
  TagObject,
} from './document.ts'
import { createNamedComponents, toPascalCase } from './identifiers.ts'
import { createOperationObjects, listEndpointSchemas, type SecuritySchemes } from './operationObjects.ts'
import { problemSchema } from './problemSchema.ts'
import { createSchemaObjects } from './schemaObjects.ts'

// The errors that several operations answer in the same words, said once.

type ResponsesObject = OperationObject['responses']

/** What the operations of a document have in common. */
export interface SharedErrors {
  /** The same responses, with references in place of those that others have as well. */
  readonly withReferences: (responses: ResponsesObject) => ResponsesObject
  /** By the reason phrases of their statuses: `NotAcceptable`. */
  readonly responses: Record<string, ResponseObject>
}

const toResponseKey = (status: string, response: ResponseObject | ReferenceObject): string => JSON.stringify([status, response])

/** Looks for what the operations have in common. A success is always that of its own operation. */
export function findSharedErrorResponses(operations: readonly Pick<OperationObject, 'responses'>[]): SharedErrors {
  const counts = new Map<string, number>()
  for (const { responses } of operations) {
    for (const one of Object.entries(responses)) counts.set(toResponseKey(...one), (counts.get(toResponseKey(...one)) ?? 0) + 1)
  }
  const { nameOf, components: things } = createNamedComponents<ResponseObject>()
  const said = (status: string, response: ResponseObject | ReferenceObject): ResponseObject | ReferenceObject => {
    const isShared = Number(status) >= 400 && (counts.get(toResponseKey(status, response)) ?? 0) > 1
    if (!isShared || '$ref' in response) return response
    return { $ref: `#/components/responses/${nameOf(toPascalCase(getReasonPhrase(Number(status))), response)}` }
  }
  return {
    withReferences: (responses) =>
      Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, said(status, response)])),
    responses: things,
  }
}

// The tags of a document, and which endpoints have them.

/** The tags of an endpoint, by their names or with a description. */
export type GetTags = (place: NamedOperation) => readonly (string | Readonly<TagObject>)[]

/** The first of the keys that lead to an endpoint, if there are several. */
export const getFirstKey: GetTags = ({ path: [key, ...others] }) => (key === undefined || others.length === 0 ? [] : [key])

/** The tags in use, in the order of their first use. */
export interface TagRegistry {
  /** The names of the tags of an endpoint, which are in use from now on. */
  readonly of: (place: NamedOperation) => string[]
  readonly all: () => TagObject[]
}

export function createTagRegistry(tagging: GetTags): TagRegistry {
  const used = new Map<string, TagObject>()
  return {
    of: (place) =>
      tagging(place).map((tag) => {
        const { name, ...more } = typeof tag === 'string' ? { name: tag } : tag
        used.set(name, { name, ...used.get(name), ...more })
        return name
      }),
    all: () => [...used.values()],
  }
}

/** What a document says besides its operations. */
export interface OpenApiOptions {
  readonly title: string
  /** The version of the API, not that of OpenAPI. */
  readonly version: string
  /** Default: none. */
  readonly description?: string
  /** Where the API is. Default: where the document is found. */
  readonly servers?: readonly Readonly<ServerObject>[]
  /**
   * Names for components: `{ User, Position }`. Every schema that says the same, and every part of one that does, refers to the component.
   * Bare numbers and texts are too much alike for that: of these, only the very schema does. Default: the names that schemas have themselves.
   */
  readonly schemas?: Readonly<Record<string, Schema>>
  /**
   * The tags of an endpoint, by their names or with a description: `({ path: [key = ''] }) => [{ name: key, description: about[key] }]`.
   * Default: the first of the keys that lead to it, if there are several: `users` for `users.list`.
   */
  readonly tags?: GetTags
}

/**
 * The OpenAPI 3.1 document of an API: plain data, in the order of declaration, the same each time.
 *
 * What it says of answers is what the server does: each reply and each declared error, and every refusal of the toolkit itself. Problems have
 * the toolkit's own format; whoever serves them in another one changes the component `Problem`.
 *
 * @throws TypeError, one sentence with its cure: two endpoints with one route, an example that does not fit its description.
 */
export async function openapi(api: Api, options: OpenApiOptions): Promise<OpenApiDocument> {
  const { title, version, description, servers } = options
  const leaves = operations(api)
  const endpoints = leaves.flatMap((place) => (place.operation['~kind'] === 'endpoint' ? [{ place, endpoint: place.operation }] : []))
  const mounts = leaves.flatMap(({ operation }) => (operation['~kind'] === 'mount' ? [operation] : []))

  const given = Object.entries(options.schemas ?? {}).map(([name, schema]) => [name, getJsonSchema(schema)] as const)
  const schemas = createSchemaObjects(
    [...given, ['Problem', problemSchema]],
    endpoints.flatMap(({ endpoint }) => listEndpointSchemas(endpoint)),
  )
  const securitySchemes: SecuritySchemes = createNamedComponents()
  const tagged = createTagRegistry(options.tags ?? getFirstKey)
  const placed = await createOperationObjects(endpoints, { schemas, securitySchemes, getTags: tagged.of })

  const { withReferences: referring, responses } = findSharedErrorResponses(placed.map(({ operation }) => operation))
  const paths: Record<string, PathItemObject> = {}
  for (const { path, method, operation } of placed) {
    paths[path] = { ...paths[path], [method]: { ...operation, responses: referring(operation.responses) } }
  }

  const tagObjects = tagged.all()
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: { title, version, description },
    servers: servers && [...servers],
    tags: tagObjects.length > 0 ? tagObjects : undefined,
    security: [],
    paths,
    components: { schemas: schemas.components(), responses, securitySchemes: securitySchemes.components },
    'x-mounts': mounts.length > 0 ? mounts.map(({ prefix, description }) => ({ prefix, description })) : undefined,
  }
  // Through JSON: what is undefined falls away, and nothing is shared with the description or stands in two places, so that it may be changed.
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument
}
