/** `webhook('order.paid', { body: Order })`: a request that the server of an API sends to its users, and the endpoint that receives it. */
import { checkOptions, describeKind } from '../http/functions.ts'
import type { RouteLine } from '../http/route.ts'
import { getJsonSchema, type JsonSchemaError } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { webhookSignature } from './auth/webhookSignature.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import type { AnyBody, BodyInput, BodyOutput, InputOfCall, InputOfHandler } from './endpointTypes.ts'
import { checkExamples, type Examples } from './examples.ts'
import { toContent } from './media/content.ts'
import { type Content, isReadable, isReadOnArrival } from './media/mediaType.ts'
import { type NoContent, noContent } from './reply.ts'
import { checkEncoder } from './schemaCodec.ts'

/** A request that the server of an API sends. `Input` is what it sends, `Output` what a receiver gets. */
export interface Webhook<Input, Output> {
  readonly '~kind': 'webhook'
  /** The name that receivers know: `order.paid`. */
  readonly name: string
  readonly body: Content<Input, Output>
  readonly deprecated: true | undefined
  readonly tags: readonly string[] | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly examples: Examples<unknown, unknown>
  /** Types only. Its key tells a webhook from the other members of an API. */
  readonly '~sends'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A webhook of any types. */
// biome-ignore lint/suspicious/noExplicitAny: a body is both written and read, so only `any` accepts every one
export type AnyWebhook = Webhook<any, any>

/** The parts of a webhook. */
export interface WebhookDefinition<Body> {
  /** A schema (its value is sent as JSON), or a content of media types that are read whole: the first is sent. */
  readonly body: Body
  /** Says that receivers should stop using it. @default false */
  readonly deprecated?: true
  /** The tags of OpenAPI. @default none */
  readonly tags?: readonly string[]
  /** One line for documentation. */
  readonly summary?: string
  readonly description?: string
  /** Values to show: `{ body }`, or several by name: `{ ruby: { body, summary }, … }`. @default a value that the schema allows */
  readonly examples?: Examples<BodyInput<Body>, never>
}

/** The parts of a webhook, by their names. */
const webhookKeys = 'body, deprecated, tags, summary, description, examples'

/** Words, separated by full stops, as Standard Webhooks has them. */
const webhookName = /^[\w-]+(?:\.[\w-]+)*$/

/**
 * Describes a webhook: a request that the server sends to a URL of a receiver. It is a member of the API, beside endpoints and mounts.
 * `createWebhookSender` of `lapidary/webhooks` sends it, `receiveWebhook` is the endpoint that receives it.
 *
 * @param name Words, separated by full stops: `order.paid`.
 * @throws TypeError, with the cure, for another name, and for a body that is a stream, optional, or not readable.
 * @example
 * ```ts
 * import { webhook } from 'lapidary'
 * import { createWebhookSender } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * const Order = z.object({ id: z.int(), total: z.int() })
 * const api = { orderPaid: webhook('order.paid', { body: Order, summary: 'An order is paid.' }) }
 *
 * const { send } = createWebhookSender(api, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
 * await send.orderPaid('https://shop.example/hooks', { id: 7, total: 1_200 })
 * ```
 */
export function webhook<Body extends AnyBody>(
  name: string,
  definition: WebhookDefinition<Body>,
): Webhook<BodyInput<Body>, BodyOutput<Body>> {
  if (typeof name !== 'string' || !webhookName.test(name)) throw new TypeError(developerErrors.invalidWebhookName(name))
  const place = `webhook("${name}")`
  if (typeof definition !== 'object' || definition === null)
    throw new TypeError(developerErrors.webhookWithoutBody(place, describeKind(definition)))
  checkOptions(place, definition, webhookKeys)
  const { body, deprecated, tags, summary, description, examples = {} } = definition
  if (body === undefined) throw new TypeError(developerErrors.webhookWithoutBody(place, 'nothing'))
  const content = toContent(body as Content<BodyInput<Body>, BodyOutput<Body>>)
  const [first] = content.media
  if (content.isOptional || content.isDownload || first === undefined || !isReadable(first) || content.media.some(isReadOnArrival))
    throw new TypeError(developerErrors.unsuitedWebhookBody(place))
  checkExamples(place, examples)
  return Object.freeze({ '~kind': 'webhook' as const, name, body: content, deprecated, tags, summary, description, examples })
}

/** The body of a webhook as it is sent: in its first media type. */
export const getSentContent = ({ body }: AnyWebhook): Content<unknown, unknown> => ({ schema: body.schema, media: body.media.slice(0, 1) })

/** Whether a part of an API is a webhook. */
export const isWebhook = (value: unknown): value is AnyWebhook => Object(value)['~kind'] === 'webhook'

/** @throws TypeError if the schema of the body has no JSON Schema. `webhook` does not convert schemas, as `endpoint` does not. */
export function checkWebhookSchema({ name, body: { schema } }: AnyWebhook): void {
  if (schema === undefined) return
  const place = `webhook("${name}"): body`
  try {
    getJsonSchema(schema)
  } catch (error) {
    throw new TypeError(developerErrors.unrepresentableSchema(place, '', (error as JsonSchemaError).message), { cause: error })
  }
  checkEncoder(schema, place)
}

/**
 * The endpoint of a receiver. Its handler gets the body, as the schema of the webhook reads it, the bytes as `rawBody`, and the id of the
 * webhook as `user.id`. `serve` needs `authenticateWebhooks` of `lapidary/webhooks` for the signature.
 *
 * A sender delivers a webhook again until it gets a response of success. The handler runs once: a further attempt with the same id gets the
 * first response of success. `serve` keeps it in the store of `idempotency`.
 *
 * @param line The method and the path: `POST /hooks/paid`.
 * @example
 * ```ts
 * import { receiveWebhook, webhook } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { authenticateWebhooks } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * const orderPaid = webhook('order.paid', { body: z.object({ id: z.int() }) })
 * const api = { paid: receiveWebhook('POST /hooks/paid', orderPaid) }
 * const server = serve(
 *   api,
 *   { paid: ({ body }) => console.log(`Order ${body.id} is paid.`) },
 *   { auth: [authenticateWebhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })] },
 * )
 * ```
 */
export function receiveWebhook<const Line extends RouteLine, Input, Output>(
  line: Line,
  { name, body, summary, description }: Webhook<Input, Output>,
): Endpoint<{
  input: InputOfHandler<Line, object, never, never, never, Content<Input, Output>, typeof webhookSignature, undefined, never, true>
  call: InputOfCall<Line, object, never, never, never, Content<Input, Output>, undefined>
  response: NoContent
  errors: never
}> {
  return endpoint(line, {
    auth: webhookSignature,
    body,
    rawBody: true,
    response: noContent,
    summary: summary ?? `Receives the webhook ${name}.`,
    ...(description !== undefined && { description }),
  }) as never
}
