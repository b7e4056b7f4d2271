/** What the arguments of `send.orderPaid(url, body)` become: a checked URL, and the payload. */
import { type BodyWriter, createBodyWriter } from '../client/request.ts'
import type { AnyWebhook } from '../contract/webhook.ts'
import { collectBytes } from '../http/chunks.ts'
import { decodeUtf8, encodeUtf8 } from '../http/encodings.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { WebhookDelivery } from './webhookStore.ts'

/** @throws TypeError for a text that is no URL of a receiver */
export function parseWebhookUrl(place: string, given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    // A password must not get into a log.
    throw new TypeError(developerErrors.invalidWebhookUrl(place, url === undefined ? 'the text' : `a URL of ${url.protocol}//${url.host}`))
  return url
}

/** Compiles the writer of the payload of a webhook. @throws TypeError for a value that the schema does not allow */
export function createPayloadWriter({
  name,
  body,
}: AnyWebhook): (value: unknown) => Promise<Pick<WebhookDelivery, 'contentType' | 'payload'>> {
  const place = `webhook("${name}")`
  let write: BodyWriter | undefined
  return async (value) => {
    write ??= createBodyWriter({ route: `POST ${name}`, body })
    let written: ReturnType<BodyWriter> | undefined
    try {
      written = write?.(value, undefined)
    } catch (error) {
      throw error instanceof TypeError ? new TypeError(developerErrors.invalidRequestValue(place, error.message), { cause: error }) : error
    }
    const { type, body: encoded } = written as NonNullable<typeof written>
    const bytes = typeof encoded === 'string' ? encodeUtf8(encoded) : await collectBytes(encoded as never)
    const payload = decodeUtf8(bytes)
    // A byte order mark would be lost.
    if (payload === undefined || encodeUtf8(payload).length !== bytes.length)
      throw new TypeError(developerErrors.webhookBodyWithoutText(place))
    return { contentType: type, payload }
  }
}
