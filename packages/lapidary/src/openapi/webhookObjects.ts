/** The Path Item Objects of webhooks: what the server of an API sends to its receivers. */
import type { NamedWebhook } from '../contract/api.ts'
import { webhookHeaders, webhookSignature } from '../contract/auth/webhookSignature.ts'
import { hasConventions } from '../contract/conventions.ts'
import { listBodyExamples } from '../contract/exampleValues.ts'
import { getSentContent } from '../contract/webhook.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { type DirectedSchemas, findFreeName, toCamelCase } from './componentNames.ts'
import { createContentObject } from './contentObjects.ts'
import type { OperationObject, ParameterObject, PathItemObject } from './documentTypes.ts'
import { listBodySchemas, type SecuritySchemes } from './operationObjects.ts'
import type { SchemaObjects } from './schemaObjects.ts'

/** All JSON Schemas of a webhook. It is a request: what has a default can be absent. */
export const listWebhookSchemas = ({ webhook }: NamedWebhook): DirectedSchemas => ({
  requests: listBodySchemas(getSentContent(webhook), 'request'),
  responses: [],
})

/** What webhooks get from their document. */
interface WebhookContext {
  readonly schemas: SchemaObjects
  readonly securitySchemes: SecuritySchemes
  /** Those of the endpoints. */
  readonly operationIds: readonly string[]
  readonly addTags: (tags: readonly string[]) => string[]
}

const { id, timestamp } = webhookSignature.example ?? { id: '', timestamp: '' }

/** The headers beside the signature, which is a security scheme. */
const createHeaderParameters = (): ParameterObject[] => [
  {
    name: webhookHeaders.id,
    in: 'header',
    description: documentationTexts.webhookIdText(),
    required: true,
    schema: { type: 'string' },
    example: id,
  },
  {
    name: webhookHeaders.timestamp,
    in: 'header',
    description: documentationTexts.webhookTimestampText(),
    required: true,
    schema: { type: 'integer' },
    example: Number(timestamp),
  },
]

/** What a sender makes of the status of a receiver. */
const createWebhookResponses = (): OperationObject['responses'] => ({
  '2XX': { description: documentationTexts.webhookDoneText() },
  '410': { description: documentationTexts.webhookGoneText() },
  default: { description: documentationTexts.webhookRetriedText() },
})

/**
 * The webhooks of a document, by name.
 *
 * @throws TypeError for an example that its schema does not allow.
 */
export async function createWebhookObjects(
  all: readonly NamedWebhook[],
  { schemas, securitySchemes, operationIds, addTags }: WebhookContext,
): Promise<Record<string, PathItemObject>> {
  const ids = new Set(operationIds)
  const objects: Record<string, PathItemObject> = {}
  for (const { path, key, webhook } of all) {
    const { name, summary, description, deprecated, tags = path.slice(0, -1).slice(0, 1) } = webhook
    const operationId = findFreeName(toCamelCase(key) || 'webhook', (one) => ids.has(one))
    ids.add(operationId)
    const isSigned = hasConventions(webhook)
    const post: OperationObject = {
      tags: tags.length > 0 ? addTags(tags) : undefined,
      summary,
      description,
      operationId,
      parameters: isSigned ? createHeaderParameters() : undefined,
      requestBody: {
        required: true,
        content: await createContentObject(getSentContent(webhook), listBodyExamples(webhook), 'request', `webhook("${name}")`, schemas),
      },
      responses: isSigned ? createWebhookResponses() : { '2XX': { description: documentationTexts.webhookDoneText() } },
      deprecated,
      security: isSigned ? [{ [securitySchemes.nameOf(webhookSignature.name, webhookSignature.openapi)]: [] }] : undefined,
    }
    objects[name] = { post }
  }
  return objects
}
