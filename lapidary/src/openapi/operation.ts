/** One endpoint as an operation. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { getJsonSchema } from '../describe/schema.ts'
import { createContentObject } from './content.ts'
import type { OperationObject } from './document.ts'
import { type NamedComponents, toComponentName } from './names.ts'
import { createParameterObjects } from './parameters.ts'
import { createResponseObjects } from './responses.ts'
import type { SchemaObjects } from './schemas.ts'

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
