/** What ts-rest answers to a request that its contract does not allow: the issues that the schemas of the contract found. */
import type { AnyEndpoint, Schema } from 'lapidary'
import { filterHeaders, parseByteSize } from 'lapidary/internal'
import type { HttpRequest, HttpResponse, ServeOptions } from 'lapidary/server'
import type { RoutePlan } from './plan.ts'
import { parseJson } from './queryDialect.ts'
import { getZod3Definition } from './schemas/readZod3.ts'
import { getWireValidator, isSchema } from './schemas/toSchema.ts'

type Validation = Awaited<ReturnType<Schema['~standard']['validate']>>

/** One issue, as the schema library has it: zod gives more than its message and its path. */
export type ValidationIssue = NonNullable<Validation['issues']>[number]

/** The issues of one part of a request, as ts-rest sends them. */
export interface ValidationError {
  /** `ZodError` for a schema of zod 3, `ValidationError` for any other one, as ts-rest 3.53 names it. */
  readonly name: 'ZodError' | 'ValidationError'
  readonly issues: readonly ValidationIssue[]
}

/** The errors of a request by its parts; null for a part without errors. */
export interface RequestValidationError {
  readonly pathParams: ValidationError | null
  readonly headers: ValidationError | null
  readonly query: ValidationError | null
  readonly body: ValidationError | null
}

/** The response to a request that its contract does not allow. */
export interface ValidationResponse {
  readonly status: number
  /** Sent as JSON. */
  readonly body: unknown
}

/**
 * `'default'` sends the errors of the first part that has some, in the order path, headers, query, body; `'combined'` sends those of all
 * parts, as `pathParameterErrors`, `headerErrors`, `queryParameterErrors` and `bodyErrors`. A function makes the response itself.
 */
export type RequestValidationErrorHandler =
  | 'default'
  | 'combined'
  | ((error: RequestValidationError, request: HttpRequest) => ValidationResponse | Promise<ValidationResponse>)

/** A request before anything is read of it. */
interface RawRequest {
  readonly params: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly query: object
  readonly body: unknown
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The texts of the captures. */
function readCaptures(line: string, path: string): Readonly<Record<string, string>> {
  const segments = path.split('/')
  const captures = line.slice(line.indexOf('/')).split('/').entries()
  return Object.fromEntries(
    [...captures].flatMap(([index, step]) => (step.startsWith(':') ? [[step.slice(1), decode(segments[index] ?? '')] as const] : [])),
  )
}

/** Adds a value to the list of a name. */
export function addToList<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [value])
  else list.push(value)
}

/** The members of a query, with the lists and the objects that the endpoint has. */
function readQuery(search: string, { query }: Pick<AnyEndpoint, 'query'>): object {
  const values = new Map<string, string | string[]>()
  const objects = new Map<string, Map<string, string>>()
  for (const [name, value] of new URLSearchParams(search)) {
    const [, outer = '', inner = ''] = /^([^[]+)\[([^\]]+)\]$/.exec(name) ?? []
    const isList = Object.hasOwn(query, name) && query[name]?.repeats === true
    if (outer !== '' && Object.hasOwn(query, name)) objects.set(outer, (objects.get(outer) ?? new Map<string, string>()).set(inner, value))
    else if (isList) addToList(values as Map<string, string[]>, name, value)
    else values.set(name, value)
  }
  return Object.fromEntries([...values, ...[...objects].map(([name, members]) => [name, Object.fromEntries(members)] as const)])
}

/** The members of a query whose values are JSON. */
const readJsonQuery = (search: string): object =>
  Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, parseJson(value)]))

const toError = (source: unknown, issues: readonly ValidationIssue[]): ValidationError => ({
  name: getZod3Definition(source) === undefined ? 'ValidationError' : 'ZodError',
  issues,
})

/** What a schema of the contract finds in a value. */
async function validatePart(source: unknown, value: unknown): Promise<ValidationError | null> {
  if (!isSchema(source)) return null
  const { issues } = await getWireValidator(source)(value)
  return issues === undefined ? null : toError(source, issues)
}

/** What the schemas of headers find: one of an object, or one for each header. */
async function validateHeaders(source: unknown, headers: RawRequest['headers']): Promise<ValidationError | null> {
  if (typeof source !== 'object' || source === null || isSchema(source)) return validatePart(source, headers)
  const errors = await Promise.all(
    Object.entries(source).map(async ([name, schema]) => {
      const { issues = [] } = (await validatePart(schema, headers[name.toLowerCase()])) ?? {}
      return issues.map((issue) => ({ ...issue, path: [name] }))
    }),
  )
  const [schema] = Object.values(source).filter(isSchema)
  return schema === undefined || errors.flat().length === 0 ? null : toError(schema, errors.flat())
}

