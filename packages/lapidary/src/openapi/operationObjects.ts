/** One endpoint as an operation. */

import type { NamedOperation } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { Segment } from '../http/route.ts'
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { createContentObject } from './contentObjects.ts'
import type { OperationObject } from './document.ts'
import { findFreeName, type NamedComponents, toCamelCase, toComponentName } from './identifiers.ts'
import { createParameterObjects } from './parameterObjects.ts'
import { createResponseObjects } from './responseObjects.ts'
import type { SchemaObjects } from './schemaObjects.ts'

/** Every JSON Schema of an endpoint. */
export function listEndpointSchemas({ params, query, headers, body, response, errors }: AnyEndpoint): readonly JsonSchema[] {
  const replies = [response, ...errors]
  const parameters = [params, query, headers, ...replies.map((reply) => reply.headers)].flatMap((record) => Object.values(record))
  const bodies = [body, ...replies.map(({ content }) => content)].flatMap((content) => content?.schema ?? [])
  return [...parameters.map(({ jsonSchema }) => jsonSchema), ...bodies.map(getJsonSchema)]
}

/** The security schemes of a document. */
export type SecuritySchemes = NamedComponents<Readonly<Record<string, unknown>>>

/** What only the document as a whole can tell of an operation. */
export interface OperationContext {
  readonly operationId: string
  readonly tags: string[]
  /** What the captures are called in its path. */
  readonly captures: readonly string[]
  readonly schemas: SchemaObjects
  readonly securitySchemes: SecuritySchemes
}

/** The operation of an endpoint. @throws TypeError for an example that does not fit. */
export async function createOperationObject(
  endpoint: AnyEndpoint,
  { operationId, tags, captures, schemas, securitySchemes }: OperationContext,
): Promise<OperationObject> {
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

// The paths of a document: `/users/{id}`, one for all that the router takes for the same, whatever their captures are called.

/** A path as OpenAPI writes it. */
export interface PathTemplate {
  readonly path: string
  /** What its captures are called there, in their order. */
  readonly captures: readonly string[]
}

const formatTemplate = (segments: readonly Segment[], captured: (name: string) => string): string =>
  `/${segments.map((segment) => ('capture' in segment ? `{${captured(segment.capture)}}` : encodeURI(segment.literal))).join('/')}`

/** Makes templates. Of two paths that differ only in the names of their captures, the first gives the names. */
export function createPathTemplates(): (segments: readonly Segment[]) => PathTemplate {
  const known = new Map<string, PathTemplate>()
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

// The endpoints of an API as operations, each at its path and with an id of its own.

/** An endpoint, and where it stands in its API. */
export interface NamedEndpoint {
  readonly place: NamedOperation
  readonly endpoint: AnyEndpoint
}

/** An operation at its place in a document. */
export interface PlacedOperation {
  readonly operation: OperationObject
  readonly path: string
  /** In lower case. */
  readonly method: string
}

/** What all operations have to do with. */
export interface DocumentContext extends Pick<OperationContext, 'schemas' | 'securitySchemes'> {
  readonly getTags: (place: NamedOperation) => string[]
}

/** The operations, in the order of their endpoints. @throws TypeError for two endpoints with one route, and for an example that does not fit. */
export async function createOperationObjects(
  leaves: readonly NamedEndpoint[],
  { schemas, securitySchemes, getTags: tagsOf }: DocumentContext,
): Promise<readonly PlacedOperation[]> {
  const templateOf = createPathTemplates()
  const ids = new Set<string>()
  const names = new Map<string, string>()
  const placed: PlacedOperation[] = []
  for (const { place, endpoint } of leaves) {
    const { path, captures } = templateOf(endpoint.segments)
    const key = `${endpoint.method} ${path}`
    const other = names.get(key)
    if (other !== undefined) throw new TypeError(developerErrors.duplicateRoute(other, place.name, endpoint.route))
    names.set(key, place.name)
    const operationId = findFreeName(toCamelCase(place.name) || 'operation', (id) => ids.has(id))
    ids.add(operationId)
    const operation = await createOperationObject(endpoint, { operationId, tags: tagsOf(place), captures, schemas, securitySchemes })
    placed.push({ operation, path, method: endpoint.method.toLowerCase() })
  }
  return placed
}
