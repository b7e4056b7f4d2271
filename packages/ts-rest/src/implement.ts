/** `implement(contract, router)`: a server of a contract of ts-rest, with the handlers that it had before. */
import type { AppRoute, AppRouter, ServerInferRequest, ServerInferResponses } from '@ts-rest/core'
import { type AnyEndpoint, type Api, operations } from 'lapidary'
import { filterHeaders, isMount, RequestView } from 'lapidary/internal'
import {
  type ApiServer,
  authenticate,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type Middleware,
  type ServeOptions,
  serve,
} from 'lapidary/server'
import type { RuntimeRouter } from './contract.ts'
import { authorization, createApi } from './fromTsRest.ts'
import { planContract, type ReplyPlan, type RoutePlan } from './plan.ts'
import { rewriteQuery } from './queryDialect.ts'
import { type RequestValidationErrorHandler, respondToInvalid } from './requestValidation.ts'
import { adaptHandler, adaptRouter, type Exchange, type HandlerContext, readAllHeaders } from './routeHandlers.ts'
import * as messages from './tsRestMessages.ts'

/** A route of which ts-rest leaves no file out: the type of the body of a form has none, because multer keeps files elsewhere. */
type WithFiles<Route extends AppRoute> = Route extends { readonly contentType: 'multipart/form-data' }
  ? Omit<Route, 'contentType'> & { readonly contentType: 'application/json' }
  : Route

/** The input of a handler. */
type HandlerArguments<Route extends AppRoute> =
  WithFiles<Route> extends infer Whole extends AppRoute ? ServerInferRequest<Whole, Readonly<Record<string, string | undefined>>> : never

/** A handler of ts-rest: it returns the status and the body. */
export type RouteHandler<Route extends AppRoute> = (
  input: HandlerArguments<Route>,
  context: HandlerContext,
) => ServerInferResponses<Route> | Promise<ServerInferResponses<Route>>

/** The handlers of a contract, under the same names. */
export type RouterHandlers<Contract extends AppRouter> = {
  readonly [Name in keyof Contract]: Contract[Name] extends AppRoute
    ? RouteHandler<Contract[Name]>
    : Contract[Name] extends AppRouter
      ? RouterHandlers<Contract[Name]>
      : never
}

/** Options of `implement`: those of `serve`, and three of ts-rest, which mean what they mean there. */
export interface ImplementOptions extends ServeOptions {
  /**
   * Whether the client writes each value of a query as JSON, as `initClient` does with the same option.
   *
   * @default false
   */
  readonly jsonQuery?: boolean
  /**
   * `true`: the schema of a response parses what a handler returns, and what it makes of it is sent: transforms run, refinements are checked.
   * `false`: what a handler returns is sent as it is, undeclared members included.
   *
   * @default the server sends the declared members, writes defaults, and answers 500 for a value of another type
   */
  readonly responseValidation?: boolean
  /**
   * The response to a request that the contract does not allow, with the issues of the schemas. `'default'`: `{ issues, name: 'ZodError' }`
   * of the first part that has errors. `'combined'`: those of all parts. A function makes it: `(error) => ({ status: 422, body: error })`.
   *
   * @default problem details (RFC 9457)
   */
  readonly requestValidationErrorHandler?: RequestValidationErrorHandler
}

/** A request with the query as its endpoint reads it. It keeps the bytes of its body. */
class ReadRequest extends RequestView {
  bytes: Promise<Uint8Array> | undefined

  override body(limit: number): Promise<Uint8Array> {
    this.bytes = super.body(limit)
    return this.bytes
  }
}

/** Reads the queries of the old client, adds the headers that handlers set, and answers to invalid requests as ts-rest does. */
const createMiddleware =
  (plans: readonly RoutePlan[], exchanges: WeakMap<HttpRequest, Exchange>, options: ImplementOptions): Middleware =>
  (next: HttpHandler, { findEndpoint }) => {
    const { jsonQuery = false, requestValidationErrorHandler: validationHandler } = options
    const plansByRoute = new Map(plans.map((plan) => [plan.line, plan]))
    return async (request) => {
      const [path = '', search = ''] = request.target.split(/\?(.*)/s, 2)
      const endpoint = search === '' && validationHandler === undefined ? undefined : findEndpoint(request)
      const rewritten = endpoint === undefined ? search : rewriteQuery(search, endpoint, jsonQuery)
      const isChanged = rewritten !== search || validationHandler !== undefined
      const inner = isChanged ? new ReadRequest(request, rewritten === search ? undefined : `${path}?${rewritten}`) : request
      const response = await next(inner)
      const { responseHeaders, bodyIssues } = exchanges.get(inner) ?? {}
      if (responseHeaders !== undefined) return addHeaders(response, responseHeaders)
      const plan = endpoint && plansByRoute.get(endpoint.route)
      const isInvalid =
        response.status === 400 ||
        (response.status === 401 && plan?.credentials !== undefined) ||
        // A request without a body has no media type.
        (response.status === 415 && request.header('content-type') === undefined)
      if (validationHandler === undefined || plan === undefined || !isInvalid) return response
      const invalid = {
        request,
        plan,
        endpoint: endpoint as AnyEndpoint,
        headers: readAllHeaders(request),
        search: { plain: rewritten, sent: search },
        isJsonQuery: jsonQuery,
        bytes: inner instanceof ReadRequest ? inner.bytes : undefined,
        bodyIssues,
      }
      return respondToInvalid(response, invalid, validationHandler, options)
    }
  }

