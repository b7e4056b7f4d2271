/** One endpoint as an operation. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { contentOf } from './content.ts'
import type { OperationObject } from './document.ts'
import { type Collected, componentName } from './names.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import type { Schemas } from './schemas.ts'

/** Every JSON Schema of an endpoint. */
export function schemasIn({ params, query, headers, body, response, errors }: AnyEndpoint): readonly JsonSchema[] {
  const replies = [response, ...errors]
  const parameters = [params, query, headers, ...replies.map((reply) => reply.headers)].flatMap((record) => Object.values(record))
  const bodies = [body, ...replies.map(({ content }) => content)].flatMap((content) => content?.schema ?? [])
  return [...parameters.map(({ jsonSchema }) => jsonSchema), ...bodies.map(jsonSchemaOf)]
}

/** The security schemes of a document. */
export type SecuritySchemes = Collected<Readonly<Record<string, unknown>>>

/** What only the document as a whole can tell of an operation. */
export interface Surroundings {
  readonly operationId: string
  readonly tags: string[]
  /** What the captures are called in its path. */
  readonly captures: readonly string[]
  readonly schemas: Schemas
  readonly securitySchemes: SecuritySchemes
}

/** The operation of an endpoint. @throws TypeError for an example that does not fit. */
export async function operationOf(
  endpoint: AnyEndpoint,
  { operationId, tags, captures, schemas, securitySchemes }: Surroundings,
): Promise<OperationObject> {
  const { route, summary, description, auth, body, examples } = endpoint
  const parameters = parametersOf(endpoint, captures, schemas)
  const requestBody = body && { required: true, content: await contentOf(body, examples.body, `${route}, request`, schemas) }
  return {
    tags: tags.length > 0 ? tags : undefined,
    summary,
    description,
    operationId,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody,
    responses: await responsesOf(endpoint, schemas),
    security: auth && [{ [securitySchemes.nameOf(componentName(auth.name, 'scheme'), auth.openapi)]: [] }],
  }
}
