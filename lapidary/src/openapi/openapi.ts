/** `openapi(api, { title, version })`: the OpenAPI document of an API. */
import { type Api, operations } from '../describe/api.ts'
import { getJsonSchema, type Schema } from '../describe/schema.ts'
import type { OpenApiDocument, PathItemObject, ServerObject } from './document.ts'
import { createNamedComponents } from './names.ts'
import { listEndpointSchemas, type SecuritySchemes } from './operation.ts'
import { createOperationObjects } from './operations.ts'
import { problemSchema } from './problemSchema.ts'
import { createSchemaObjects } from './schemas.ts'
import { findSharedErrorResponses } from './shared.ts'
import { createTagRegistry, type GetTags, getFirstKey } from './tags.ts'

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
