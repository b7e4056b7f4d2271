/** The response of what a handler has returned: the usual reply, another one by `respond`, a stream of either, or a download. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { isStatusValue, statusKey } from '../contract/reply.ts'
import { collectBytes } from '../http/chunks.ts'
import { isHttpError } from '../http/httpError.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { createNegotiator, type Negotiator } from '../http/negotiation.ts'
import type { Awaitable } from '../http/promises.ts'
import { awaitFirstChunk, isResponseStream } from '../http/responseStream.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { RequestCondition } from './conditionalRequests.ts'
import type { RequestState } from './inputSteps.ts'
import { createDownloadSender } from './sendDownload.ts'
import { createReplyWriter, type ReplyWriter } from './write.ts'

/** Makes the response of what the handler of a request has returned. @throws HttpError that it has returned. */
type Responder = (returned: unknown, state: RequestState) => Awaitable<HttpResponse>

/** Receives the error of a response whose head is sent. */
type LateErrorListener = (error: unknown, request: HttpRequest) => void

/** Writes one reply. */
type ReplySender = (
  writer: ReplyWriter,
  value: unknown,
  offer: number,
  request: HttpRequest,
  condition: RequestCondition | undefined,
) => Awaitable<HttpResponse>

/** Compiles how replies are sent. A stream waits for its first chunk; where its bytes are kept or compared, for all of them. */
const createReplySender =
  ({ etag, idempotent }: AnyEndpoint, onLateError: LateErrorListener): ReplySender =>
  (writer, value, offer, request, condition) => {
    const unconditional = writer.write(value, offer)
    // The ETag of a list that is made while it is sent is that of all its bytes.
    if (condition !== undefined && etag === true && isResponseStream(unconditional.body))
      return collectBytes(unconditional.body).then((bytes) => condition.apply({ ...unconditional, body: bytes }, offer))
    const response = condition === undefined ? unconditional : condition.apply(unconditional, offer)
    const { body } = response
    if (!isResponseStream(body)) return response
    const chunks =
      idempotent === undefined
        ? awaitFirstChunk(body, writer.isAtomic(offer), request, (error) => onLateError(error, request))
        : collectBytes(body)
    return chunks.then((sent) => ({ ...response, body: sent }))
  }

/** The writer of a reply that is not the usual one. */
interface AlternativeReply {
  readonly writer: ReplyWriter
  readonly negotiate: Negotiator
}

/** Compiles the replies after the usual one, by status. */
const createAlternatives = (endpoint: AnyEndpoint, responseHeaders: readonly string[]): ReadonlyMap<number, AlternativeReply> =>
  new Map(
    endpoint.responses.slice(1).map((reply) => {
      const writer = createReplyWriter(endpoint, reply, responseHeaders)
      return [reply.status, { writer, negotiate: createNegotiator(writer.offers) }]
    }),
  )

/**
 * Compiles the responses of an endpoint.
 *
 * @param usualWriter of its usual reply
 * @param responseHeaders the headers of all its responses, flat
 */
export function createResponder(
  endpoint: AnyEndpoint,
  usualWriter: ReplyWriter,
  responseHeaders: readonly string[],
  onLateError: LateErrorListener,
): Responder {
  const { route, etag, response, responses, download } = endpoint
  const alternatives = createAlternatives(endpoint, responseHeaders)
  const sendReply = createReplySender(endpoint, onLateError)
  const sendDownload = download && createDownloadSender(endpoint, usualWriter, onLateError)
  const sendUsualReply = (value: unknown, { offer, request, condition }: RequestState): Awaitable<HttpResponse> =>
    sendDownload === undefined ? sendReply(usualWriter, value, offer, request, condition) : sendDownload(value, request)

  return (returned, state) => {
    if (isHttpError(returned)) throw returned
    if (!isStatusValue(returned)) return sendUsualReply(returned, state)
    const { [statusKey]: status, value } = returned
    if (status === response.status) return sendUsualReply(value, state)
    const alternative = alternatives.get(status)
    if (alternative === undefined)
      throw new TypeError(developerErrors.undeclaredStatus(route, status, responses.map((reply) => reply.status).join(', ')))
    // Only the usual reply is negotiated beforehand: of another one, any type is better than none.
    const offer = Math.max(0, alternative.negotiate(state.request.header('accept')))
    // The ETag of a GET belongs to the usual reply.
    return sendReply(alternative.writer, value, offer, state.request, etag === true ? undefined : state.condition)
  }
}
