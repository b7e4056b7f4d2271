/** A body that was read before its request came here, by a parser such as `express.json()`: what that has left of it. */
import type { IncomingMessage } from 'node:http'
import * as complaint from '../describe/complaint.ts'
import { badRequest } from '../describe/errors.ts'
import { adapterDetail } from '../describe/message.ts'
import { getHeader } from './headerLines.ts'

/** As parsers leave it; `rawBody` by the convention of those that keep the bytes. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

const jsonMediaTypePattern = /^application\/(?:[\w.!#$&^-]+\+)?json[\t ]*(?:;|$)/i

/** A number that JSON.parse could not keep becomes infinite, which JSON would write as null. */
function keepFiniteNumber(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw badRequest({ detail: adapterDetail.numberTooLarge() })
  return value
}

/**
 * The bytes of a body that was read before: as they came where the parser has kept them, and those of the same JSON where it has made a value of it.
 *
 * @throws TypeError with the cure where they are lost: of a form for example no parser tells what was sent
 */
export function recoverParsedBody(request: ParsedRequest): Uint8Array {
  const { rawBody, body } = request
  if (rawBody instanceof Uint8Array) return rawBody
  if (body instanceof Uint8Array) return body
  const isJson = jsonMediaTypePattern.test(getHeader(request.rawHeaders, 'content-type') ?? '')
  // A text is what was sent, unless it is a JSON value: then nobody knows whether the parser has taken the quotes off.
  if (typeof body === 'string' ? isJson : body === undefined || !isJson || !request.readableEnded)
    throw new TypeError(complaint.bodyAlreadyRead())
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body, keepFiniteNumber))
}
