/** What was thrown, as an answer: an HttpError exactly as it was raised, anything else as a 500 that gives nothing away. */

import { type ErrorListener, respondWithProblemJson } from '../http/errorReport.ts'
import { hasHeader, isHeaderName, isHeaderValue } from '../http/headerFields.ts'
import { type HttpError, isHttpError } from '../http/httpError.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { flattenHeaders, type ProblemResponder } from '../http/problemResponse.ts'
import { requireSync } from '../http/promises.ts'
import { hasClientLeft } from '../http/responseStream.ts'
import { getReasonPhrase, isNullBodyStatus } from '../http/status.ts'
import * as complaint from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { CompiledOperation } from './operation.ts'
import { InvalidInputError } from './readBody.ts'
import type { ReplyWriter } from './write.ts'

/** An error is checked like any other answer: what no adapter could send is a fault of ours. @throws TypeError. */
function checkSendable(status: number, reason: string, headers: readonly string[]): void {
  const flaw = (detail: string): TypeError => new TypeError(complaint.unsendableError(status, detail))
  if (!Number.isInteger(status) || status < 200 || status > 599) throw flaw('its status is none')
  if (!isHeaderValue(reason)) throw flaw('its reason has signs that cannot be sent')
  for (let index = 0; index < headers.length; index += 2) {
    if (!isHeaderName(headers[index] ?? '')) throw flaw('one of its headers has a name that is none')
    if (!isHeaderValue(headers[index + 1])) throw flaw(`its header ${headers[index]} has signs that cannot be sent`)
  }
}

/** An error's own body, and its media type. */
interface ErrorBody {
  readonly type?: string
  readonly body: HttpResponse['body']
}

/**
 * A body in the form that a declared error has: of several, the first that it fits. An error is not negotiated: whoever asked for a picture can still
 * read why there is none.
 *
 * @throws TypeError where it fits none.
 */
function writeDeclaredBody(writers: readonly ReplyWriter[], value: unknown): ErrorBody {
  let failure: unknown
  for (const { offers, writeBody: body } of writers) {
    try {
      // One with a body has a type.
      return { type: offers[0] as string, body: body(value, 0) }
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

/** A body that nobody declared. @throws TypeError where JSON has no text for it. */
function writeUndeclaredBody(value: unknown, status: number): ErrorBody {
  const body: string | undefined = JSON.stringify(value)
  if (body === undefined) throw new TypeError(complaint.unsendableError(status, `its body is a ${typeof value}`))
  return { type: 'application/json;charset=utf-8', body }
}

/** The bytes of an error's own body, and the Content-Type that goes with them unless the error names one. */
function writeErrorBody({ status, body }: HttpError, operation: CompiledOperation | undefined): ErrorBody {
  if (body === null || body === '' || isNullBodyStatus(status)) return { body: null }
  if (typeof body === 'string') return { type: 'text/plain;charset=utf-8', body }
  if (body instanceof Uint8Array) return { type: 'application/octet-stream', body }
  const declared = operation?.errorWriters.get(status)
  return declared === undefined ? writeUndeclaredBody(body, status) : writeDeclaredBody(declared, body)
}

/** The headers of an error, and those that every answer of its endpoint carries unless the error has its own. */
function getErrorHeaders({ headers }: HttpError, operation: CompiledOperation | undefined): readonly string[] {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const always = Object.entries(operation?.endpoint.responseHeaders ?? {}).filter(([name]) => !own.has(name.toLowerCase()))
  return [...flattenHeaders(headers), ...always.flat()]
}

function createHttpErrorResponse(error: HttpError, operation: CompiledOperation | undefined, refuse: ProblemResponder): HttpResponse {
  const { status, reason, detail, errors } = error
  const own = reason === getReasonPhrase(status) ? {} : { reason }
  const headers = getErrorHeaders(error, operation)
  const route = operation?.endpoint.route
  checkSendable(status, reason, headers)
  if (error.body === undefined && !isNullBodyStatus(status)) {
    const more = error instanceof InvalidInputError ? error.more : undefined
    return refuse(status, { ...own, detail, errors, more, headers, route })
  }
  const { type, body } = writeErrorBody(error, operation)
  return {
    status,
    ...own,
    headers: [...(type === undefined || hasHeader(headers, 'content-type') ? [] : ['Content-Type', type]), ...headers],
    body,
    route,
  }
}

/** An application's own error as an HttpError; undefined: it is unexpected. */
export type ErrorMapper = (error: unknown) => HttpError | undefined

/** The answer to whatever was thrown. */
export type ErrorResponder = (
  error: unknown,
  request: Pick<HttpRequest, 'method' | 'target' | 'id' | 'signal'>,
  operation?: CompiledOperation,
) => HttpResponse

/** Whether a handler stopped since its client has left, as it was asked to. */
const isClientAbort = (error: unknown, { signal }: Pick<HttpRequest, 'signal'>): boolean =>
  hasClientLeft({ signal }) && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'))

/** What answering an error needs. */
export interface ErrorResponderOptions {
  readonly respondWithProblem: ProblemResponder
  readonly onError: ErrorListener
  readonly mapError: ErrorMapper
}

/** What `translate` makes of an error. */
function applyErrorMapper(error: unknown, translate: ErrorMapper): HttpError | undefined {
  const made = requireSync(translate(error), 'The function "translate" of serve()')
  // Plain JavaScript may well say null.
  return made ?? undefined
}

/** Compiles the one place where errors become answers. */
export const createErrorResponder =
  ({ respondWithProblem: refuse, onError: report, mapError: translate }: ErrorResponderOptions): ErrorResponder =>
  (error, request, operation) => {
    const { method, target, id } = request
    let unexpected = error
    try {
      // What a client of ours received from elsewhere is no answer of ours.
      const known = isHttpError(error) && error.received === undefined ? error : applyErrorMapper(error, translate)
      if (known !== undefined) return createHttpErrorResponse(known, operation, refuse)
    } catch (failure) {
      unexpected = failure
    }
    const requestId = id ?? globalThis.crypto.randomUUID()
    const route = operation?.endpoint.route
    const incident = { requestId, method, target, ...(route === undefined ? {} : { route }) }
    if (!isClientAbort(unexpected, request)) report(unexpected, incident)
    // What cannot be sent may be the very thing that is unexpected here.
    const always = Object.entries(operation?.endpoint.responseHeaders ?? {}).filter(([, value]) => isHeaderValue(value))
    const details = { detail: problemDetail.unexpected(), requestId, headers: always.flat(), route }
    try {
      return refuse(500, details)
    } catch (failure) {
      // It may be the format that is unexpected here.
      if (failure !== unexpected) report(failure, incident)
      return respondWithProblemJson(500, details)
    }
  }
