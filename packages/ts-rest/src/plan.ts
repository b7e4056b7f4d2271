/**
 * The plan of a route: which words of a description say what it says. `fromTsRest` makes an endpoint of a plan, and `lapidary migrate ts-rest`
 * writes it down, so that both describe the same.
 */
import { describeKind } from 'lapidary/internal'
import { isNoBody, isOtherResponse, isPlainType, isRoute, type RuntimeRoute, type RuntimeRouter } from './contract.ts'
import { type FormPartPlan, planParts } from './formParts.ts'
import { isNothing, isSchema, readTree } from './schemas/toSchema.ts'
import type { Tree } from './schemas/tree.ts'
import * as messages from './tsRestMessages.ts'

/** A schema of a contract, and where it stands there: `['posts', 'create', 'body']`. */
export interface SchemaPlan {
  readonly source: object
  readonly path: readonly string[]
}

/** Parameters: one schema of all of them, or one for each. */
export type ParametersPlan =
  | { readonly kind: 'whole'; readonly schema: SchemaPlan }
  | { readonly kind: 'each'; readonly schemas: Readonly<Record<string, SchemaPlan>> }

/** A body, by the word that says what it is. */
export type BodyPlan =
  | { readonly kind: 'json'; readonly schema: SchemaPlan | undefined; readonly type?: string }
  | { readonly kind: 'form'; readonly schema: SchemaPlan | undefined }
  | { readonly kind: 'multipart'; readonly schema: SchemaPlan; readonly parts: Readonly<Record<string, FormPartPlan>> }
  | { readonly kind: 'anyForm'; readonly schema: SchemaPlan | undefined }
  | { readonly kind: 'text'; readonly type: string }
  /** `isStream`: of a handler, which returns a text, bytes, a Blob or a stream. */
  | { readonly kind: 'bytes'; readonly type: string; readonly isStream?: true }

/** The media type of the word `text`. */
export const plainTextType = 'text/plain;charset=utf-8'

/** A declared response. */
export interface ReplyPlan {
  readonly status: number
  /** Undefined: it has no body. */
  readonly body: BodyPlan | undefined
}

/** How an `Authorization` header is declared: as credentials, which are no parameter. */
export type CredentialsPlan = 'required' | 'optional' | undefined