function addHeaders(response: HttpResponse, added: Headers): HttpResponse {
  const pairs = [...added]
  if (pairs.length === 0) return response
  const names = new Set(pairs.map(([name]) => name))
  const kept = filterHeaders(response.headers, (name) => !names.has(name.toLowerCase()))
  return { ...response, headers: [...kept, ...pairs.flat()] }
}

/** The responses of handlers: a body that is no JSON may be a stream. @param isRaw whether no schema changes JSON */
function planHandlerReplies(plan: RoutePlan, isRaw: boolean): RoutePlan {
  const change = (replies: readonly ReplyPlan[]): readonly ReplyPlan[] =>
    replies.map(({ status, body }) => {
      if (body?.kind === 'text' || body?.kind === 'bytes') return { status, body: { kind: 'bytes', type: body.type, isStream: true } }
      return { status, body: body?.kind === 'json' && isRaw ? { ...body, schema: undefined } : body }
    })
  return { ...plan, responses: change(plan.responses), errors: change(plan.errors) }
}

const usesAuthorization = (api: Api): boolean =>
  operations(api).some(({ operation }) => !isMount(operation) && (operation as AnyEndpoint).auth !== undefined)

/**
 * Serves a contract of ts-rest with the handlers that it had: each returns `{ status, body }`. The client of ts-rest goes on as it is.
 *
 * @param contract what `initContract().router()` returns
 * @param router one function for each route, in the same shape
 * @param options those of `serve`, and `jsonQuery`, `responseValidation` and `requestValidationErrorHandler` of ts-rest
 * @returns a server, for `listen`, `toNodeListener`, or the `fallback` of another one
 * @throws TypeError that names the place in the contract, for what an API cannot have, and for a missing handler
 * @example
 * ```ts
 * import { implement } from '@lapidary/ts-rest'
 * import { initContract } from '@ts-rest/core'
 * import { listen } from 'lapidary/node'
 * import { z } from 'zod'
 *
 * const c = initContract()
 * const contract = c.router({
 *   stone: { method: 'GET', path: '/stones/:id', responses: { 200: z.object({ name: z.string() }) } },
 * })
 * const server = implement(contract, { stone: async ({ params }) => ({ status: 200, body: { name: `stone ${params.id}` } }) })
 * await listen(server, { port: 3000 })
 * ```
 */
export function implement<const Contract extends AppRouter>(
  contract: Contract,
  router: RouterHandlers<Contract>,
  options: ImplementOptions = {},
): ApiServer {
  const { jsonQuery: _query, responseValidation, requestValidationErrorHandler: validationHandler, ...serveOptions } = options
  const isKnown =
    validationHandler === undefined || typeof validationHandler === 'function' || ['default', 'combined'].includes(validationHandler)
  if (!isKnown) throw new TypeError(messages.unknownValidationHandler(String(validationHandler)))
  const runtime = contract as unknown as RuntimeRouter
  const plans = planContract(runtime).map((plan) => planHandlerReplies(plan, responseValidation === false))
  const api = createApi(runtime, plans)
  const plansByPath = new Map(plans.map((plan) => [plan.path.join('\n'), plan]))
  const exchanges = new WeakMap<HttpRequest, Exchange>()
  const handlers = adaptRouter(runtime, router, (path, handler) =>
    adaptHandler(plansByPath.get(path.join('\n')) as RoutePlan, handler, responseValidation === true, exchanges),
  )
  // The handler judges the header, as it did before.
  const credentials = usesAuthorization(api) ? [authenticate(authorization, (text) => text)] : []
  const { auth = [], middleware = [] } = options
  return serve(api, handlers as never, {
    ...serveOptions,
    auth: [...auth, ...credentials],
    middleware: [...middleware, createMiddleware(plans, exchanges, options)],
  })
}
