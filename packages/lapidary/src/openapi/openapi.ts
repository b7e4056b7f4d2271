/** `openapi(api, { title, version })`: the OpenAPI document of an API. */
import { type Api, isMount, listWebhooks, type NamedOperation, operations } from '../contract/api.ts'
import { hasConventions, setConventions } from '../contract/conventions.ts'
import { describeEndpoint } from '../contract/download.ts'
import { checkFunctions } from '../http/functions.ts'
import { getReasonPhrase } from '../http/status.ts'
import { getJsonSchema, type Schema } from '../json-schema/standardSchema.ts'
import { createNamedComponents, toPascalCase } from './componentNames.ts'
import type {
  OpenApiDocument,
  OpenApiVersion,
  OperationObject,
  PathItemObject,
  ReferenceObject,
  ResponseObject,
  ServerObject,
  TagObject,
} from './documentTypes.ts'
import { checkVersion, type FullDocument, toVersion } from './documentVersions.ts'
import { createOperationObjects, listEndpointSchemas, type SecuritySchemes } from './operationObjects.ts'
import { problemSchema, quotaProblemSchema } from './responseObjects.ts'
import { createSchemaObjects } from './schemaObjects.ts'
import { createWebhookObjects, listWebhookSchemas } from './webhookObjects.ts'

// Errors that several operations share

type ResponsesObject = OperationObject['responses']

/** The errors that several operations of a document share. */
interface SharedErrors {
  /** The same responses, with references to shared ones. */
  readonly withReferences: (responses: ResponsesObject) => ResponsesObject
  /** The shared responses, by their reason phrases: `NotAcceptable`. */
  readonly responses: Record<string, ResponseObject>
}

const toResponseKey = (status: string, response: ResponseObject | ReferenceObject): string => JSON.stringify([status, response])

/** Finds the shared errors. A success always belongs to its own operation. */
function findSharedErrorResponses(operations: readonly Pick<OperationObject, 'responses'>[]): SharedErrors {
  const counts = new Map<string, number>()
  for (const { responses } of operations) {
    for (const one of Object.entries(responses)) counts.set(toResponseKey(...one), (counts.get(toResponseKey(...one)) ?? 0) + 1)
  }
  const { nameOf, components } = createNamedComponents<ResponseObject>()
  const toReference = (status: string, response: ResponseObject | ReferenceObject): ResponseObject | ReferenceObject => {
    const isShared = Number(status) >= 400 && (counts.get(toResponseKey(status, response)) ?? 0) > 1
    if (!isShared || '$ref' in response) return response
    return { $ref: `#/components/responses/${nameOf(toPascalCase(getReasonPhrase(Number(status))), response)}` }
  }
  return {
    withReferences: (responses) =>
      Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, toReference(status, response)])),
    responses: components,
  }
}

// Tags

/** Returns the tags of an endpoint: names, or tags with descriptions. */
type GetTags = (operation: NamedOperation) => readonly (string | Readonly<TagObject>)[]

/** The first key of an endpoint that has several keys. */
const getFirstKey: GetTags = ({ path: [key, ...others] }) => (key === undefined || others.length === 0 ? [] : [key])

/** The tags of a document, in the order of their first use. */
interface TagRegistry {
  /** Returns the names of the tags of an endpoint, and adds the tags to the document. */
  readonly getNames: (operation: NamedOperation) => string[]
  /** Adds tags to the document, and returns their names. */
  readonly add: (tags: readonly (string | Readonly<TagObject>)[]) => string[]
  readonly all: () => TagObject[]
}

function createTagRegistry(getTags: GetTags): TagRegistry {
  const used = new Map<string, TagObject>()
  const add: TagRegistry['add'] = (tags) =>
    tags.map((tag) => {
      const { name, ...more } = typeof tag === 'string' ? { name: tag } : tag
      used.set(name, { name, ...used.get(name), ...more })
      return name
    })
  return {
    add,
    getNames: (named) => {
      const { operation } = named
      const own = isMount(operation) ? undefined : operation.tags
      return add(own ?? getTags(named))
    },
    all: () => [...used.values()],
  }
}

// The document

