/** `openapi(api, { title, version })`: the OpenAPI document of an API. */
import { operations } from '../contract/api.js'
import { getReasonPhrase } from '../http/status.js'
import { getJsonSchema } from '../json-schema/standardSchema.js'
import { createNamedComponents, toPascalCase } from './identifiers.js'
import { createOperationObjects, listEndpointSchemas } from './operationObjects.js'
import { problemSchema } from './problemSchema.js'
import { createSchemaObjects } from './schemaObjects.js'

const toResponseKey = (status, response) => JSON.stringify([status, response])
/** Looks for what the operations have in common. A success is always that of its own operation. */
export function findSharedErrorResponses(operations) {
  const counts = new Map()
  for (const { responses } of operations) {
    for (const one of Object.entries(responses)) counts.set(toResponseKey(...one), (counts.get(toResponseKey(...one)) ?? 0) + 1)
  }
  const { nameOf, components: things } = createNamedComponents()
  const said = (status, response) => {
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
/** The first of the keys that lead to an endpoint, if there are several. */
export const getFirstKey = ({ path: [key, ...others] }) => (key === undefined || others.length === 0 ? [] : [key])
export function createTagRegistry(tagging) {
  const used = new Map()
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
/**
 * The OpenAPI 3.1 document of an API: plain data, in the order of declaration, the same each time.
 *
 * What it says of answers is what the server does: each reply and each declared error, and every refusal of the toolkit itself. Problems have
 * the toolkit's own format; whoever serves them in another one changes the component `Problem`.
 *
 * @throws TypeError, one sentence with its cure: two endpoints with one route, an example that does not fit its description.
 */
export async function openapi(api, options) {
  const { title, version, description, servers } = options
  const leaves = operations(api)
  const endpoints = leaves.flatMap((place) => (place.operation['~kind'] === 'endpoint' ? [{ place, endpoint: place.operation }] : []))
  const mounts = leaves.flatMap(({ operation }) => (operation['~kind'] === 'mount' ? [operation] : []))
  const given = Object.entries(options.schemas ?? {}).map(([name, schema]) => [name, getJsonSchema(schema)])
  const schemas = createSchemaObjects(
    [...given, ['Problem', problemSchema]],
    endpoints.flatMap(({ endpoint }) => listEndpointSchemas(endpoint)),
  )
  const securitySchemes = createNamedComponents()
  const tagged = createTagRegistry(options.tags ?? getFirstKey)
  const placed = await createOperationObjects(endpoints, { schemas, securitySchemes, getTags: tagged.of })
  const { withReferences: referring, responses } = findSharedErrorResponses(placed.map(({ operation }) => operation))
  const paths = {}
  for (const { path, method, operation } of placed) {
    paths[path] = { ...paths[path], [method]: { ...operation, responses: referring(operation.responses) } }
  }
  const tagObjects = tagged.all()
  const document = {
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
  return JSON.parse(JSON.stringify(document))
}
