/** Makes the API of the plans of a document. */
import {
  type AnyEndpoint,
  type AnyParameter,
  type AnyReply,
  type AnyWebhook,
  array,
  type Body,
  bytes,
  type Content,
  content,
  download,
  endpoint,
  events,
  file,
  flag,
  form,
  type JsonSchema,
  json,
  mediaType,
  multipart,
  ndjson,
  optional,
  problem,
  reply,
  type Schema,
  text,
  webhook,
  withDelimiter,
} from 'lapidary'
import { createSchemaParameter, getBuiltInErrors } from 'lapidary/internal'
import type { AuthReader } from './auth.ts'
import type { BodyPlan } from './bodies.ts'
import type { EndpointPlan } from './endpointPlan.ts'
import type { FormPartPlan } from './formParts.ts'
import { toStandardSchema } from './jsonSchema.ts'
import type { MediaPlan } from './media.ts'
import type { ParameterPlan } from './parameters.ts'
import type { ReplyPlan } from './responses.ts'
import type { WebhookPlan } from './webhooks.ts'

/** The schema of a parameter. One that can be left out accepts `undefined`, and is its default then. */
const toParameterSchema = ({ schema, isRequired }: ParameterPlan): Schema =>
  toStandardSchema(schema, isRequired ? undefined : { value: schema.default })

const createParameter = (plan: ParameterPlan): AnyParameter | Schema => {
  if (plan.kind === 'flag') return flag
  if (plan.kind === 'object') return toParameterSchema(plan)
  if (plan.delimiter !== undefined) return withDelimiter(toParameterSchema(plan), plan.delimiter)
  return createSchemaParameter(toParameterSchema(plan))
}

/** The parameters of a place; undefined where it has none. */
const createParameters = (plans: readonly ParameterPlan[]): Record<string, AnyParameter | Schema> | undefined =>
  plans.length === 0 ? undefined : Object.fromEntries(plans.map((plan) => [plan.name, createParameter(plan)]))

function createFormPart({ kind, schema, isRequired, types }: FormPartPlan): AnyParameter {
  if (kind === 'text') return createSchemaParameter(toStandardSchema(schema, isRequired ? undefined : { value: schema.default }))
  const { description } = schema
  const { minItems, maxItems } = schema
  const { maxLength } = kind === 'file' ? schema : ((schema.items ?? {}) as JsonSchema)
  // Files without an end make no limit of the form.
  const maxSize = kind === 'file' || maxItems !== undefined ? (maxLength as number | undefined) : undefined
  const one = file({ types, ...(maxSize !== undefined && { maxSize }), ...(description !== undefined && { description }) })
  const part: AnyParameter =
    kind === 'file' ? one : array(one, { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) })
  return isRequired || (kind === 'files' && minItems === undefined) ? part : optional(part)
}

/** A media type of any values: those of one body agree on theirs. */
type AnyMediaType = Content<unknown, unknown>['media'][number]

/** A media type of a value. */
function createMediaType(plan: MediaPlan): AnyMediaType {
  if (plan.kind === 'form') return form as AnyMediaType
  if (plan.kind === 'json')
    return (/^application\/json\b/i.test(plan.type) ? json : mediaType({ ...json, types: [plan.type] })) as AnyMediaType
  if (plan.kind === 'text') return (plan.type === text.types[0] ? text : mediaType({ ...text, types: [plan.type] })) as AnyMediaType
  const type = 'type' in plan ? plan.type : 'application/octet-stream'
  return (type === bytes.types[0] ? bytes : mediaType({ ...bytes, types: [type] })) as AnyMediaType
}

/** The body of a plan. */
function createBody({ media, schema }: BodyPlan): Body<unknown, unknown> {
  const [first] = media
  if (first.kind === 'multipart')
    return multipart(Object.fromEntries(first.parts.map((part) => [part.name, createFormPart(part)]))) as Content<unknown, unknown>
  if (first.kind === 'download') return download(...media.map((one) => ('type' in one ? one.type : '*/*'))) as Content<unknown, unknown>
  const value = schema && toStandardSchema(schema)
  if (first.kind === 'ndjson') return ndjson(value ?? toStandardSchema({})) as Content<unknown, unknown>
  if (first.kind === 'events') {
    const [event, ...others] = first.events.map(({ name, schema: data }) => [name, toStandardSchema(data)] as const)
    if (event?.[0] === undefined) return events(event?.[1] ?? toStandardSchema({})) as Content<unknown, unknown>
    return events(Object.fromEntries([event, ...others]) as Record<string, Schema>) as Content<unknown, unknown>
  }
  const types = media.map(createMediaType)
  if (value !== undefined) return content(value, ...types) as Content<unknown, unknown>
  return Object.freeze({ schema: undefined, media: Object.freeze(types) })
}