/** Options of `openapi`. */
export interface OpenApiOptions<Version extends OpenApiVersion = '3.1'> {
  /** The title of the API. */
  readonly title: string
  /** The version of the API, not of OpenAPI. */
  readonly version: string
  /**
   * The version of the OpenAPI Specification: `'3.2'` describes streams and all methods, `'3.0'` is for programs that read nothing newer. It
   * cannot say all that schemas say, and then allows more than the server does.
   *
   * @default '3.1'
   */
  readonly openapi?: Version
  /**
   * A description of the API.
   *
   * @default none
   */
  readonly description?: string
  /**
   * The servers of the API. A `name` is in documents of 3.2.
   *
   * @default the server of the document
   */
  readonly servers?: readonly Readonly<ServerObject>[]
  /**
   * Names of components: `{ User, Position }`. An equal schema anywhere in the document becomes a reference to the component. Plain numbers
   * and texts are too similar for that: for them, only the same schema object becomes a reference.
   *
   * @default the names that schemas have themselves
   */
  readonly schemas?: Readonly<Record<string, Schema>>
  /**
   * Returns the tags of an endpoint that has no `tags` itself: `({ path: [key = ''] }) => [{ name: key, description: about[key] }]`.
   * Documents of 3.2 also have the `summary`, the `parent` and the `kind` of a tag.
   *
   * @default the first key of an endpoint that has several keys: `users` for `users.list`
   */
  readonly tags?: GetTags
  /**
   * Whether the document has what every server of the toolkit does: problem details for errors, the statuses 400, 406, 413, 415 and 500,
   * `Vary`, signed webhooks.
   *
   * @default true, and false for what `fromOpenApi` has made of a document of another program
   */
  readonly conventions?: boolean
}

/** The methods of endpoints that have a member of their own in OpenAPI 3.0 and 3.1. */
const pathItemMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Describes an API in OpenAPI 3.0, 3.1 or 3.2. The document is plain data in the order of declaration, and contains every response of the server:
 * replies, declared errors and errors of the toolkit. Where the server has another format for problems, change the component `Problem`.
 *
 * @throws TypeError, with the cure, for two endpoints with one route, for an example that its schema does not allow, and for a version of
 * OpenAPI that there is not.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { openapi } from 'lapidary/openapi'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * console.log(JSON.stringify(await openapi(api, { title: 'Greetings', version: '1.0.0' })))
 * ```
 */
export async function openapi<Version extends OpenApiVersion = '3.1'>(
  api: Api,
  options: OpenApiOptions<Version>,
): Promise<OpenApiDocument<Version>> {
  const { title, version, description, servers, openapi: specification = '3.1' as Version } = options
  checkVersion(specification)
  checkFunctions('openapi()', { tags: options.tags })
  const all = operations(api)
  const endpoints = all.flatMap((place) => {
    if (isMount(place.operation)) return []
    const { conventions = hasConventions(place.operation) } = options
    return [{ place, endpoint: setConventions(describeEndpoint(place.operation), conventions) }]
  })
  const mounts = all.flatMap(({ operation }) => (isMount(operation) ? [operation] : []))
  const webhooks = listWebhooks(api).map((named) => {
    const { conventions = hasConventions(named.webhook) } = options
    return { ...named, webhook: setConventions(named.webhook, conventions) }
  })

  const named = Object.entries(options.schemas ?? {}).map(([name, schema]) => [name, getJsonSchema(schema)] as const)
  const withProblems = endpoints.filter(({ endpoint }) => hasConventions(endpoint))
  const problems = [
    // A document of no endpoint says as well that the toolkit has written it.
    ...(withProblems.length > 0 || endpoints.length === 0 ? [['Problem', problemSchema] as const] : []),
    ...(withProblems.some(({ endpoint }) => endpoint.rateLimit.length > 0) ? [['QuotaProblem', quotaProblemSchema] as const] : []),
  ]
  const schemas = createSchemaObjects(
    [...named, ...problems],
    [...endpoints.map(({ endpoint }) => listEndpointSchemas(endpoint)), ...webhooks.map(listWebhookSchemas)],
  )
  const securitySchemes: SecuritySchemes = createNamedComponents()
  const tags = createTagRegistry(options.tags ?? getFirstKey)
  const placed = await createOperationObjects(endpoints, { schemas, securitySchemes, getTags: tags.getNames })

  const { withReferences, responses } = findSharedErrorResponses(placed.map(({ operation }) => operation))
  const paths: Record<string, PathItemObject> = {}
  for (const { path, method, operation } of placed) {
    const object = { ...operation, responses: withReferences(operation.responses) }
    const others = paths[path]?.['x-additionalOperations']
    paths[path] = {
      ...paths[path],
      ...(pathItemMethods.has(method) ? { [method.toLowerCase()]: object } : { 'x-additionalOperations': { ...others, [method]: object } }),
    }
  }

  const operationIds = placed.map(({ operation }) => operation.operationId)
  const webhookObjects = await createWebhookObjects(webhooks, { schemas, securitySchemes, operationIds, addTags: tags.add })
  const tagObjects = tags.all()
  const document: FullDocument = {
    info: { title, version, description },
    servers: servers && [...servers],
    tags: tagObjects.length > 0 ? tagObjects : undefined,
    security: [],
    paths,
    webhooks: webhooks.length > 0 ? webhookObjects : undefined,
    components: { schemas: schemas.components(), responses, securitySchemes: securitySchemes.components },
    'x-mounts': mounts.length > 0 ? mounts.map(({ prefix, description }) => ({ prefix, description })) : undefined,
  }
  // JSON drops undefined members, and copies objects that are shared, so that the caller can change the document.
  return JSON.parse(JSON.stringify(toVersion(document, specification))) as OpenApiDocument<Version>
}
