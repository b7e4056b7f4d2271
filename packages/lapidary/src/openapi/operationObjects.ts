/** The Operation Objects of an API, each with its path and its id. */
import type { NamedOperation } from '../contract/api.ts'
import { hasConventions } from '../contract/conventions.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { BodyDirection } from '../contract/exampleBody.ts'
import { listBodyExamples } from '../contract/exampleValues.ts'
import type { ParameterRecord } from '../contract/parameters/parameter.ts'
import { getPathShape, joinSegments, listCaptures, type Segment } from '../http/route.ts'
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { type DirectedSchemas, findFreeName, type NamedComponents, toCamelCase, toComponentName } from './componentNames.ts'
import { createContentObject, getBodySchemas } from './contentObjects.ts'
import type { OperationObject } from './documentTypes.ts'
import { createParameterObjects } from './parameterObjects.ts'
import { createResponseObjects } from './responseObjects.ts'
import type { SchemaObjects } from './schemaObjects.ts'

/** The JSON Schemas of a body, in each of its media types. */
export const listBodySchemas = (content: AnyEndpoint['body'], direction: BodyDirection): readonly JsonSchema[] =>
  (content?.media ?? []).flatMap((mediaType) => {
    const { whole, item } = getBodySchemas(mediaType, content as NonNullable<AnyEndpoint['body']>, direction)
    return [...(whole ? [whole] : []), ...(item ? [item] : [])]
  })

/** All JSON Schemas of an endpoint. */
export function listEndpointSchemas({ params, query, headers, cookies, body, responses, errors }: AnyEndpoint): DirectedSchemas {
  const replies = [...responses, ...errors]
  const listParameterSchemas = (records: readonly ParameterRecord[]): readonly JsonSchema[] =>
    records.flatMap((record) => Object.values(record)).map(({ jsonSchema }) => jsonSchema)
  return {
    requests: [...listParameterSchemas([params, query, headers, cookies]), ...listBodySchemas(body, 'request')],
    responses: [
      ...listParameterSchemas(replies.map((reply) => reply.headers)),
      ...replies.flatMap(({ content }) => listBodySchemas(content, 'response')),
    ],
  }
}

/** The security schemes of a document. */
export type SecuritySchemes = NamedComponents<Readonly<Record<string, unknown>>>

/** What an operation gets from its document. */
interface OperationContext {
  readonly operationId: string
  readonly tags: string[]
  /** The names of the captures in its path. */
  readonly captures: readonly string[]
  readonly schemas: SchemaObjects
  readonly securitySchemes: SecuritySchemes
}

/** `security` has no word for wrong credentials that are served. */
function describeOperation({ description, invalidCredentials }: AnyEndpoint): string | undefined {
  if (invalidCredentials !== 'ignore') return description
  return [description, documentationTexts.optionalAuthText(true)].filter((text) => text !== undefined).join('\n\n')
}

/** @throws TypeError for an example that its schema does not allow. */
async function createOperationObject(
  endpoint: AnyEndpoint,
  { operationId, tags, captures, schemas, securitySchemes }: OperationContext,
): Promise<OperationObject> {
  const { route, summary, deprecated, auth, body } = endpoint
  const parameters = createParameterObjects(endpoint, captures, schemas)
  const framings = new Set(hasConventions(endpoint) ? (body?.media ?? []).flatMap(({ framing }) => framing ?? []) : [])
  const requestBody = body && {
    description: framings.size > 0 ? [...framings].join('\n\n') : undefined,
    required: body.isOptional ? undefined : true,
    content: await createContentObject(body, listBodyExamples(endpoint), 'request', `${route}, request`, schemas),
  }
  return {
    tags: tags.length > 0 ? tags : undefined,
    summary,
    description: describeOperation(endpoint),
    operationId,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody,
    responses: await createResponseObjects(endpoint, schemas),
    deprecated: deprecated === undefined ? undefined : true,
    security: auth?.map((requirements) =>
      Object.fromEntries(
        requirements.map(({ scheme: { name, openapi }, scopes }) => [
          securitySchemes.nameOf(toComponentName(name, 'scheme'), openapi),
          [...scopes],
        ]),
      ),
    ),
  }
}

// Paths

/** A path in OpenAPI: `/users/{id}`. */
interface PathTemplate {
  readonly path: string
  /** The names of its captures, in order. */
  readonly captures: readonly string[]
}

const formatTemplate = (segments: readonly Segment[], getName: (capture: string) => string): string =>
  joinSegments(segments, (segment) => ('capture' in segment ? `{${getName(segment.capture)}}` : encodeURI(segment.literal)))

/** Makes path templates. Paths that differ only in the names of their captures are one path, with the names of the first. */
function createPathTemplates(): (segments: readonly Segment[]) => PathTemplate {
  const templates = new Map<string, PathTemplate>()
  return (segments) => {
    const shape = formatTemplate(segments, () => '')
    const template = templates.get(shape) ?? {
      path: formatTemplate(segments, (name) => name),
      captures: listCaptures(segments),
    }
    templates.set(shape, template)
    return template
  }
}

// All operations

/** An endpoint and its place in the API. */
interface NamedEndpoint {
  readonly place: NamedOperation
  readonly endpoint: AnyEndpoint
}

/** An operation and its place in the document. */
interface PlacedOperation {
  readonly operation: OperationObject
  readonly path: string
  readonly method: string
}

/** What all operations of a document share. */
interface DocumentContext extends Pick<OperationContext, 'schemas' | 'securitySchemes'> {
  readonly getTags: (place: NamedOperation) => string[]
}

/**
 * The operations, in the order of their endpoints.
 *
 * @throws TypeError for two endpoints with one route, or with one path template, and for an example that its schema does not allow.
 */
export async function createOperationObjects(
  endpoints: readonly NamedEndpoint[],
  { schemas, securitySchemes, getTags }: DocumentContext,
): Promise<readonly PlacedOperation[]> {
  const getTemplate = createPathTemplates()
  const ids = new Set<string>()
  const placesByKey = new Map<string, NamedEndpoint>()
  const placed: PlacedOperation[] = []
  for (const { place, endpoint } of endpoints) {
    const { path, captures } = getTemplate(endpoint.segments)
    const key = `${endpoint.method} ${path}`
    const other = placesByKey.get(key)
    if (other !== undefined) {
      const isSame = getPathShape(other.endpoint.segments) === getPathShape(endpoint.segments)
      throw new TypeError(
        isSame
          ? developerErrors.duplicateRoute(other.place.name, place.name, endpoint.route)
          : developerErrors.indistinctTemplates(other.place.name, place.name, key),
      )
    }
    placesByKey.set(key, { place, endpoint })
    const operationId = findFreeName(toCamelCase(place.name) || 'operation', (id) => ids.has(id))
    ids.add(operationId)
    const operation = await createOperationObject(endpoint, { operationId, tags: getTags(place), captures, schemas, securitySchemes })
    placed.push({ operation, path, method: endpoint.method })
  }
  return placed
}
