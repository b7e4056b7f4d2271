/** `fromTsRest(contract)`: the API of a contract of ts-rest. */
import type {
  AppRoute,
  AppRouter,
  ClientInferRequest,
  ResolveResponseType,
  ServerInferRequest,
  ZodInferOrType,
  ZodInputOrType,
} from '@ts-rest/core'
import {
  type AnyParameter,
  type AnyReply,
  type Api,
  apiKey,
  byteStream,
  bytes,
  type Content,
  content,
  type Endpoint,
  endpoint,
  form,
  json,
  multipart,
  optional,
  type Reply,
  reply,
  type Schema,
  text,
} from 'lapidary'
import { isRoute, type RuntimeRouter } from './contract.ts'
import { createPart } from './formParts.ts'
import { anyForm, createBytesType, createJsonType, createTextType } from './mediaTypes.ts'
import {
  at,
  type BodyPlan,
  type ParametersPlan,
  plainTextType,
  planContract,
  type ReplyPlan,
  type RoutePlan,
  type SchemaPlan,
} from './plan.ts'
import type { Place } from './schemas/toJsonSchema.ts'
import { toSchema } from './schemas/toSchema.ts'

/** The members of a request that a description has. */
type RequestParts = 'params' | 'query' | 'headers' | 'body'

/** The statuses that a route declares, as numbers. */
type Statuses<Route extends AppRoute> = keyof Route['responses'] & number

/** The statuses from 400 on, by their first digit. */
type ErrorStatus<Status> = Status extends number ? (`${Status}` extends `4${string}` | `5${string}` ? Status : never) : never

type Replies<Route extends AppRoute, Status extends Statuses<Route>> = Status extends unknown
  ? Reply<
      OrVoid<ZodInputOrType<ResolveResponseType<Route['responses'][Status]>>>,
      OrVoid<ZodInferOrType<ResolveResponseType<Route['responses'][Status]>>>,
      Status
    >
  : never
/** A reply without a body has the value of nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: `void` lets a handler return nothing
type OrVoid<Value> = [Value] extends [undefined] ? void : Value

/** Of several replies, a list of any of them. */
type ReplyOrList<All extends AnyReply> = [All] extends [infer Only extends AnyReply]
  ? IsUnion<Only> extends true
    ? readonly [Only, Only, ...Only[]]
    : Only
  : never
type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never

/** The endpoint of a route. */
export type EndpointOf<Route extends AppRoute> = Endpoint<{
  input: Pick<ServerInferRequest<Route>, RequestParts & keyof ServerInferRequest<Route>>
  call: Pick<ClientInferRequest<Route>, RequestParts & keyof ClientInferRequest<Route>>
  response: ReplyOrList<Replies<Route, Exclude<Statuses<Route>, ErrorStatus<Statuses<Route>>>>>
  errors: Replies<Route, ErrorStatus<Statuses<Route>>>
}>

/** The API of a contract: an endpoint for each route, under the same names. */
export type ApiOf<Contract extends AppRouter> = {
  readonly [Name in keyof Contract]: Contract[Name] extends AppRoute
    ? EndpointOf<Contract[Name]>
    : Contract[Name] extends AppRouter
      ? ApiOf<Contract[Name]>
      : never
}

const create = ({ source, path }: SchemaPlan, place: Place): Schema => at(path, () => toSchema(source, place))

/** The parameters of a part. */
function createParameters(plan: ParametersPlan | undefined): Schema | Record<string, Schema> | undefined {
  if (plan === undefined) return undefined
  if (plan.kind === 'whole') return create(plan.schema, 'text')
  return Object.fromEntries(Object.entries(plan.schemas).map(([name, schema]) => [name, create(schema, 'text')]))
}

