/** `group({ auth, errors }, { … })`: what the endpoints of a group have in common, declared once. */
import { checkOptions } from '../http/functions.ts'
import * as authErrors from '../messages/authErrors.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type Api, isMount, isOperation, type Mount } from './api.ts'
import { type AnyAuth, getInvalidCredentials, isAuth, listAlternatives, type UserOf } from './auth/alternatives.ts'
import { createDownload } from './download.ts'
import type { AnyEndpoint, Endpoint, TypeOf } from './endpoint.ts'
import { checkErrors, checkTags } from './endpointDefinition.ts'
import { checkParts } from './endpointParts.ts'
import { checkIdempotentBodies } from './idempotency.ts'
import { describeDefinitionValue } from './parameters/parameter.ts'
import { addPolicies, addRateLimit, listPolicies, policyHeader, type RateLimit } from './rateLimit.ts'
import { type AnyReply, type Fail, getStatusKey } from './reply.ts'
import { isWebhook } from './webhook.ts'

/** What the endpoints of a group have in common. What an endpoint or an inner group declares itself takes precedence. */
export interface GroupOptions<Who, Errors> {
  /** The auth scheme of the endpoints that have none of their own. */
  readonly auth?: Who
  /** Errors of all endpoints. Those of a status that an endpoint declares itself do not concern this endpoint. */
  readonly errors?: Errors
  /** The tags of the endpoints that have none of their own. */
  readonly tags?: readonly string[]
  /** Constant headers of all responses. A header that an endpoint declares itself takes precedence. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** How many requests a client may make to all endpoints and mounts together. Those of an endpoint and of inner groups apply as well. */
  readonly rateLimit?: RateLimit
}

/** The errors of an endpoint, and those of its group that have another status. */
type ErrorsInGroup<Own, Errors> = [Own] extends [never] ? Errors : Own | Exclude<Errors, { readonly status: Own[keyof Own & 'status'] }>

/** The input of a handler in a group. */
type InputInGroup<Input, Errors, Who> = {
  readonly [Name in
    | keyof Input
    | ([Errors] extends [never] ? never : 'fail')
    | ([Who] extends [never] ? never : 'user')]: Name extends 'fail' ? Fail<Errors> : Name extends keyof Input ? Input[Name] : UserOf<Who>
}

/** The types of an endpoint in a group. */
export interface TypesInGroup<T, Errors, Who> {
  input: InputInGroup<TypeOf<T, 'input'>, ErrorsInGroup<TypeOf<T, 'errors'>, Errors>, Who>
  call: TypeOf<T, 'call'>
  response: TypeOf<T, 'response'>
  errors: ErrorsInGroup<TypeOf<T, 'errors'>, Errors>
}

/** An API in a group. */
export type Grouped<A, Errors, Who> = {
  readonly [Name in keyof A]: '~types' extends keyof A[Name]
    ? Endpoint<TypesInGroup<A[Name]['~types'], Errors, Who>>
    : keyof Mount extends keyof A[Name]
      ? [Who] extends [never]
        ? A[Name]
        : 'a mount cannot be in a group with auth: move it out of the group'
      : '~sends' extends keyof A[Name]
        ? A[Name]
        : Grouped<A[Name], Errors, Who>
}

/** @throws TypeError, with the cure, for options that no endpoint can have. */
function checkGroup(options: GroupOptions<unknown, unknown>): asserts options is GroupOptions<AnyAuth, readonly AnyReply[]> {
  checkOptions('group()', Object(options), 'auth, errors, tags, responseHeaders, rateLimit')
  const { auth, errors = [], tags } = options
  if (auth !== undefined && !isAuth(auth)) throw new TypeError(authErrors.expectedAuthScheme('group()', describeDefinitionValue(auth)))
  checkErrors('group()', errors)
  checkTags('group()', tags)
  listPolicies('group()', options.rateLimit)
}

