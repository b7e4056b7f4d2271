/** The documentation of webhooks, as plain data. */
import type { NamedWebhook } from '../contract/api.ts'
import { webhookHeaders, webhookSignature } from '../contract/auth/webhookSignature.ts'
import { hasConventions } from '../contract/conventions.ts'
import { createEncodings, type Encoding } from '../contract/exampleBody.ts'
import { listBodyExamples } from '../contract/exampleValues.ts'
import { getSentContent } from '../contract/webhook.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { selectEncodings } from './section.ts'

/** The documentation of a webhook. Plain data; a text without content is empty. */
export interface WebhookSection {
  /** The name that receivers know: `order.paid`. */
  name: string
  summary: string
  description: string
  deprecated: boolean
  /** The body that is sent. */
  request: Encoding[]
  /** False where it need not be signed as Standard Webhooks says: it is of a document of another program. Absent where it is. */
  conventions?: false
}

/** A header of every webhook. Plain data. */
export interface WebhookHeader {
  name: string
  description: string
  example: string
}

/** The headers of every webhook. */
export const listWebhookHeaders = (): readonly WebhookHeader[] => {
  const { id, timestamp, signature } = webhookSignature.example ?? { id: '', timestamp: '', signature: '' }
  return [
    { name: webhookHeaders.id, description: documentationTexts.webhookIdText(), example: id },
    { name: webhookHeaders.timestamp, description: documentationTexts.webhookTimestampText(), example: timestamp },
    { name: webhookHeaders.signature, description: documentationTexts.webhookSignatureText(), example: signature },
  ]
}

/**
 * The section of a webhook.
 *
 * @throws TypeError for an example that its schema does not allow.
 */
export const documentWebhook = async ({ webhook }: NamedWebhook): Promise<WebhookSection> => ({
  name: webhook.name,
  summary: webhook.summary ?? '',
  description: webhook.description ?? '',
  deprecated: webhook.deprecated === true,
  request: selectEncodings(
    await createEncodings(getSentContent(webhook), listBodyExamples(webhook), 'request', `webhook("${webhook.name}")`),
    webhook,
  ),
  ...(!hasConventions(webhook) && { conventions: false }),
})
