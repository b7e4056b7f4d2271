/** What was thrown, as an answer: an HttpError exactly as it was raised, anything else as a 500 that gives nothing away. */
import { HttpError } from '../describe/error.ts'
import { answer } from '../describe/message.ts'
import { reasonOf } from '../describe/status.ts'
import type { Outgoing } from './kernel.ts'
import type { Operation } from './operation.ts'
import { flatHeaders, type Refuse } from './refuse.ts'

/** The bytes of an error's own body, and the Content-Type that goes with them unless the error names one. */
function bodyOf(
  { status, body }: HttpError,
  operation: Operation | undefined,
): { readonly type?: string; readonly body: Outgoing['body'] } {
  if (body === null || body === '') return { body: null }
  if (typeof body === 'string') return { type: 'text/plain;charset=utf-8', body }
  if (body instanceof Uint8Array) return { type: 'application/octet-stream', body }
  const declared = operation?.errors.get(status)
  const [type] = declared?.offers ?? []
  if (declared === undefined || type === undefined) return { type: 'application/json;charset=utf-8', body: JSON.stringify(body) }
  // An error is not negotiated: whoever asked for a picture can still read why there is none.
  return { type, body: declared.write({ body, headers: {} }, 0).body ?? null }
}

function raised(error: HttpError, operation: Operation | undefined, refuse: Refuse): Outgoing {
  const { status, reason, headers, detail, errors } = error
  const own = reason === reasonOf(status) ? {} : { reason }
  const flat = flatHeaders(headers)
  if (error.body === undefined) return refuse(status, { ...own, detail, errors, headers: flat })
  const { type, body } = bodyOf(error, operation)
  const typed =
    type === undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type') ? [] : ['Content-Type', type]
  return { status, ...own, headers: [...typed, ...flat], body }
}

/** Where something unexpected happened. */
export interface Incident {
  /** The id that the client was told to quote; absent where an answer was already under way. */
  readonly requestId?: string
  readonly method: string
  readonly target: string
  /** The route of the endpoint, where one was found. */
  readonly route?: string
}

/** Told of everything that should not have happened: a handler that threw what is no HttpError, a stream that failed part-way. */
export type Report = (error: unknown, incident: Incident) => void

/** An application's own error as an HttpError; undefined: it is unexpected. */
export type Translate = (error: unknown) => HttpError | undefined

/** The answer to whatever was thrown. */
export type Raise = (error: unknown, request: { readonly method: string; readonly target: string }, operation?: Operation) => Outgoing

/** What answering an error needs. */
export interface RaiseOptions {
  readonly refuse: Refuse
  readonly report: Report
  readonly translate: Translate
}

/** Compiles the one place where errors become answers. */
export const raiser =
  ({ refuse, report, translate }: RaiseOptions): Raise =>
  (error, { method, target }, operation) => {
    let unexpected = error
    try {
      const known = error instanceof HttpError ? error : translate(error)
      if (known !== undefined) return raised(known, operation, refuse)
    } catch (failure) {
      unexpected = failure
    }
    const requestId = globalThis.crypto.randomUUID()
    report(unexpected, { requestId, method, target, ...(operation === undefined ? {} : { route: operation.endpoint.route }) })
    return refuse(500, { detail: answer.unexpected(), requestId })
  }
