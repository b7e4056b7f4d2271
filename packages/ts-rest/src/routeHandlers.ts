/** The handlers of ts-rest as handlers of endpoints: what they get, and what becomes of the status and the body that they return. */
import { HttpError, isHttpError, respond } from 'lapidary'
import { describeKind } from 'lapidary/internal'
import type { HttpRequest } from 'lapidary/server'
import { isOtherResponse, isRoute, type RuntimeRouter } from './contract.ts'
import { authorization } from './fromTsRest.ts'
import type { BodyPlan, ReplyPlan, RoutePlan, SchemaPlan } from './plan.ts'
import { addToList, type ValidationIssue } from './requestValidation.ts'
import { getValidator, getWireValidator, isSchema, toJsonValue } from './schemas/toSchema.ts'
import * as messages from './tsRestMessages.ts'

/** What a handler gets beside the parts of its request. */
export interface HandlerContext {
  readonly request: HttpRequest
  /** Headers of the response, for a handler to set. */
  readonly responseHeaders: Headers
}

/** A handler of any route. */
export type AnyHandler = (input: Readonly<Record<string, unknown>>, context: HandlerContext) => unknown

/** What a handler returns. */
interface RouteResult {
  readonly status: number
  readonly body: unknown
}

const isResult = (value: unknown): value is RouteResult =>
  typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number'

/** The own members of a `TsRestResponseError`, which has the name even where a bundler has shortened that of its class. */
const thrownMembers = new Set(['statusCode', 'body', 'name', 'message'])

/**
 * The result that a handler threw: `TsRestResponseError`, of any copy of ts-rest. The errors of HTTP clients have a status and a body as well:
 * those of another server, which are no response to this request. They have further members.
 */
function toThrownResult(error: unknown): RouteResult | undefined {
  if (!(error instanceof Error) || isHttpError(error) || !('statusCode' in error) || !('body' in error)) return undefined
  if (!Object.hasOwn(error, 'name') || Object.keys(error).some((name) => !thrownMembers.has(name))) return undefined
  return typeof error.statusCode === 'number' ? { status: error.statusCode, body: error.body } : undefined
}

/** All headers of a request, in lower case, as ts-rest gives them to handlers. */
export function readAllHeaders(request: HttpRequest): Record<string, unknown> {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  return Object.fromEntries(names.map((name) => [name, request.header(name)]))
}

const lowerKeys = (values: object = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value as unknown]])),
  )

/** What one request has come to. */
export interface Exchange {
  /** Headers that the handler sets; undefined if it was not called. */
  responseHeaders?: Headers
  /** What the schema of a form with files found. */
  bodyIssues?: readonly ValidationIssue[]
}

/** The errors of a body whose schema runs after its parts are read. */
function createBodyError(issues: readonly ValidationIssue[]): HttpError {
  const errors = issues.slice(0, 20).map(({ message, path = [] }) => {
    const steps = path.map((step) => (typeof step === 'object' && step !== null && 'key' in step ? step.key : step))
    return {
      in: 'body' as const,
      pointer: steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
      detail: message,
    }
  })
  return new HttpError(400, { detail: 'The body is not valid.', errors })
}

/** A file of a form, as the web has it. */
const toFile = async (value: unknown): Promise<unknown> => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Promise.all(value.map(toFile))
  const { name, type, bytes } = value as Partial<File> & { readonly bytes?: () => Promise<Uint8Array<ArrayBuffer>> }
  return typeof bytes === 'function' && !(value instanceof File)
    ? new File([await bytes.call(value)], name ?? '', { type: type ?? '' })
    : value
}

/** The members of a form whose parts the contract does not name: those with one value, and lists of those with several. */
function toRecord(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const values = new Map<string, unknown[]>()
  for (const [name, value] of entries) addToList(values, name, value)
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

/** What the schema of a form makes of its parts. @throws HttpError 400 for parts that it does not allow */
async function validateForm({ source }: SchemaPlan, parts: object, exchange: Exchange): Promise<unknown> {
  const result = await getWireValidator(source)(parts)
  if (result.issues === undefined) return result.value
  exchange.bodyIssues = result.issues
  throw createBodyError(result.issues)
}

/** The body as handlers of ts-rest get it. */
async function readBody(plan: BodyPlan | undefined, body: unknown, request: HttpRequest, exchange: Exchange): Promise<unknown> {
  if (plan?.kind === 'anyForm') {
    const headers = { 'Content-Type': request.header('content-type') ?? '' }
    const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData().catch(() => {
      throw new HttpError(400, { detail: 'The body is no form of multipart/form-data.' })
    })
    const record = toRecord(form)
    return plan.schema === undefined ? record : validateForm(plan.schema, record, exchange)
  }
  if (plan?.kind === 'form' && plan.schema === undefined)
    return toRecord(
      Object.entries(body as Readonly<Record<string, readonly string[]>>).flatMap(([name, all]) =>
        all.map((value) => [name, value] as const),
      ),
    )
  if (plan?.kind !== 'multipart') return body
  const members = await Promise.all(Object.entries(body as object).map(async ([name, value]) => [name, await toFile(value)] as const))
  const given = members.filter(([, value]) => value !== undefined)
  return validateForm(plan.schema, Object.fromEntries(given), exchange)
}

/** What a schema makes of the body of a response. */
async function validateResult({ path, route }: RoutePlan, { status, body }: RouteResult): Promise<unknown> {
  const declared = route.responses[status]
  const source = isOtherResponse(declared) ? declared.body : declared
  if (!isSchema(source)) return body
  const result = await getValidator(source)(body)
  if (result.issues === undefined) return result.value
  throw new TypeError(messages.invalidBody(path.join('.'), status, result.issues.map(({ message }) => message).join('; ')))
}

const isStream = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.asyncIterator in value || ('pipe' in value && typeof value.pipe === 'function') || value instanceof Blob)