/** @throws TypeError for what an endpoint cannot have. */
function addToEndpoint(endpoint: AnyEndpoint, group: GroupOptions<AnyAuth, readonly AnyReply[]>): AnyEndpoint {
  const { route, responses, etag } = endpoint
  const rateLimit = addPolicies(route, listPolicies(route, group.rateLimit), endpoint.rateLimit)
  const { [policyHeader]: ownPolicies, ...ownHeaders } = endpoint.responseHeaders
  const constants = endpoint.rateLimit.length === 0 ? endpoint.responseHeaders : ownHeaders
  const own = new Set(endpoint.errors.map(getStatusKey))
  const added = (group.errors ?? []).filter((error) => !own.has(getStatusKey(error)))
  const taken = added.find(({ status, range }) => range === undefined && responses.some((response) => response.status === status))
  if (taken !== undefined) throw new TypeError(developerErrors.duplicateErrorStatus(route, taken.status))
  const names = new Set(Object.keys(constants).map((name) => name.toLowerCase()))
  const headers = Object.entries(group.responseHeaders ?? {}).filter(([name]) => !names.has(name.toLowerCase()))
  const parts: AnyEndpoint = {
    ...endpoint,
    errors: Object.freeze([...endpoint.errors, ...added]),
    responseHeaders: { ...constants, ...Object.fromEntries(headers) },
    tags: endpoint.tags ?? group.tags,
    ...(endpoint.auth === undefined &&
      group.auth !== undefined && { auth: listAlternatives(group.auth), invalidCredentials: getInvalidCredentials(group.auth) }),
  }
  checkParts(parts)
  if (endpoint.idempotent !== undefined) checkIdempotentBodies(parts)
  const { responseHeaders } = addRateLimit(parts, rateLimit)
  return Object.freeze({ ...parts, rateLimit, responseHeaders: Object.freeze(responseHeaders), download: createDownload(parts, etag) })
}

type ApiMember = Api[string]

function addToAll(value: ApiMember, options: GroupOptions<AnyAuth, readonly AnyReply[]>): ApiMember {
  if (isWebhook(value)) return value
  if (!isOperation(value))
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, addToAll(part, options)])))
  if (!isMount(value)) return addToEndpoint(value, options)
  // Its requests would get past the credentials.
  if (options.auth !== undefined) throw new TypeError(developerErrors.mountInGuardedGroup(value.prefix))
  const rateLimit = addPolicies(value.prefix, listPolicies(value.prefix, options.rateLimit), value.rateLimit)
  return Object.freeze({ ...value, rateLimit })
}

/**
 * The same API, with what all of its endpoints have in common: the auth scheme, errors, tags, and constant headers of responses. Handlers get
 * the `user` and a `fail` that knows the errors; clients, documents, the mock and the checker see an endpoint as if it declared all of this
 * itself. Groups nest, and stand above or below a `prefix`.
 *
 * @param options What an endpoint, or a group within, declares itself takes precedence: its `auth`, its `tags`, an error of the same status, a
 * header of the same name. All other errors and headers add up.
 * @throws TypeError, with the cure, for what an endpoint cannot have, and for a mount in a group with `auth`.
 * @example
 * ```ts
 * import { bearer, endpoint, group, noContent, ok, reply, text } from 'lapidary'
 * import { authenticate, serve } from 'lapidary/server'
 *
 * const staff = bearer<{ readonly name: string }>('staff')
 * const api = group(
 *   { auth: staff, errors: [reply(403), reply(404)], tags: ['Stones'] },
 *   {
 *     one: endpoint('GET /stones/:id', { response: ok(text) }),
 *     remove: endpoint('DELETE /stones/:id', { response: noContent, errors: [reply(409)] }),
 *   },
 * )
 * const server = serve(
 *   api,
 *   { one: ({ fail }) => fail(404), remove: ({ user, fail }) => (user.name === 'Ann' ? fail(409) : fail(403)) },
 *   { auth: [authenticate(staff, (token) => ({ name: token }))] },
 * )
 * ```
 */
export function group<A extends Api, Who extends AnyAuth = never, Errors extends readonly AnyReply[] = never>(
  options: GroupOptions<Who, Errors>,
  api: A,
): Grouped<A, Errors[number], Who>
export function group(options: GroupOptions<unknown, unknown>, api: Api): unknown {
  checkGroup(options)
  return addToAll(api, options)
}