function createReply({ status, range, body, headers, description, problem: own }: ReplyPlan): AnyReply {
  const options = {
    headers: Object.fromEntries(headers.map((header) => [header.name, createSchemaParameter(toParameterSchema(header))])),
    ...(description !== undefined && { description }),
  }
  if (own !== undefined) {
    const { type, title, members } = own
    return problem(status, type as '/', (members && toStandardSchema(members)) as never, { ...options, title } as never) as AnyReply
  }
  const key = range ?? status
  return body === undefined ? reply(key, undefined, options) : reply(key, createBody(body), options)
}

/** Whether the toolkit sends an error by itself. A description that an endpoint adds stands before that of the toolkit. */
function isBuiltIn({ status, range, headers, description, isPlain }: ReplyPlan, endpoint: AnyEndpoint): boolean {
  if (range !== undefined) return false
  const known = getBuiltInErrors(endpoint).filter((error) => error.status === status)
  const sentences = [...new Set(known.map((error) => error.description(endpoint)))]
  // A header of the toolkit that not every response of the status has: another response is declared.
  const isMixed = known.some((error) => {
    const names = Object.keys(error.headers(endpoint))
    const found = headers.find(({ name }) => name === names[0])
    return names.length === 1 && found !== undefined && !found.isRequired
  })
  // A scheme of 3.0 has no scopes, and its 403 stays.
  if (isPlain === true && status === 403 && headers.some(({ name, isRequired }) => name === 'WWW-Authenticate' && isRequired)) return true
  return isPlain === true && known.length > 0 && !isMixed && description === sentences.join('\n\n')
}

/** An error without what the toolkit adds to each error of its status. */
function removeBuiltIn(plan: ReplyPlan, endpoint: AnyEndpoint): ReplyPlan {
  if (plan.range !== undefined) return plan
  const known = getBuiltInErrors(endpoint).filter((error) => error.status === plan.status)
  const names = [...known.flatMap((error) => Object.keys(error.headers(endpoint))), ...(plan.status === 403 ? ['WWW-Authenticate'] : [])]
  return { ...plan, headers: plan.headers.filter(({ name }) => !names.includes(name)) }
}

/** What endpoints and webhooks say of themselves. */
const describe = ({ tags, summary, description }: Pick<EndpointPlan, 'tags' | 'summary' | 'description'>): object => ({
  ...(tags && { tags }),
  ...(summary !== undefined && { summary }),
  ...(description !== undefined && { description }),
})

/** @throws TypeError for a plan that no endpoint can be */
export function createEndpoint(plan: EndpointPlan, auth: AuthReader): AnyEndpoint {
  const body = plan.body && createBody(plan.body)
  const { ignoresInvalidCredentials, ...words } = plan.words ?? {}
  const parts = {
    params: createParameters(plan.params),
    query: createParameters(plan.query),
    headers: createParameters(plan.headers),
    cookies: createParameters(plan.cookies),
    auth: auth.create(plan.auth, ignoresInvalidCredentials ? 'ignore' : 'reject'),
    body: body && (plan.isBodyOptional ? optional(body) : body),
  }
  const definition = {
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
    response: plan.responses.map(createReply),
    errors: plan.errors.map(createReply),
    ...(plan.isDeprecated && { deprecated: true as const }),
    ...describe(plan),
    ...words,
  }
  // The parts of a definition are checked when they are read; a document has no types.
  const untyped = definition as unknown as { readonly response: AnyReply }
  return endpoint(`${plan.method} ${plan.path}` as 'GET /', untyped) as unknown as AnyEndpoint
}

/**
 * The plan of an endpoint of a document that the toolkit has written, without the errors that a server sends by itself.
 *
 * @throws TypeError for a plan that no endpoint can be
 */
export function omitBuiltInErrors(plan: EndpointPlan, auth: AuthReader): EndpointPlan {
  const bare = createEndpoint({ ...plan, errors: [] }, auth)
  return { ...plan, errors: plan.errors.filter((error) => !isBuiltIn(error, bare)).map((error) => removeBuiltIn(error, bare)) }
}

/** @throws TypeError for a plan that no webhook can be */
export const createWebhook = (plan: WebhookPlan): AnyWebhook =>
  webhook(plan.name, { body: createBody(plan.body), ...(plan.isDeprecated && { deprecated: true as const }), ...describe(plan) })