export interface RoutePlan {
  /** The keys that lead to the route. */
  readonly path: readonly string[]
  readonly route: RuntimeRoute
  /** `GET /posts/:id`. */
  readonly line: string
  readonly params: ParametersPlan | undefined
  readonly query: ParametersPlan | undefined
  readonly headers: ParametersPlan | undefined
  readonly credentials: CredentialsPlan
  readonly body: BodyPlan | undefined
  readonly isBodyOptional: boolean
  readonly responses: readonly ReplyPlan[]
  readonly errors: readonly ReplyPlan[]
  readonly meta: object | undefined
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Headers that HTTP has itself: no description declares them. `Authorization` is declared as credentials. */
const ownHeaders = new Set(['accept', 'connection', 'content-length', 'content-type', 'date', 'host', 'transfer-encoding', 'vary'])

/** Statuses of which HTTP forbids a body. */
const bodilessStatuses = new Set([204, 205, 304])

/** The schema without the methods after it that make a value optional: a capture never is, and a body has a word for it. */
function removeOptional(source: object): object {
  const tree = readTree(source)
  return tree?.kind === 'wrapper' && tree.method === 'optional' ? removeOptional(tree.inner.source) : source
}

/** The members of an object of zod, with their schemas; undefined for any other schema. */
function listMembers(source: object): readonly (readonly [string, object])[] | undefined {
  const tree = readTree(source)
  return tree?.kind === 'object' ? tree.members.map(([name, { source: member }]) => [name, member] as const) : undefined
}

/** @throws TypeError for `c.type()`, and for what is no schema */
function requireSchema(value: unknown): object {
  if (isPlainType(value)) throw new TypeError(messages.typeWithoutSchema())
  if (!isSchema(value)) throw new TypeError(messages.expectedSchema(describeKind(value)))
  return value
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || isNoBody(value)

const toEach = (
  members: readonly (readonly [string, object])[],
  path: readonly string[],
  steps: readonly string[] = [],
): ParametersPlan => ({
  kind: 'each',
  schemas: Object.fromEntries(members.map(([name, source]) => [name, { source, path: [...path, ...steps, name] }])),
})

function planParams({ pathParams }: RuntimeRoute, path: readonly string[]): ParametersPlan | undefined {
  // Captures are texts without a schema.
  if (isAbsent(pathParams) || isPlainType(pathParams)) return undefined
  const source = requireSchema(pathParams)
  const members = listMembers(source)
  if (members === undefined) return { kind: 'whole', schema: { source, path } }
  return toEach(
    members.map(([name, member]) => [name, removeOptional(member)]),
    path,
    ['shape'],
  )
}

function planQuery({ query }: RuntimeRoute, path: readonly string[]): ParametersPlan | undefined {
  if (isAbsent(query)) return undefined
  const source = requireSchema(query)
  return listMembers(source)?.length === 0 ? undefined : { kind: 'whole', schema: { source, path } }
}

/** The schemas of headers: those of an object of zod, or those of a record, which ts-rest has from 3.53 on. */
function listHeaders(headers: object): readonly (readonly [string, object])[] | undefined {
  if (typeof headers !== 'object') throw new TypeError(messages.expectedSchema(describeKind(headers)))
  if (isSchema(headers)) return listMembers(headers)
  // What ts-rest makes of an object of zod 4 and base headers.
  if (Reflect.has(headers, 'def') && !isSchema(Reflect.get(headers, 'def'))) throw new TypeError(messages.mixedHeaders())
  return Object.entries(headers).flatMap(([name, value]) =>
    isAbsent(value) || isPlainType(value) ? [] : [[name, requireSchema(value)] as const],
  )
}

interface HeadersPlan {
  readonly headers: ParametersPlan | undefined
  readonly credentials: CredentialsPlan
}

function planHeaders({ headers }: RuntimeRoute, path: readonly string[]): HeadersPlan {
  if (isAbsent(headers) || isPlainType(headers)) return { headers: undefined, credentials: undefined }
  const members = listHeaders(headers as object)
  if (members === undefined) return { headers: { kind: 'whole', schema: { source: headers as object, path } }, credentials: undefined }
  const authorization = members.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  const declared = members.filter(([name]) => !ownHeaders.has(name.toLowerCase()) && name.toLowerCase() !== 'authorization')
  const tree = authorization && readTree(authorization)
  return {
    headers: declared.length === 0 ? undefined : toEach(declared, path, isSchema(headers) ? ['shape'] : []),
    credentials: authorization && (tree?.kind === 'wrapper' && tree.method !== 'readonly' ? 'optional' : 'required'),
  }
}

const hasNoBody = (tree: Tree | undefined): boolean => isNothing(tree) || (tree?.kind === 'scalar' && tree.name === 'never')

/** Whether a request can leave a body out: its schema says so. */
function acceptsNothing(tree: Tree | undefined): boolean {
  if (tree?.kind === 'wrapper') return tree.method === 'optional' || (tree.method !== 'default' && acceptsNothing(tree.inner))
  return tree?.kind === 'scalar' && (tree.name === 'any' || tree.name === 'unknown')
}

interface RequestBodyPlan {
  readonly body: BodyPlan | undefined
  readonly isBodyOptional: boolean
}

function planBody({ method, body, contentType }: RuntimeRoute, path: readonly string[]): RequestBodyPlan {
  const none = { body: undefined, isBodyOptional: false }
  if (method === 'GET' || isAbsent(body)) return none
  const isTyped = !isPlainType(body)
  const source = isTyped ? requireSchema(body) : undefined
  const tree = source && readTree(source)
  // ts-rest sends no body for null.
  if (hasNoBody(tree) || (tree?.kind === 'scalar' && tree.name === 'null')) return none
  const schema = source && { source, path }
  if (contentType === 'multipart/form-data') {
    const parts = planParts(tree)
    const isNamed = schema !== undefined && parts !== undefined
    return { body: isNamed ? { kind: 'multipart', schema, parts } : { kind: 'anyForm', schema }, isBodyOptional: false }
  }
  if (contentType === 'application/x-www-form-urlencoded') return { body: { kind: 'form', schema }, isBodyOptional: false }
  return { body: { kind: 'json', schema: source && { source: removeOptional(source), path } }, isBodyOptional: acceptsNothing(tree) }
}

/** The body of a media type that is none of JSON. */
function planOtherBody({ contentType, body }: { readonly contentType: string; readonly body: unknown }, path: readonly string[]): BodyPlan {
  const essence = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  const isJson = essence === 'application/json' || essence.endsWith('+json')
  if (isJson) {
    const schema = isSchema(body) ? { source: body, path: [...path, 'body'] } : undefined
    return essence === 'application/json' ? { kind: 'json', schema } : { kind: 'json', schema, type: contentType }
  }
  const isText =
    essence.startsWith('text/') ||
    essence.endsWith('+xml') ||
    ['application/xml', 'application/javascript', 'application/yaml'].includes(essence)
  if (!isText) return { kind: 'bytes', type: contentType }
  // A page without a charset is read as Windows-1252.
  return { kind: 'text', type: /;\s*charset=/i.test(contentType) ? contentType : `${contentType};charset=utf-8` }
}

function planReply(status: number, response: unknown, path: readonly string[]): ReplyPlan {
  if (bodilessStatuses.has(status) || isAbsent(response)) return { status, body: undefined }
  if (isOtherResponse(response)) return { status, body: planOtherBody(response, path) }
  if (isPlainType(response)) return { status, body: { kind: 'json', schema: undefined } }
  const source = requireSchema(response)
  return hasNoBody(readTree(source)) ? { status, body: undefined } : { status, body: { kind: 'json', schema: { source, path } } }
}

/** Runs a part of a plan; its error names the place in the contract. */
export function at<Value>(path: readonly string[], work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw message.startsWith('fromTsRest(') ? error : new TypeError(messages.refused(path.join('.'), message), { cause: error })
  }
}

function planRoute(route: RuntimeRoute, path: readonly string[]): RoutePlan {
  const { method, path: urlPath, responses, metadata } = route
  const plan = <Value>(part: string, create: (place: readonly string[]) => Value): Value =>
    at([...path, part], () => create([...path, part]))
  if (typeof urlPath !== 'string') throw new TypeError(messages.expectedPath(describeKind(urlPath)))
  if (typeof responses !== 'object' || responses === null) throw new TypeError(messages.missingSuccess())
  if (!methods.includes(method)) throw new TypeError(messages.foreignMethod(method))
  if (/:\w+\?/.test(urlPath)) throw new TypeError(messages.optionalCapture(urlPath))
  const replies = Object.entries(responses).map(([status, response]) =>
    at([...path, 'responses', status], () => planReply(Number(status), response, [...path, 'responses', status])),
  )
  const successes = replies.filter(({ status }) => status < 400)
  if (successes.length === 0) throw new TypeError(messages.missingSuccess())
  return {
    path,
    route,
    line: `${method} /${urlPath.replace(/^\/|\/$/g, '')}`,
    params: plan('pathParams', (place) => planParams(route, place)),
    query: plan('query', (place) => planQuery(route, place)),
    ...plan('headers', (place) => planHeaders(route, place)),
    ...plan('body', (place) => planBody(route, place)),
    responses: successes,
    errors: replies.filter(({ status }) => status >= 400),
    meta: typeof metadata === 'object' && metadata !== null ? metadata : undefined,
  }
}

/**
 * Plans all routes of a contract, in their order.
 *
 * @throws TypeError that names the place of what an API cannot have
 */
export function planContract(contract: RuntimeRouter, path: readonly string[] = []): readonly RoutePlan[] {
  if (typeof contract !== 'object' || contract === null) throw new TypeError(messages.notAContract(String(contract)))
  return Object.entries(contract).flatMap(([name, value]) => {
    const place = [...path, name]
    if (typeof value !== 'object' || value === null) throw new TypeError(messages.refused(place.join('.'), messages.notARoute()))
    return isRoute(value) ? [at(place, () => planRoute(value, place))] : planContract(value, place)
  })
}
