/** The option `rawBody`: the bytes of a body as they arrived, for the signature of a webhook. */
import * as developerErrors from '../messages/developerErrors.ts'
import type { EndpointParts } from './endpointParts.ts'
import { isReadOnArrival } from './media/mediaType.ts'

/** @throws TypeError for an endpoint whose body is not kept: it has none, or a stream, or a form with files. */
export function checkRawBody({ route, body }: EndpointParts, rawBody: unknown): void {
  if (rawBody === undefined) return
  if (rawBody !== true || body === undefined) throw new TypeError(developerErrors.rawBodyWithoutBody(route))
  const streamed = body.media.find(isReadOnArrival)
  if (streamed !== undefined) throw new TypeError(developerErrors.rawBodyOfStream(route, streamed.types[0]))
}
