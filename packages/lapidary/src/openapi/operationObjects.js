/** One endpoint as an operation. */
import { getJsonSchema } from '../json-schema/standardSchema.js'
import * as complaint from '../messages/developerErrors.js'
import { createContentObject } from './contentObjects.js'
import { findFreeName, toCamelCase, toComponentName } from './identifiers.js'
import { createParameterObjects } from './parameterObjects.js'
import { createResponseObjects } from './responseObjects.js'
/** Every JSON Schema of an endpoint. */
export function listEndpointSchemas({ params, query, headers, body, response, errors }) {
  const replies = [response, ...errors]
  const parameters = [params, query, headers, ...replies.map((reply) => reply.headers)].flatMap((record) => Object.values(record))
  const bodies = [body, ...replies.map(({ content }) => content)].flatMap((content) => content?.schema ?? [])
  return [...parameters.map(({ jsonSchema }) => jsonSchema), ...bodies.map(getJsonSchema)]
}
/** The operation of an endpoint. @throws TypeError for an example that does not fit. */
export async function createOperationObject(endpoint, { operationId, tags, captures, schemas, securitySchemes }) {
  const { route, summary, description, auth, body, examples } = endpoint
  const parameters = createParameterObjects(endpoint, captures, schemas)
  const requestBody = body && { required: true, content: await createContentObject(body, examples.body, `${route}, request`, schemas) }
  return {
    tags: tags.length > 0 ? tags : undefined,
    summary,
    description,
    operationId,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody,
    responses: await createResponseObjects(endpoint, schemas),
    security: auth && [{ [securitySchemes.nameOf(toComponentName(auth.name, 'scheme'), auth.openapi)]: [] }],
  }
}
const formatTemplate = (segments, captured) =>
  `/${segments.map((segment) => ('capture' in segment ? `{${captured(segment.capture)}}` : encodeURI(segment.literal))).join('/')}`
/** Makes templates. Of two paths that differ only in the names of their captures, the first gives the names. */
export function createPathTemplates() {
  const known = new Map()
  return (segments) => {
    const shape = formatTemplate(segments, () => '')
    const template = known.get(shape) ?? {
      path: formatTemplate(segments, (name) => name),
      captures: segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : [])),
    }
    known.set(shape, template)
    return template
  }
}
/** The operations, in the order of their endpoints. @throws TypeError for two endpoints with one route, and for an example that does not fit. */
export async function createOperationObjects(leaves, { schemas, securitySchemes, getTags: tagsOf }) {
  const templateOf = createPathTemplates()
  const ids = new Set()
  const names = new Map()
  const placed = []
  for (const { place, endpoint } of leaves) {
    const { path, captures } = templateOf(endpoint.segments)
    const key = `${endpoint.method} ${path}`
    const other = names.get(key)
    if (other !== undefined) throw new TypeError(complaint.duplicateRoute(other, place.name, endpoint.route))
    names.set(key, place.name)
    const operationId = findFreeName(toCamelCase(place.name) || 'operation', (id) => ids.has(id))
    ids.add(operationId)
    const operation = await createOperationObject(endpoint, { operationId, tags: tagsOf(place), captures, schemas, securitySchemes })
    placed.push({ operation, path, method: endpoint.method.toLowerCase() })
  }
  return placed
}
