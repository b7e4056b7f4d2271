/** `healthEndpoints()`: the two endpoints by which an orchestrator and a load balancer find out how a process is. */
import { createSchema, type Schema } from '../json-schema/standardSchema.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import type { EndpointMeta } from './endpointParts.ts'
import type { InputOfCall, InputOfHandler } from './endpointTypes.ts'
import { int } from './parameters/int.ts'
import { ok, type Reply, reply, type WithHeaders } from './reply.ts'

/** What the `meta` of these endpoints has, in every copy of this package. A member with a name could be one of the application's. */
const healthCheckKey: unique symbol = /* @__PURE__ */ Symbol.for('lapidary.healthCheck')
const healthMeta: EndpointMeta = /* @__PURE__ */ Object.freeze<object>({ [healthCheckKey]: true })

/**
 * Whether an endpoint is one of `healthEndpoints`.
 *
 * @param endpoint an endpoint, or anything else that has its `meta`, such as an entry of `accessLog`
 * @example
 * ```ts
 * import { accessLog, isHealthCheck } from 'lapidary/middleware'
 *
 * const log = accessLog((entry) => {
 *   if (!isHealthCheck(entry)) console.log(entry.route, entry.status)
 * })
 * ```
 */
export const isHealthCheck = ({ meta }: { readonly meta: EndpointMeta | undefined }): boolean =>
  meta !== undefined && healthCheckKey in meta

/** What a healthy process answers. */
interface HealthStatus<Status extends string> {
  readonly status: Status
}
type HealthEndpoint<Line extends string, Status extends string, Errors> = Endpoint<{
  input: InputOfHandler<Line, object, never, never, never, never, never, undefined, Errors, undefined>
  call: InputOfCall<Line, object, never, never, never, never, undefined>
  response: Reply<HealthStatus<Status>, HealthStatus<Status>, 200>
  errors: Errors
}>
type NotReady = WithHeaders<undefined, { 'Retry-After': number }>

/** The endpoints of `healthEndpoints`. */
// A type alias: an interface is not assignable to a record of operations.
export type HealthEndpoints = {
  /** `GET /live`: 200 as long as the process can answer. An orchestrator restarts a process that does not. */
  readonly live: HealthEndpoint<'GET /live', 'up', never>
  /** `GET /ready`: 200 where requests can be answered, else 503. A load balancer sends no requests to a process that is not ready. */
  readonly ready: HealthEndpoint<'GET /ready', 'ready', Reply<NotReady, NotReady, 503>>
}

const createStatusSchema = <Status extends string>(status: Status): Schema<HealthStatus<Status>> =>
  createSchema({
    validate: (value) =>
      (value as Partial<HealthStatus<string>> | null | undefined)?.status === status
        ? { value: { status } }
        : { issues: [{ message: `expected ${JSON.stringify({ status })}` }] },
    getJsonSchema: () => ({ type: 'object', properties: { status: { const: status } }, required: ['status'] }),
  })

/**
 * The endpoints for liveness and readiness: put them below a prefix, and give `serve` their handlers, `healthHandlers`.
 *
 * `loadShedding` never rejects them, and `isHealthCheck` tells them from others, for instance to leave them out of a log.
 *
 * @example
 * ```ts
 * import { endpoint, healthEndpoints, ok, prefix, text } from 'lapidary'
 * import { healthHandlers, serve } from 'lapidary/server'
 *
 * const api = {
 *   hello: endpoint('GET /hello', { response: ok(text) }),
 *   health: prefix('/health', healthEndpoints()),
 * }
 * const server = serve(api, { hello: () => 'Hello', health: healthHandlers() })
 * ```
 */
export const healthEndpoints = (): HealthEndpoints => ({
  live: endpoint('GET /live', {
    summary: 'Whether the process is up.',
    response: ok(createStatusSchema('up')),
    examples: { response: { status: 'up' } },
    meta: healthMeta,
  }),
  ready: endpoint('GET /ready', {
    summary: 'Whether requests can be answered.',
    response: ok(createStatusSchema('ready')),
    errors: [
      reply(503, undefined, {
        headers: { 'Retry-After': int({ description: 'In how many seconds another attempt is worth making.', examples: [1] }) },
        description: 'A check has failed, or the server is shutting down. The detail names the check.',
      }),
    ],
    examples: { response: { status: 'ready' } },
    meta: healthMeta,
  }),
})
