/** Whether a client of a description expects a response; and if not, what it expects. */
import { decodeUtf8, findReplies, getEssence, isInMediaRange } from 'lapidary/internal'
import type { WireResponse } from '../../check/exchange.ts'
import type { ContentManifest, EndpointManifest, ReplyManifest } from '../manifest.ts'
import { parseBodySchema } from '../sharedDefinitions.ts'
import { validateInstance } from '../subschema/validateInstance.ts'
import * as reason from './replayMessages.ts'

function describeUnexpectedBody({ media, schema, streams }: ContentManifest, { header, body }: WireResponse): string | undefined {
  const type = getEssence(header('content-type') ?? '')
  const types = media.flatMap((one) => one.types.map(getEssence))
  if (!types.some((range) => isInMediaRange(type, range))) return reason.unexpectedType(type, types)
  if (schema === null || streams || !/[/+]json$/.test(type)) return undefined
  let value: unknown
  try {
    value = JSON.parse(decodeUtf8(body) ?? '')
  } catch {
    return reason.unreadableBody()
  }
  const flaw = validateInstance(parseBodySchema(schema), value)
  return typeof flaw === 'object' ? reason.unexpectedValue(flaw.pointer, flaw.expected) : undefined
}

function describeUnexpectedReply(reply: ReplyManifest, response: WireResponse): string | undefined {
  const missing = Object.entries(reply.headers).find(
    ([name, { required }]) => required && response.header(name.toLowerCase()) === undefined,
  )
  if (missing !== undefined) return reason.missingHeader(missing[0])
  return reply.body === null ? undefined : describeUnexpectedBody(reply.body, response)
}

/** Describes what a client of an endpoint does not expect of a response; undefined where it expects it. */
export function describeUnexpected({ responses, errors, always, etag }: EndpointManifest, response: WireResponse): string | undefined {
  const statuses = [...responses, ...errors].map(({ status }) => status)
  const replies = findReplies([...responses, ...errors], response.status)
  if (replies.length === 0) return response.status < 400 ? reason.unexpectedStatus(response.status, statuses) : undefined
  const missing = Object.keys(always).find((name) => response.header(name.toLowerCase()) === undefined)
  if (missing !== undefined) return reason.missingHeader(missing)
  if (etag === true && response.status < 300 && response.header('etag') === undefined) return reason.missingHeader('ETag')
  const found = replies.map((reply) => describeUnexpectedReply(reply, response))
  return found.includes(undefined) ? undefined : found[0]
}