/** The body of a plan. */
function createBody(plan: BodyPlan): Content<unknown, unknown> | Schema {
  switch (plan.kind) {
    case 'json': {
      const schema = plan.schema && create(plan.schema, 'json')
      if (plan.type === undefined) return schema ?? json
      const type = createJsonType(plan.type)
      return schema === undefined ? type : content(schema, type)
    }
    case 'form':
      return plan.schema === undefined ? (form as Content<unknown, unknown>) : content(create(plan.schema, 'json'), form as never)
    case 'multipart': {
      const parts = Object.entries(plan.parts).map(([name, part]): [string, AnyParameter] => [name, createPart(part)])
      return multipart(Object.fromEntries(parts)) as Content<unknown, unknown>
    }
    case 'anyForm':
      return anyForm as Content<unknown, unknown>
    case 'text':
      return (plan.type === plainTextType ? text : createTextType(plan.type)) as Content<unknown, unknown>
    case 'bytes':
      if (plan.isStream) return byteStream(plan.type) as Content<unknown, unknown>
      return (plan.type === 'application/octet-stream' ? bytes : createBytesType(plan.type)) as Content<unknown, unknown>
  }
}

const createReply = ({ status, body }: ReplyPlan): AnyReply => (body === undefined ? reply(status) : reply(status, createBody(body)))

/** The credentials of a contract that declares the header `Authorization`: the text of the header, which the handler judges. */
export const authorization: ReturnType<typeof apiKey<string>> = apiKey<string>({ in: 'header', name: 'Authorization' })

/** The endpoint of a plan. */
export function createEndpoint(plan: RoutePlan): Endpoint<never> {
  const { path, line, credentials, isBodyOptional, meta, route } = plan
  const { summary, description, deprecated } = route
  return at(path, () => {
    const parts = { params: createParameters(plan.params), query: createParameters(plan.query), headers: createParameters(plan.headers) }
    const body = plan.body && createBody(plan.body)
    const definition = {
      ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
      ...(credentials && { auth: credentials === 'optional' ? optional(authorization) : authorization }),
      ...(body && { body: isBodyOptional ? optional(body) : body }),
      response: plan.responses.map(createReply),
      errors: plan.errors.map(createReply),
      ...(meta && { meta }),
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      ...(deprecated === true && { deprecated }),
    }
    // The parts of a definition are checked when they are read; their types come from the contract.
    return endpoint(line as 'GET /', definition as unknown as { readonly response: AnyReply }) as unknown as Endpoint<never>
  })
}

/** Puts endpoints where their routes stand. */
function nest(contract: RuntimeRouter, path: readonly string[], endpoints: ReadonlyMap<string, Endpoint<never>>): Api {
  return Object.freeze(
    Object.fromEntries(
      Object.entries(contract).map(([name, value]) => {
        const place = [...path, name]
        return [name, isRoute(value) ? (endpoints.get(place.join('\n')) as Endpoint<never>) : nest(value, place, endpoints)]
      }),
    ),
  )
}

/** The API of the routes of a contract. */
export const createApi = (contract: RuntimeRouter, plans: readonly RoutePlan[]): Api =>
  nest(contract, [], new Map(plans.map((plan) => [plan.path.join('\n'), createEndpoint(plan)])))

/**
 * Makes the API of a contract of ts-rest: an endpoint for each route, under the same names. `serve`, `client`, `openapi`, `manifest`, `mock` and
 * `checkServer` take it like any other.
 *
 * @param contract what `initContract().router()` returns: with zod 3, zod 4, or any Standard Schema that has a JSON Schema
 * @throws TypeError that names the place in the contract, for what an API cannot have, such as `c.type()` of a query
 * @example
 * ```ts
 * import { fromTsRest } from '@lapidary/ts-rest'
 * import { initContract } from '@ts-rest/core'
 * import { openapi } from 'lapidary/openapi'
 * import { z } from 'zod'
 *
 * const c = initContract()
 * const contract = c.router({
 *   stone: { method: 'GET', path: '/stones/:id', responses: { 200: z.object({ name: z.string() }) } },
 * })
 * const document = await openapi(fromTsRest(contract), { title: 'Stones', version: '1' })
 * ```
 */
export function fromTsRest<const Contract extends AppRouter>(contract: Contract): ApiOf<Contract> {
  const router = contract as unknown as RuntimeRouter
  return createApi(router, planContract(router)) as ApiOf<Contract>
}