/** A body as the endpoint writes it. */
function toWire({ path }: RoutePlan, { status, body: plan }: ReplyPlan, body: unknown): unknown {
  if (plan === undefined) return undefined
  if (plan.kind === 'json') {
    if (isStream(body)) throw new TypeError(messages.streamOfJson(path.join('.'), status))
    return toJsonValue(body) ?? null
  }
  if (typeof body === 'string') return new TextEncoder().encode(body)
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body
}

/** The error of a status from 400 on. */
function createError(plan: RoutePlan, declared: ReplyPlan | undefined, status: number, value: unknown): HttpError {
  const challenge = status === 401 && plan.credentials !== undefined ? { 'WWW-Authenticate': authorization.challenge } : {}
  if (declared !== undefined) {
    // Without a body the error would be problem details.
    const body = declared.body === undefined ? '' : toWire(plan, declared, value)
    return new HttpError<number, unknown>(status, { body, headers: challenge })
  }
  // What the contract does not declare is JSON, as in ts-rest.
  const isEmpty = value === undefined
  const type = isEmpty ? {} : { 'Content-Type': 'application/json' }
  return new HttpError<number, unknown>(status, { body: isEmpty ? '' : JSON.stringify(value), headers: { ...challenge, ...type } })
}

/** The handler of an endpoint, of the handler of its route. */
export function adaptHandler(plan: RoutePlan, handler: AnyHandler, responseValidation: boolean, exchanges: WeakMap<HttpRequest, Exchange>) {
  const { path } = plan
  const replies = new Map([...plan.responses, ...plan.errors].map((reply) => [reply.status, reply]))
  return async (input: Readonly<Record<string, unknown>>, request: HttpRequest): Promise<unknown> => {
    const { params = {}, query = {}, headers = {}, body } = input as { params?: object; query?: object; headers?: object; body?: unknown }
    const exchange: Exchange = {}
    exchanges.set(request, exchange)
    const allHeaders = { ...readAllHeaders(request), ...lowerKeys(headers) }
    const given = { params, query, headers: allHeaders, body: await readBody(plan.body, body, request, exchange) }
    const responseHeaders = new Headers()
    exchange.responseHeaders = responseHeaders
    let result: unknown
    try {
      result = await handler(given, { request, responseHeaders })
    } catch (error) {
      result = toThrownResult(error)
      if (result === undefined) throw error
    }
    if (!isResult(result)) throw new TypeError(messages.invalidResult(path.join('.')))
    const { status } = result
    const declared = replies.get(status)
    if (declared === undefined && status < 400) throw new TypeError(messages.undeclaredSuccess(path.join('.'), status))
    const value = responseValidation && declared !== undefined ? await validateResult(plan, result) : result.body
    if (status >= 400) throw createError(plan, declared, status, value)
    return respond(status, declared && toWire(plan, declared, value))
  }
}

/** The handlers of a router, in its shape. */
export function adaptRouter(
  contract: RuntimeRouter,
  router: unknown,
  adapt: (path: readonly string[], handler: AnyHandler) => unknown,
  path: readonly string[] = [],
): object {
  const given = (typeof router === 'object' && router !== null ? router : {}) as Readonly<Record<string, unknown>>
  const stray = Object.keys(given).find((name) => !Object.hasOwn(contract, name))
  if (stray !== undefined) throw new TypeError(messages.unknownHandler([...path, stray].join('.')))
  return Object.fromEntries(
    Object.entries(contract).map(([name, member]) => {
      const place = [...path, name]
      const handler = Object.hasOwn(given, name) ? given[name] : undefined
      if (!isRoute(member)) return [name, adaptRouter(member, handler, adapt, place)]
      if (handler === undefined) throw new TypeError(messages.missingHandler(place.join('.')))
      if (typeof handler !== 'function') throw new TypeError(messages.expectedFunction(place.join('.'), describeKind(handler)))
      return [name, adapt(place, handler as AnyHandler)]
    }),
  )
}