/** What the toolkit found, and the schema allows: a number such as `1e3`. */
function readProblem({ body }: HttpResponse, { route }: RoutePlan): RequestValidationError | undefined {
  const problem = typeof body === 'string' ? parseJson(body) : undefined
  const { errors } = Object(problem) as { readonly errors?: readonly Readonly<Record<'in' | 'name' | 'pointer' | 'detail', string>>[] }
  if (!Array.isArray(errors) || errors.length === 0) return undefined
  const pick = (place: string, source: unknown): ValidationError | null => {
    const issues = errors
      .filter((error) => error.in === place)
      .map(({ name, pointer = '', detail }) => ({
        code: 'custom',
        message: detail,
        path: name === undefined ? pointer.split('/').slice(1) : [name],
      }))
    return issues.length === 0 ? null : toError(source, issues)
  }
  return {
    pathParams: pick('path', route.pathParams),
    headers: pick('header', route.headers),
    query: pick('query', route.query),
    body: pick('body', route.body),
  }
}

const listErrors = ({ pathParams, headers, query, body }: RequestValidationError): readonly ValidationError[] =>
  [pathParams, headers, query, body].filter((error) => error !== null)

/** What the response depends on. */
export interface InvalidRequest {
  readonly request: HttpRequest
  readonly plan: RoutePlan
  readonly endpoint: AnyEndpoint
  /** All headers, in lower case. */
  readonly headers: RawRequest['headers']
  /** The query as the endpoint reads it, and as it was sent. */
  readonly search: { readonly plain: string; readonly sent: string }
  readonly isJsonQuery: boolean
  /** The bytes of the body, if they were read. */
  readonly bytes: Promise<Uint8Array> | undefined
  /** What a form with files was found to have. */
  readonly bodyIssues: readonly ValidationIssue[] | undefined
}

/** What the schema of a body finds in a body of JSON or of a form. The toolkit alone says what is wrong with one that is no JSON. */
async function validateBody(invalid: InvalidRequest, { maxBodySize = 1_048_576 }: ServeOptions): Promise<ValidationError | null> {
  const { plan, request, bytes, bodyIssues } = invalid
  const { body } = plan.route
  if (bodyIssues !== undefined) return toError(body, bodyIssues)
  if (plan.body?.kind !== 'json' && plan.body?.kind !== 'form') return null
  const read = await (bytes ?? request.body(parseByteSize(maxBodySize) ?? 0)).catch(() => undefined)
  const text = new TextDecoder().decode(read)
  if (text === '') return validatePart(body, undefined)
  if (plan.body.kind === 'form') return validatePart(body, Object.fromEntries(new URLSearchParams(text)))
  const value = parseJson(text)
  return value === text ? null : validatePart(body, value)
}

async function findErrors(invalid: InvalidRequest, options: ServeOptions): Promise<RequestValidationError> {
  const { plan, request, headers, search, isJsonQuery, endpoint } = invalid
  const { route, line } = plan
  const [path = ''] = request.target.split('?', 1)
  return {
    pathParams: await validatePart(route.pathParams, readCaptures(line, path)),
    headers: await validateHeaders(route.headers, headers),
    query: await validatePart(route.query, isJsonQuery ? readJsonQuery(search.sent) : readQuery(search.plain, endpoint)),
    body: await validateBody(invalid, options),
  }
}

function createResponse(error: RequestValidationError, handler: 'default' | 'combined'): ValidationResponse {
  const { pathParams, headers, query, body } = error
  if (handler === 'default') return { status: 400, body: listErrors(error)[0] }
  return {
    status: 400,
    body: { pathParameterErrors: pathParams, headerErrors: headers, queryParameterErrors: query, bodyErrors: body },
  }
}

/** The limits in an issue of zod can be bigints, which JSON has not. */
const writeBigint = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/**
 * The response of ts-rest in place of one with problem details.
 *
 * @param response the one that the toolkit made; it stays for a request of which no part has errors, such as a body that is no JSON
 */
export async function respondToInvalid(
  response: HttpResponse,
  invalid: InvalidRequest,
  handler: RequestValidationErrorHandler,
  options: ServeOptions,
): Promise<HttpResponse> {
  const found = await findErrors(invalid, options)
  const error = listErrors(found).length > 0 ? found : readProblem(response, invalid.plan)
  if (error === undefined) return response
  const { status, body } = typeof handler === 'function' ? await handler(error, invalid.request) : createResponse(error, handler)
  const replaced = new Set(['content-type', ...(status === 401 ? [] : ['www-authenticate'])])
  const kept = filterHeaders(response.headers, (name) => !replaced.has(name.toLowerCase()))
  // The reason phrase of the first response belongs to its status.
  const { reason: _reason, ...rest } = response
  return { ...rest, status, headers: ['Content-Type', 'application/json', ...kept], body: JSON.stringify(body, writeBigint) ?? '' }
}
